/** FitTrackee: the workouts of an account's archive, each with its file. README.md lists the parts that are read or left out. */

import { utcOf } from "../table/cells/instants.ts";
import type { ColumnRow } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { severalOf } from "../table/sources/left-by-name.ts";
import { fileIn, gearOf, secondsOf } from "./values.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the service's own" };

/** The paths to a value of the weather at the start and at the end. */
const weather = (name: string): ColumnRow[] => [
  [`weather_start/${name}`, "unsupported", { label: name }],
  [`weather_end/${name}`, "unsupported", { label: `${name} at the end`, notInKey: true }],
];

export const fittrackee = platform({
  name: "fittrackee",
  title: "FitTrackee archive",
  howToGet: "FitTrackee > Account > Request data export; the page offers a zip.",
  workouts: [
    {
      from: json({
        files: /(^|\/)user_workouts_data\.json$/i,
        knownBy: ["id", "sport_label", "workout_date"],
        lists: [["*"]],
        completes: gearOf,
      }),
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["sport_label", "activity"],
        ["title", "name"],
        ["description", "notes"],
        ["notes", "notes"],
        ["workout_date", "datetime", { read: utcOf }],
        ["distance", "distance", { unit: "km", zero: none }],
        ["moving", "moving", { read: secondsOf, expected: "a time like 1:02:03" }],
        ["duration", "elapsed", { read: secondsOf, expected: "a time like 1:02:03" }],
        ["ave_hr", "avgHR"],
        ["max_hr", "maxHR"],
        ["gear", "equipment", { separator: ", ", calledBy: "gear name" }],
        ["original_file", "file", { read: fileIn("workout_files") }],
        ["gpx", "file", { read: fileIn("gpx") }],
        ["weather_start/temperature", "temperature", { unit: "C" }],
        ["weather_start/summary", "conditions"],
        ...["humidity", "pressure", "wind"].flatMap(weather),
        ["weather_end/temperature", "unsupported", { label: "temperature at the end", notInKey: true, unit: "C" }],
        ["weather_end/summary", "unsupported", { label: "weather at the end", notInKey: true }],
        ["weather_end/windBearing", "unsupported", { label: "wind direction at the end", notInKey: true }],
        ["weather_start/windBearing", "unsupported", { label: "wind direction" }],
        [["weather_start/icon", "weather_end/icon"], "ignore", { why: "the summary as a picture" }],
        ["ascent", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["descent", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["min_alt", "unsupported", { label: "lowest point", unit: "m" }],
        ["max_alt", "unsupported", { label: "highest point", unit: "m" }],
        ["max_speed", "unsupported", { label: "max speed", unit: "km/h", zero: none }],
        ["best_pace", "unsupported", { label: "best pace" }],
        ["ave_cadence", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["max_cadence", "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ["ave_power", "unsupported", { label: "average power", unit: "W", zero: none }],
        ["max_power", "unsupported", { label: "max power", unit: "W", zero: none }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        [["ave_speed", "ave_pace"], "ignore", derived],
        ["pauses", "ignore", { why: "the elapsed time without the moving time" }],
        ["gear name", "ignore", { why: "read as the name of the gear" }],
        ["equipments", "ignore", { why: "read as gear" }],
        ["segments", "unsupported", { label: "segments", notInKey: true, read: severalOf }],
        ["source", "unsupported", { label: "source", notInKey: true }],
        ["records", "ignore", { why: "follow from the workouts" }],
        [["sport_id", "creation_date", "modification_date", "with_geometry", "with_file", "with_gpx", "with_analysis"], "ignore", inside],
        [["workout_visibility", "map_visibility", "analysis_visibility", "bounds", "map", "next_workout", "previous_workout"], "ignore", inside],
        [["suspended", "suspended_at", "likes_count", "liked"], "ignore", inside],
      ],
      conditions: { "partially cloudy": ["partlyCloudy"], "partly cloudy": ["partlyCloudy"], "clear sky": ["clear"] },
    },
  ],
  gear: {
    from: json({
      files: /(^|\/)user_equipments_data\.json$/i,
      knownBy: ["id", "label", "equipment_type"],
      lists: [["*"]],
    }),
    // biome-ignore format: a table is read by its columns
    columns: [
      ["id", "id"],
      ["label", "modelName"],
      ["equipment_type/label", "kind"],
      ["is_active", "status"],
      ["description", "notes"],
      [["equipment_type/id", "equipment_type/is_active", "equipment_type/has_equipments"], "ignore", inside],
      [["total_distance", "total_duration", "total_moving", "workouts_count"], "ignore", { why: "sums of the workouts" }],
      [["creation_date", "user_id", "default_for_sport_ids", "visibility"], "ignore", inside],
    ],
    kinds: { Shoe: "run", Bike: "bike" },
    retired: "false",
  },
  recordings: /(^|\/)(workout_files|gpx)\/[^/]*\.(fit|gpx|kml|kmz|tcx)(\.gz)?$/i,
  ownerFiles: [{ files: /(^|\/)user_data\.json$/ }],
  leaves: {
    "user_data.json": "the account",
    "user_comments_data.json": "comments of others",
    "user_equipments_data.json": "an empty list",
  },
});
