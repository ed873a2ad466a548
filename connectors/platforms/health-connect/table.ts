/** Health Connect: the sessions in the database of Android's health data. README.md lists the parts that are read or left out. */

import { isoOfMillis, offsetOfMillis } from "../table/cells/instants.ts";
import type { RowSource } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { DatabaseError, daysOf, recordsOf } from "./database.ts";
import { sportOf } from "./sports.ts";

const none = "none" as const;
const inside = { why: "a mark of the phone's own" };

const databases = (files: RegExp, isKnown: (head: string) => boolean): RowSource =>
  recordSource({
    files,
    knownBy: ["start_time", "exercise_type"],
    eachIsKnown: true,
    isKnown: (head) => head.startsWith("SQLite format 3") && isKnown(head),
    records: recordsOf,
    issueOf: (error) => (error instanceof DatabaseError ? error.issue : undefined),
  });

const days = (files: RegExp, isKnown: (head: string) => boolean): RowSource =>
  recordSource({
    files,
    knownBy: ["day"],
    eachIsKnown: true,
    isKnown: (head) => head.startsWith("SQLite format 3") && isKnown(head),
    records: daysOf,
    issueOf: (error) => (error instanceof DatabaseError ? error.issue : undefined),
  });

const called = databases(/(^|\/)health_connect_export\.db$/i, () => true);
const other = databases(/\.db$/i, (head) => head.includes("exercise_session_record_table"));

export const healthConnect = platform({
  name: "health-connect",
  title: "Health Connect export",
  howToGet: "Android > Settings > Health Connect > Manage data > Backup and restore > Export; it makes a zip.",
  workouts: [
    {
      from: { find: async (archive, columns) => (await called.find(archive, columns)) ?? other.find(archive, columns) },
      dates: { order: "iso", zone: "utc" },
      decimal: "float",
      // biome-ignore format: a table is read by its columns
      columns: [
        ["uuid", "id"],
        ["app", "recorder"],
        ["exercise_type", "activity", { read: sportOf }],
        ["title", "name"],
        ["notes", "notes"],
        ["start_time", "datetime", { read: isoOfMillis }],
        ["start_zone_offset", "offset", { read: (text) => offsetOfMillis(String(Number(text) * 1000)) }],
        ["end_time", "end", { read: isoOfMillis }],
        ["metres", "distance", { unit: "m", zero: none }],
        ["avgBeats", "avgHR"],
        ["maxBeats", "maxHR"],
        ["calories", "unsupported", { label: "calories", unit: "kcal", per: 1000, zero: none }],
        ["steps", "unsupported", { label: "steps", zero: none }],
        ["has_route", "unsupported", { label: "track", read: (text) => (text === "1" ? "not in the export" : undefined) }],
        ["segments", "unsupported", { label: "segments", notInKey: true }],
        ["app_name", "ignore", { why: "the app's name for people" }],
        ["end_zone_offset", "ignore", { why: "the workout stands where it began" }],
        [["local_date", "local_date_time_start_time", "local_date_time_end_time"], "ignore", { why: "follows from start and offset" }],
        ["planned_exercise_session_id", "ignore", { why: "a plan" }],
        [["row_id", "app_info_id", "device_info_id", "last_modified_time", "client_record_id", "client_record_version", "dedupe_hash", "recording_method"], "ignore", inside],
      ],
    },
  ],
  days: [
    {
      from: days(/\.db$/i, (head) => head.includes("exercise_session_record_table")),
      columns: [
        ["day", "day"],
        ["grams", "weight", { unit: "kg", per: 1000, zero: none }],
        ["restingBeats", "restHR", { zero: none }],
      ],
      besideWorkouts: true,
    },
  ],
  leaves: {},
});
