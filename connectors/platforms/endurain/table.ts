/** Endurain: the activities of an account's export, each with its file. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { json } from "../table/sources/json-source.ts";
import { besideColumns, withLists } from "./beside.ts";
import { sportOf } from "./sports.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the service's own" };

/** A bare number means nothing to a person who sees it in a log. */
const pieceOf = (text: string) => `gear ${text}`;

/** The ids of an activity and of its gear at other services. */
const elsewhere = ["strava_activity_id", "strava_gear_id", "garminconnect_activity_id", "garminconnect_gear_id"];
const hidden = [
  "start_time",
  "location",
  "map",
  "hr",
  "power",
  "cadence",
  "elevation",
  "speed",
  "pace",
  "laps",
  "gear",
];

export const endurain = platform({
  name: "endurain",
  title: "Endurain export",
  howToGet: "Endurain > Settings > My profile > Export; the page gives a zip to download.",
  workouts: [
    {
      from: withLists(
        json({
          files: /(^|\/)activities(_\d+)?\.json$/i,
          knownBy: ["activity_type", "start_time", "total_timer_time"],
          lists: [["*"]],
        }),
      ),
      filesById: true,
      dates: { order: "iso", zone: "local" },
      decimal: "float",
      skips: (cellOf) => (cellOf("activity_type") === "18" ? "the change between two legs" : undefined),
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["activity_type", "activity", { read: sportOf }],
        ["name", "name"],
        ["description", "notes"],
        ["private_notes", "notes", { isPrivate: true }],
        ["start_time", "datetime"],
        ["distance", "distance", { unit: "m", zero: none }],
        ["total_timer_time", "moving"],
        ["total_elapsed_time", "elapsed"],
        ["average_hr", "avgHR"],
        ["max_hr", "maxHR"],
        ["workout_rpe", "effort", { per: 10, zero: none }],
        ["gear_id", "equipment", { read: pieceOf }],
        ["workout_feeling", "unsupported", { label: "feel", unit: "of 100" }],
        ["elevation_gain", "unsupported", { label: "elevation gain", unit: "m", zero: none }],
        ["elevation_loss", "unsupported", { label: "elevation loss", unit: "m", zero: none }],
        ["max_speed", "unsupported", { label: "max speed", unit: "m/s", zero: none }],
        ["average_power", "unsupported", { label: "average power", unit: "W", zero: none }],
        ["max_power", "unsupported", { label: "max power", unit: "W", zero: none }],
        ["normalized_power", "unsupported", { label: "normalized power", unit: "W", zero: none }],
        ["average_cad", "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        ["max_cad", "unsupported", { label: "max cadence", unit: "a minute", zero: none }],
        ["calories", "unsupported", { label: "calories", unit: "kcal", zero: none }],
        ["city", "unsupported", { label: "city" }],
        ["town", "unsupported", { label: "town" }],
        ["country", "unsupported", { label: "country" }],
        ...besideColumns,
        [["pace", "average_speed"], "ignore", derived],
        ["end_time", "ignore", { why: "with the start, the time that passed" }],
        ["timezone", "ignore", { why: "the times are local in it" }],
        [hidden.map((name) => `hide_${name}`), "ignore", inside],
        ["hide_workout_sets_steps", "ignore", inside],
        [elsewhere, "ignore", { why: "its number at another service" }],
        [["user_id", "created_at", "visibility", "is_hidden", "tracker_manufacturer", "tracker_model", "import_info"], "ignore", inside],
      ],
      sports: { "mixed surface ride": "bike" },
    },
  ],
  numbered: [{ files: /(^|\/)activities_(?<number>\d{3,4})\.json$/i, numberAt: (place) => place }],
  toldTotal: {
    files: /(^|\/)activities(_\d+)?\.json$/i,
    list: ["*"],
    totalIn: /(^|\/)counts\.json$/i,
    total: ["activities"],
  },
  gear: {
    from: json({ files: /(^|\/)gears(_\d+)?\.json$/i, knownBy: ["id", "gear_type", "nickname"], lists: [["*"]] }),
    // biome-ignore format: a table is read by its columns
    columns: [
      ["id", "id", { read: pieceOf }],
      ["brand", "brandName"],
      ["model", "modelName"],
      ["nickname", "modelName"],
      ["nickname", "notes", { label: "nickname" }],
      ["gear_type", "kind"],
      [["active", "is_active"], "status", { read: (text) => (/^(0|false)$/.test(text) ? "retired" : text) }],
      ["initial_kms", "notes", { label: "distance before", unit: "km", zero: none }],
      ["purchase_value", "price", { zero: none }],
      [elsewhere.slice(1), "ignore", { why: "its number at another service" }],
      [["user_id", "created_at"], "ignore", inside],
    ],
    kinds: { "1": "bike", "2": "run" },
    retired: "retired",
  },
  days: [
    {
      from: json({ files: /(^|\/)health_weight(_\d+)?\.json$/i, knownBy: ["date", "weight"], lists: [["*"]] }),
      columns: [
        ["date", "day", { read: (text) => text.slice(0, 10) }],
        ["weight", "weight", { unit: "kg", zero: none }],
      ],
    },
  ],
  recordings: /(^|\/)activity_files\/[^/]*\.(fit|gpx|tcx)(\.gz)?$/i,
  ownerFiles: [{ files: /(^|\/)data\/user\.json$/ }],
  leaves: {
    "activity_*": "the rest of the lists beside the activities: titles of exercises, marks of the service",
    "activity_media/": "the log has no place for pictures",
    "media/": "the log has no place for pictures",
    "gears*": "an empty list",
    "gear_components*": "parts of bikes and shoes",
    "health_weight*": "weights of days: a workout gets that of its day",
    "health_*": "measurements of days: the log has no field for them",
    "notifications*": "messages of the service",
    "user*": "the account",
    "user_images/": "the account",
    "counts.json": "how much the export holds",
  },
});
