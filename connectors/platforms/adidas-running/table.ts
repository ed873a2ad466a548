/** adidas Running, formerly Runtastic: a JSON file for each activity, in two layouts. README.md lists the parts that are read or left out. */

import { isoOfMillis, offsetOfMillis } from "../table/cells/instants.ts";
import type { ColumnRow, WorkoutTable } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { isJsonRow, type JsonRow, json } from "../table/sources/json-source.ts";
import { FILE_NAME } from "../table/sources/record-source.ts";
import { DRAWING, withoutDrawn } from "./drawings.ts";
import { sportOf } from "./sports.ts";
import { trackOf } from "./track.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the platform's own" };
const perMinute = { unit: "a minute", zero: none };

/** A mark counts only if it is set. */
const ifSet = (text: string) => (text === "true" ? "yes" : undefined);
/** The usual kind of entry is left out. */
const unlessTracked = (text: string) => (text === "tracked" ? undefined : text);

/** The path to a value of a feature, in the layout since 2021. */
const feature = (type: string, ...values: readonly string[]) =>
  values.map((value) => `features[type=${type}]/attributes/${value}`);

/** The layout until 2020: every value is a member of the activity. */
// biome-ignore format: a table is read by its columns
const flat: readonly ColumnRow[] = [
  ["distance", "distance", { unit: "m", zero: none }],
  ["pulse_avg", "avgHR"],
  ["pulse_max", "maxHR"],
  ["temperature", "temperature", { unit: "C" }],
  ["user_equipment_ids", "equipment", { separator: ", " }],
  ["pause_duration", "unsupported", { label: "pauses", unit: "s", per: 1000, zero: none }],
  ["weather_condition_id", "unsupported", { label: "weather, a number" }],
  ["surface_id", "unsupported", { label: "surface, a number" }],
  ["subjective_feeling_id", "unsupported", { label: "feeling, a number" }],
  ["elevation_gain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
  ["elevation_loss", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
  ["max_speed", "unsupported", { label: "max speed", unit: "km/h", zero: none }],
  ["avg_step_frequency", "unsupported", { label: "average cadence", ...perMinute }],
  ["max_step_frequency", "unsupported", { label: "max cadence", ...perMinute }],
  ["avg_cadence", "unsupported", { label: "average cadence of the bike", ...perMinute }],
  ["max_cadence", "unsupported", { label: "max cadence of the bike", ...perMinute }],
  ["total_steps", "unsupported", { label: "steps", zero: none }],
  ["manual", "unsupported", { label: "typed by hand", read: ifSet }],
  ["indoor", "unsupported", { label: "indoor", read: ifSet }],
  [["average_speed", "duration_per_km"], "ignore", derived],
  [["longitude", "latitude"], "ignore", { why: "where it began: the time has its distance from UTC" }],
  [["edited", "completed", "live_tracking_active", "live_tracking_enabled", "cheering_enabled"], "ignore", inside],
];

/** The layout since 2021: most values are attributes of a feature. */
// biome-ignore format: a table is read by its columns
const features: readonly ColumnRow[] = [
  [feature("track_metrics", "distance"), "distance", { unit: "m", zero: none }],
  [feature("heart_rate", "average"), "avgHR"],
  [feature("heart_rate", "maximum"), "maxHR"],
  [feature("weather", "temperature"), "temperature", { unit: "C" }],
  [feature("weather", "conditions"), "conditions"],
  [feature("equipment", "user_equipment/id"), "equipment"],
  ["pause", "unsupported", { label: "pauses", unit: "s", per: 1000, zero: none }],
  [feature("weather", "humidity"), "unsupported", { label: "humidity" }],
  [feature("weather", "wind_speed"), "unsupported", { label: "wind" }],
  [feature("weather", "wind_direction"), "unsupported", { label: "wind direction" }],
  [feature("track_metrics", "surface"), "unsupported", { label: "surface" }],
  ["subjective_feeling", "unsupported", { label: "feeling" }],
  [feature("track_metrics", "elevation_gain"), "unsupported", { label: "elevation gain", unit: "m", zero: none }],
  [feature("track_metrics", "elevation_loss"), "unsupported", { label: "elevation loss", unit: "m", zero: none }],
  [feature("track_metrics", "max_speed"), "unsupported", { label: "max speed", unit: "m/s", zero: none }],
  [feature("steps", "average_step_rate"), "unsupported", { label: "average cadence", ...perMinute }],
  [feature("steps", "maximum_step_rate"), "unsupported", { label: "max cadence", ...perMinute }],
  [feature("steps", "total_steps"), "unsupported", { label: "steps", zero: none }],
  ["tracking_method", "unsupported", { label: "kind of entry", read: unlessTracked }],
  [feature("track_metrics", "average_speed", "average_pace"), "ignore", derived],
  [feature("heart_rate", "zones"), "ignore", { why: "follow from the heart rates" }],
  [feature("steps", "average_step_length"), "ignore", derived],
  ["features[type=fastest_segments]", "unsupported", { label: "fastest segments", notInKey: true }],
  ["features[type=initial_values]", "ignore", { why: "the activity as it was before its owner changed it" }],
  [DRAWING, "unsupported", { label: "drawing of the track", notInKey: true, read: (text) => (text === "" ? undefined : "yes") }],
  [feature("map", "trace_available", "start_latitude", "start_longitude"), "ignore", { why: "where it began: the time has its distance from UTC" }],
  [["features[type=origin]", "features[type=events]", "features[type=groups]"], "ignore", inside],
  ["user_perceived_start_time", "ignore", { why: "the start with its distance from UTC, once more" }],
  [["version", "plausible", "user_id", "creation_application_id"], "ignore", inside],
];

/** Adds the size of a shoe in words. The file has its parts: `{"value":44,"fraction":"1/2","system":"EU"}` is `EU 44 1/2`. */
function withSize(shoe: JsonRow): JsonRow {
  const { size } = shoe;
  if (!isJsonRow(size)) return shoe;
  const { system, value, fraction } = size;
  const parts = [system, value, fraction].filter((part) => typeof part === "string" || typeof part === "number");
  const { size: _, ...others } = shoe;
  return { ...others, "size of the shoe": parts.filter((part) => part !== "").join(" ") };
}

/** Activities in files with these names, with more members that every one has. */
const sessionsIn = (files: RegExp, knownBy: readonly string[] = []) =>
  withoutDrawn(
    json({ files, knownBy: ["start_time", "start_time_timezone_offset", "duration", ...knownBy], lists: [] }),
  );

const exported: WorkoutTable = {
  layout: [
    [/"features"/, "since 2021"],
    [/"sport_type_id"/, "until 2020"],
  ],
  from: sessionsIn(/(^|\/)Sport-?sessions?(\/[^/]*)?\.json$/i),
  filesByName: true,
  trackFiles: {
    columns: [FILE_NAME],
    files: /(^|\/)(GPS|Heart-rate)-data\/[^/]*\.json$/i,
    track: trackOf,
  },
  dates: { order: "iso", zone: "utc" },
  decimal: "float",
  // biome-ignore format: a table is read by its columns
  columns: [
        ["id", "id"],
        [FILE_NAME, "ignore", { why: "names the files with its points" }],
        ["sport_type_id", "activity", { read: sportOf }],
        ["start_time", "datetime", { read: isoOfMillis }],
        ["start_time_timezone_offset", "offset", { read: offsetOfMillis }],
        ["duration", "duration", { format: ["milliseconds"], zero: none }],
        ["notes", "notes"],
        ...flat,
        ...features,
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["dehydration_volume", "unsupported", { label: "dehydration", zero: none }],
        ["end_time", "ignore", { why: "with the start, the time that passed, pauses included" }],
        [["end_time_timezone_offset", "created_at", "updated_at"], "ignore", inside],
      ],
  sports: {
    ...{ ergometer: "bike", riding: "other", "virtual cycling": "bike" },
    "cheerleading or e-sports": "other",
  },
  conditions: { cloudy: ["overcast"], rainy: ["rain"], snowy: ["snow"] },
};

export const adidasRunning = platform({
  name: "adidas-running",
  title: "adidas Running (Runtastic) export",
  howToGet: "adidas Running on the web (runtastic.com) > Settings > Data export; it gives a zip.",
  // Whoever takes activities out of the export may give the files or their folder any name.
  workouts: [exported, { ...exported, from: sessionsIn(/\.json$/i, ["sport_type_id"]), onlyAlone: true }],
  gear: {
    from: json({
      files: /(^|\/)(Shoes\/[^/]*|Shoe)\.json$/i,
      knownBy: ["id", "equipment_type"],
      lists: [],
      completes: withSize,
    }),
    // biome-ignore format: a table is read by its columns
    columns: [
      ["id", "id"],
      ["equipment_type", "kind"],
      ["name", "modelName"],
      ["samples_ids", "workout"],
      ["color", "notes", { label: "color" }],
      ["initial_distance", "notes", { label: "distance before", unit: "km", per: 1000, zero: none }],
      ["milestones[type=retirement_distance]/value", "notes", { label: "wear limit", unit: "km", per: 1000, zero: none }],
      [["size of the shoe", "size"], "notes", { label: "size" }],
      ["statistics", "ignore", { why: "sums of the workouts" }],
      [["created_at", "updated_at", "equipment_id"], "ignore", { why: "a mark of the platform's own" }],
    ],
    kinds: { shoe: "run" },
  },
  recordings: /(^|\/)GPS-data\/[^/]*\.gpx$/i,
  ownerFiles: [{ files: /(^|\/)User\/user\.json$/ }],
  leaves: {
    "GPS-data/": "points of activities, which tracks are made of",
    "Heart-rate-data/": "heart rates of activities, which tracks are made of",
    "Elevation-data/": "elevations by the map, beside those of the points",
    "Photos/": "the log has no place for pictures",
    "User/user.json": "the account",
  },
});
