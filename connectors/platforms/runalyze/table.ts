/** Runalyze: the backup of a self-hosted Runalyze, and the table of runalyze.com. README.md lists the parts that are read or left out. */

import { offsetOfMinutes } from "../table/cells/instants.ts";
import type { ColumnRow } from "../table/description.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { platform } from "../table/platform.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { backupTable } from "./backup.ts";
import { asDay, asGear, effortOf, instantOf, lapsInCell, otherSplits, withJoins } from "./values.ts";

const none = "none" as const;
const inside = { why: "a mark of the platform's own" };
const derived = { why: "follows from the workouts" };
const readByParts = { why: "read by its parts" };
const lapsAsMade = (laps: unknown) => laps as readonly TableLap[];

/** The numbers of the weather. 1 means unknown. */
const conditions = {
  2: ["clear"],
  3: ["partlyCloudy"],
  4: ["overcast"],
  5: ["partlyCloudy"],
  6: ["rain"],
  7: ["snow"],
  8: ["rain"],
  9: ["fog"],
  10: ["thunderstorm"],
  11: ["windy"],
};

/** Names of training types in a new Runalyze account, in its languages. Other types are read by their words. */
const types = {
  Race: "race",
  Competition: "race",
  Wettkampf: "race",
  Intervals: "interval",
  "Interval training": "interval",
  Intervalltraining: "interval",
  "Long Slow Distance": "long",
  "Long run": "long",
  "Langer Lauf": "long",
  Fartlek: "fartlek",
  Fahrtspiel: "fartlek",
  "Tempo Run": "tempo",
  Tempodauerlauf: "tempo",
  Jogging: "easy",
  Dauerlauf: "easy",
  Regenerationslauf: "easy",
} as const;

/** Values without a field in the log, by either spelling of the platform. */
// biome-ignore format: a table is read by its columns
const measured: readonly ColumnRow[] = [
  [["elevation", "elevationUp"], "unsupported", { label: "elevation gain", unit: "m", zero: none }],
  ["elevationDown", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
  ["kcal", "unsupported", { label: "calories", unit: "kcal", zero: none }],
  ["cadence", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
  ["power", "unsupported", { label: "average power", unit: "W", zero: none }],
  ["humidity", "unsupported", { label: "humidity", unit: "%" }],
  [["wind_speed", "windSpeed"], "unsupported", { label: "wind", unit: "km/h" }],
];

export const runalyze = platform({
  name: "runalyze",
  title: "Runalyze backup",
  howToGet:
    "Runalyze > Configuration > Tools > Database backup; on runalyze.com > Settings > Export: the table of activities.",
  workouts: [
    {
      layout: [[/^version=([\d.]{1,20})/, "of version $1"]],
      from: backupTable("training", ["time", "sportid", "s"], withJoins),
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      conditions,
      types,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["start", "datetime"],
        ["timezone_offset", "offset", { read: offsetOfMinutes }],
        ["sport", "activity"],
        ["type", "type"],
        ["title", "name"],
        ["comment", "name", { otherwise: true }],
        ["notes", "notes"],
        ["partner", "notes", { label: "Partner" }],
        ["worn", "notes", { label: "Equipment" }],
        ["tags", "notes", { label: "Tags" }],
        ["race/name", "notes", { label: "Race" }],
        ["course", "course"],
        ["s", "moving", { format: ["seconds"], zero: none }],
        ["race/official_time", "elapsed", { format: ["seconds"], zero: none }],
        ["elapsed_time", "elapsed", { format: ["seconds"], zero: none, otherwise: true }],
        ["distance", "distance", { unit: "km", zero: none }],
        ["pulse_avg", "avgHR", { zero: none }],
        ["pulse_max", "maxHR", { zero: none }],
        ["rpe", "effort", { read: effortOf }],
        ["temperature", "temperature", { unit: "C" }],
        ["weatherid", "conditions", { read: (text) => (text === "1" ? undefined : text) }],
        ["lapList", "laps", { laps: lapsAsMade }],
        ["race/place_total", "fieldPlacement", { zero: none }],
        ["race/participants_total", "fieldSize", { zero: none }],
        ["race/place_ageclass", "groupPlacement", { zero: none }],
        ["race/participants_ageclass", "groupSize", { zero: none }],
        ["race/official_distance", "unsupported", { label: "official distance", unit: "km", zero: none }],
        [["race/place_gender", "race/participants_gender"], "unsupported", { label: "place among men or women", zero: none }],
        ...measured,
        ["stride_length", "unsupported", { label: "stride length", unit: "cm", zero: none }],
        ["total_strokes", "unsupported", { label: "strokes", zero: none }],
        ["swolf", "unsupported", { label: "SWOLF", zero: none }],
        ["pool_length", "unsupported", { label: "pool length", unit: "cm", zero: none }],
        ["pressure", "unsupported", { label: "air pressure", unit: "hPa" }],
        ["wind_deg", "unsupported", { label: "wind from", unit: "degrees" }],
        ["is_track", "unsupported", { label: "on a track", zero: none, read: (text) => (text === "1" ? "yes" : undefined) }],
        [["groundcontact", "vertical_oscillation", "groundcontact_balance", "vertical_ratio"], "unsupported", { label: "running dynamics", zero: none }],
        [["fit_vdot_estimate", "fit_vo2max_estimate", "fit_recovery_time", "fit_hrv_analysis", "fit_performance_condition", "fit_training_effect", "fit_performance_condition_start", "fit_performance_condition_end"], "unsupported", { label: "estimates of the watch", zero: none }],
        [["time", "sportid", "typeid", "routeid", "route", "splits", "race"], "ignore", readByParts],
        ...leftByName(["vdot", "vdot_by_time", "vdot_with_elevation", "vo2max", "vo2max_by_time", "vo2max_with_elevation", "trimp", "jd_intensity", "elevation_calculated", "climb_score", "percentage_hilly", "gap", "avg_impact_gs_left", "avg_impact_gs_right"]),
        ["pace", "ignore", derived],
        [["use_vdot", "use_vo2max", "is_night", "power_calculated"], "ignore", inside],
        [["accountid", "created", "edited", "is_public", "creator", "creator_details", "activity_id", "abc", "weather_source", "lock", "nightly"], "ignore", inside],
      ],
    },
    {
      layout: "of runalyze.com",
      from: csvEach(/\.csv$/i, ["sportid", "timezoneOffset", "pulseAvg"]),
      onlyAlone: true,
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      types,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["time", "instant", { read: instantOf }],
        ["timezoneOffset", "offset", { read: offsetOfMinutes }],
        ["sportid", "activity", { read: (text) => `sport ${text}` }],
        ["race_officialTime", "type", { read: (text) => (Number(text) > 0 ? "race" : undefined) }],
        ["title", "name"],
        ["notes", "notes"],
        ["routeName", "course"],
        ["equipmentIds", "unsupported", { label: "numbers of the gear" }],
        ["s", "moving", { format: ["seconds"], zero: none }],
        ["race_officialTime", "elapsed", { format: ["seconds"], zero: none }],
        ["elapsedTime", "elapsed", { format: ["seconds"], zero: none, otherwise: true }],
        ["distance", "distance", { unit: "km", zero: none }],
        ["pulseAvg", "avgHR", { zero: none }],
        ["pulseMax", "maxHR", { zero: none }],
        ["temperature", "temperature", { unit: "C" }],
        ["typeid", "unsupported", { label: "number of the type", zero: none }],
        ["race_officialDistance", "unsupported", { label: "official distance", zero: none }],
        ["splits", "laps", { read: lapsInCell, laps: lapsAsMade }],
        ["splits", "unsupported", { label: "splits", read: otherSplits }],
        ...measured,
        ["fitVO2maxEstimate", "unsupported", { label: "estimates of the watch", zero: none }],
        ...leftByName(["vo2max"]),
        ["useVO2max", "ignore", inside],
        [["original_file", "hash"], "ignore", inside],
      ],
    },
  ],
  gear: {
    from: backupTable("equipment", ["name", "typeid"], asGear),
    // biome-ignore format: a table is read by its columns
    columns: [
      ["id", "id"],
      ["kind", "kind"],
      ["name", "modelName"],
      ["notes", "notes"],
      ["date_start", "purchaseDate"],
      ["retired", "status"],
      ["workouts", "workout"],
      ["additional_km", "notes", { label: "Used before", unit: "km", zero: none }],
      [["typeid", "date_end"], "ignore", readByParts],
      ["distance", "distance"],
      ["unit", "distanceUnit"],
      ["time", "ignore", derived],
      ["accountid", "ignore", inside],
    ],
    kinds: { bike: "bike", shoes: "run" },
    retired: "yes",
  },
  days: [
    {
      from: backupTable("user", ["time"], () => asDay),
      columns: [
        ["day", "day"],
        ["weight", "weight", { unit: "kg", zero: none }],
        ["pulse_rest", "restHR", { zero: none }],
      ],
    },
    {
      from: csvEach(/\.csv$/i, ["date", "restingHeartRate.heartRate"]),
      columns: [
        ["date", "day", { read: (text) => text.slice(0, 10) }],
        ["restingHeartRate.heartRate", "restHR", { zero: none }],
      ],
    },
  ],
  ownerFiles: [
    {
      files: /\.json(\.gz)?$/i,
      head: /_account"\}\s{1,4}\{"\d{1,20}": ?\{[^\n}]{0,2000}?"mail": ?"(?<email>[^"\\\s@]{1,64}@[^"\\\s@]{1,255})"/,
    },
  ],
  leaves: {
    "*health*": "days: sleep and the like, but for the resting heart rate",
    "*.sql.gz": "the same backup for a database: make one as JSON",
    "*.sql": "the same backup for a database: make one as JSON",
  },
});
