/** Samsung Health: the exercises of the app's export. README.md lists the parts that are read or left out. */

import { isoOfMillis } from "../table/cells/instants.ts";
import type { ColumnRow, ColumnWords } from "../table/description.ts";
import type { CellOf } from "../table/mapping/shown-units.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { titledCsv } from "../table/sources/titled-csv.ts";
import { trackOf } from "./track.ts";
import { celsiusOf, humidityOf, localDay, offsetOf, SPORTS, seriesOf, sportIn, withoutCelsius } from "./values.ts";

const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the app's own" };

/** The spellings of a column. Exports of old versions have no prefix. */
const named = (...names: readonly string[]) => names.flatMap((name) => [`com.samsung.health.exercise.${name}`, name]);

/** The spellings of a column in the table of weights. */
const weighed = (name: string) => [name, `com.samsung.health.weight.${name}`];

/** The first cell with text of columns. */
const textOf = (cellOf: CellOf, names: readonly string[]) => names.map(cellOf).find((text) => text !== "") ?? "";

/** The cell of a column, under any of its spellings. */
const firstOf = (cellOf: CellOf, name: string) => textOf(cellOf, named(name));

/** A temperature of the weather, and the number of its scale. */
const temperatureIn = (cellOf: CellOf): readonly [text: string, scale: string] => [
  cellOf("weather/temperature"),
  cellOf("weather/temperature_scale"),
];

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
        {
          sport: (cellOf) => sportIn(firstOf(cellOf, "exercise_type"), firstOf(cellOf, "title")),
          celsius: (cellOf) => celsiusOf(...temperatureIn(cellOf)),
          "other temperature": (cellOf) => withoutCelsius(...temperatureIn(cellOf)),
          wind: (cellOf) => `${cellOf("weather/wind_speed")} ${cellOf("weather/wind_speed_unit")}`.trim(),
        },
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
        ["celsius", "temperature", { unit: "C", notInKey: true }],
        ["other temperature", "unsupported", { label: "temperature in an unknown unit", notInKey: true }],
        [["weather/temperature", "weather/temperature_scale", "weather/wind_speed", "weather/wind_speed_unit"], "ignore", { why: "read as temperature and wind" }],
        ["weather/phrase", "conditions"],
        ["weather/humidity", "unsupported", { label: "humidity", unit: "%", read: humidityOf }],
        ["wind", "unsupported", { label: "wind", notInKey: true }],
        ["weather/wind_direction", "unsupported", { label: "wind direction", notInKey: true }],
        ["weather/uv_index", "unsupported", { label: "UV index", notInKey: true }],
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
        other("total_calorie", "calories with those at rest", "kcal", { notInKey: true }),
        other("ftp", "functional threshold power", "W", { notInKey: true }),
        ["live_data_internal", "unsupported", { label: "pauses and laps", zero: "none", read: seriesOf, notInKey: true }],
        ["additional_internal", "unsupported", { label: "running dynamics", zero: "none", read: seriesOf, notInKey: true }],
        other("max_caloricburn_rate", "highest calories a minute", undefined, { notInKey: true }),
        [named("mean_caloricburn_rate"), "ignore", derived],
        [named("additional", "custom", "exercise_custom_type", "auxiliary_devices", "count_type"), "ignore", inside],
        [named("create_sh_ver", "modify_sh_ver", "create_time", "update_time", "client_data_id", "client_data_ver", "deviceuuid"), "ignore", inside],
        [named("pkg_name"), "recorder"],
        [["location_data_internal", "sensing_status", "pace_live_data", "heart_rate_sample_count"], "ignore", { why: "belongs to the recorded series" }],
        [["start_latitude", "start_longitude"], "ignore", { why: "the first position of the recorded route" }],
        [["mission_type", "mission_value", "mission_extra_value", "race_target", "program_id", "program_schedule_id", "routine_datauuid", "pace_info_id"], "ignore", { why: "what the app had planned" }],
        [["subset_data", "completion_status", "activity_type", "source_type", "tracking_status", "reward_status", "heart_rate_deviceuuid", "custom_id"], "ignore", inside],
        [["exercise_id", "start_time", "time_offset", "latitude", "longitude"].map((name) => `weather/${name}`), "ignore", { why: "the exercise, its start and its place" }],
        [["sunrise_time", "sunset_time", "sundown_time"].map((name) => `weather/${name}`), "ignore", { why: "follows from day and place" }],
        [["content_provider", "custom", "forecast_time", "icon_info_id", "type"].map((name) => `weather/${name}`), "ignore", inside],
      ],
      sports: SPORTS,
    },
  ],
  days: [
    {
      from: withCells(
        titledCsv({
          files: /weight[.\d ()_-]*\.csv$/i,
          title: "com.samsung.health.weight",
          knownBy: weighed("weight"),
        }),
        {
          day: (cellOf) => localDay(textOf(cellOf, weighed("start_time")), textOf(cellOf, weighed("time_offset"))),
        },
      ),
      columns: [
        ["day", "day"],
        [weighed("weight"), "weight", { unit: "kg", zero: "none" }],
      ],
    },
  ],
  // The folder of an export has the name of the user.
  ownerFiles: [{ files: /(^|\/)samsunghealth_(?<id>[^/]{1,64})_\d{14}\/com\.samsung\.shealth\.exercise\.\d+\.csv$/ }],
  leaves: {
    "com.samsung.*": "measurements without a workout, but for the weight",
    "jsons/": "the recorded series; tracks are made of those that an exercise names",
    "files/": "pictures and other files",
  },
});
