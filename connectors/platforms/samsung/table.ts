/** Samsung Health: the exercises of the app's export. README.md lists the parts that are read or left out. */

import { isoOfMillis } from "../table/cells/instants.ts";
import type { ColumnRow, ColumnWords } from "../table/description.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { titledCsv } from "../table/sources/titled-csv.ts";
import { trackOf } from "./track.ts";
import { humidityOf, offsetOf, SPORTS, seriesOf, sportIn } from "./values.ts";

const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the app's own" };

/** The spellings of a column. Exports of old versions have no prefix. */
const named = (...names: readonly string[]) => names.flatMap((name) => [`com.samsung.health.exercise.${name}`, name]);

/** The cell of a column, under any of its spellings. */
const firstOf = (cellOf: CellOf, name: string) =>
  named(name)
    .map(cellOf)
    .find((text) => text !== "") ?? "";

/** A number without a field in the log. 0 means "none". */
const other = (name: string, label: string, unit?: string, how: ColumnWords = {}): ColumnRow => [
  named(name),
  "unsupported",
  { label, zero: "none", ...(unit !== undefined && { unit }), ...how },
];

export const samsung = platform({
  name: "samsung",
  title: "Samsung Health export",
  howToGet: "Samsung Health > Settings > Download personal data; it makes a folder on the phone.",
  workouts: [
    {
      layout: [
        [/com\.samsung\.health\.exercise\./, "with long names of columns"],
        [/./, "with short names of columns"],
      ],
      // An own exercise has the number 0. Its title is the name that its owner gave to the sport.
      from: withCells(
        titledCsv({
          files:
            /exercise(?!\.(?:extension|route|hr_zone|max_heart|recovery|program|periodization|custom))[^/]*\.csv$/i,
          title: "com.samsung.shealth.exercise",
          knownBy: named("exercise_type"),
          joins: {
            title: "com.samsung.shealth.exercise.weather",
            by: "exercise_id",
            id: named("datauuid"),
            as: "weather",
          },
        }),
        { sport: (cellOf) => sportIn(firstOf(cellOf, "exercise_type"), firstOf(cellOf, "title")) },
      ),
      trackFiles: {
        columns: [...named("location_data"), ...named("live_data")],
        files: /\.exercise\.(?:live|location)_data\.json$/i,
        areNamed: true,
        track: trackOf,
      },
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        [named("datauuid"), "id"],
        [named("start_time"), "datetime", { read: isoOfMillis }],
        [named("time_offset"), "offset", { read: offsetOf }],
        ["sport", "activity"],
        [named("exercise_type"), "ignore", { why: "read as the sport" }],
        [named("title"), "name"],
        [named("comment"), "notes"],
        [named("distance"), "distance", { unit: "m", zero: "none" }],
        [named("duration"), "duration", { format: ["milliseconds"] }],
        [named("mean_heart_rate"), "avgHR"],
        [named("max_heart_rate"), "maxHR"],
        [["weather/datauuid", "weather/create_time", "weather/update_time", "weather/pkg_name", "weather/deviceuuid"], "ignore", inside],
        ["weather/temperature", "temperature", { unit: "C" }],
        ["weather/phrase", "conditions"],
        ["weather/humidity", "unsupported", { label: "humidity", unit: "%", read: humidityOf }],
        ["weather/wind_speed", "unsupported", { label: "wind" }],
        other("min_heart_rate", "lowest heart rate", "a minute"),
        other("calorie", "calories", "kcal"),
        other("altitude_gain", "elevation gain", "m"),
        other("altitude_loss", "elevation loss", "m"),
        other("max_altitude", "highest altitude", "m"),
        other("min_altitude", "lowest altitude", "m"),
        other("max_speed", "max speed", "m/s"),
        other("mean_cadence", "average cadence", "a minute"),
        other("max_cadence", "max cadence", "a minute"),
        other("mean_rpm", "average revolutions", "a minute"),
        other("max_rpm", "max revolutions", "a minute"),
        other("mean_power", "average power", "W"),
        other("max_power", "max power", "W"),
        other("count", "steps or strokes"),
        other("vo2_max", "VO2 max"),
        other("sweat_loss", "sweat loss"),
        other("incline_distance", "distance uphill"),
        other("decline_distance", "distance downhill"),
        [named("location_data"), "series", { label: "recorded route", zero: "none", read: seriesOf }],
        [named("live_data"), "series", { label: "recorded series", zero: "none", read: seriesOf }],
        [[...named("mean_speed"), ...named("end_time")], "ignore", derived],
        ["total_calorie", "ignore", { why: "the calories with those of the body at rest" }],
        [named("mean_caloricburn_rate", "max_caloricburn_rate"), "ignore", derived],
        [named("additional", "custom", "exercise_custom_type", "auxiliary_devices", "count_type"), "ignore", inside],
        [named("create_sh_ver", "modify_sh_ver", "create_time", "update_time", "client_data_id", "client_data_ver", "deviceuuid"), "ignore", inside],
        [named("pkg_name"), "recorder"],
        [["live_data_internal", "location_data_internal", "additional_internal", "sensing_status", "pace_live_data", "heart_rate_sample_count"], "ignore", { why: "belongs to the recorded series" }],
        [["start_latitude", "start_longitude"], "ignore", { why: "the first position of the recorded route" }],
        [["mission_type", "mission_value", "mission_extra_value", "race_target", "program_id", "program_schedule_id", "routine_datauuid", "pace_info_id"], "ignore", { why: "what the app had planned" }],
        [["subset_data", "completion_status", "activity_type", "source_type", "ftp", "tracking_status", "reward_status", "heart_rate_deviceuuid", "custom_id"], "ignore", inside],
        [["exercise_id", "start_time", "wind_direction", "uv_index", "latitude", "longitude"].map((name) => `weather/${name}`), "ignore", inside],
      ],
      sports: SPORTS,
    },
  ],
  // The folder of an export has the name of the user.
  ownerFiles: [{ files: /(^|\/)samsunghealth_(?<id>[^/]{1,64})_\d{14}\/com\.samsung\.shealth\.exercise\.\d+\.csv$/ }],
  leaves: {
    "com.samsung.*": "measurements without a workout",
    "jsons/": "the recorded series; tracks are made of those that an exercise names",
    "files/": "pictures and other files",
  },
});
