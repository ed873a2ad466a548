/** The tables of Google Health: UserExercises_2026-01-01.csv. Lengths are in millimetres, times in UTC. The distance from UTC has its own column. */

import type { WorkoutTable } from "../table/description.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { positions } from "./positions.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };
const inside = { why: "a mark of the platform's own" };
const guessed = { why: "what the platform thought it was" };
const metres = { unit: "m", per: 1000, zero: none } as const;

/** The usual kind of entry is left out. */
const kindOf = (text: string) => (/^tracker$/i.test(text) ? undefined : text.toLowerCase().replaceAll("_", " "));
const leftOut = (text: string) => (/^[[{\]}\s]*$/.test(text) ? undefined : "left out");

/** The reason why a row is not a workout. */
function skips(cellOf: (column: string) => string): string | undefined {
  if (cellOf("deletion_reason") !== "") return "removed by its owner";
  const [start, end] = [cellOf("exercise_start"), cellOf("exercise_end")].map((text) => Date.parse(text));
  return start !== undefined && end !== undefined && end <= start ? "its end is not after its start" : undefined;
}

/** The workouts of the Google Health export, which has them in several tables. */
export const exercises: WorkoutTable = {
  layout: "of Google Health",
  from: csvEach(/(^|\/)UserExercises_[^/]*\.csv$/i, ["exercise_id", "exercise_start", "utc_offset", "activity_name"]),
  dates: { order: "iso", zone: "utc" },
  decimal: "float",
  skips,
  trackDays: positions,
  // biome-ignore format: a table is read by its columns
  columns: [
    ["exercise_id", "id"],
    ["exercise_id", "recorder", { read: () => "UserExercises" }],
    ["activity_name", "activity"],
    ["exercise_start", "datetime"],
    ["utc_offset", "offset"],
    ["exercise_end", "end"],
    ["tracker_total_distance_mm", "distance", metres],
    ["manually_logged_total_distance_mm", "distance", metres],
    ["tracker_avg_heart_rate", "avgHR"],
    ["tracker_peak_heart_rate", "maxHR"],
    [["tracker_total_calories", "manually_logged_total_calories"], "unsupported", { label: "calories", unit: "kcal", zero: none }],
    ["tracker_total_altitude_mm", "unsupported", { label: "elevation gain", ...metres }],
    [["tracker_total_steps", "manually_logged_total_steps"], "unsupported", { label: "steps", zero: none }],
    ["tracker_swim_lengths", "unsupported", { label: "lengths", zero: none }],
    ["pool_length", "unsupported", { label: "pool length", zero: none }],
    ["pool_length_unit", "unsupported", { label: "unit of the pool length" }],
    [["tracker_pool_length", "tracker_pool_length_unit"], "ignore", { why: "the pool length once more" }],
    [["manually_logged_pool_length", "manually_logged_pool_length_unit"], "ignore", { why: "the pool length once more" }],
    ["log_type", "unsupported", { label: "kind of entry", read: kindOf }],
    ["activity_label", "unsupported", { label: "label" }],
    ["intervals", "unsupported", { label: "intervals", read: leftOut }],
    ["events", "unsupported", { label: "splits and pauses", read: leftOut }],
    ["tracker_avg_pace_mm_per_second", "ignore", derived],
    ["tracker_avg_speed_mm_per_second", "ignore", derived],
    // It is a hundred times off in real files.
    ...leftByName(["tracker_peak_speed_mm_per_second"]),
    [["tracker_auto_stride_run_mm", "tracker_auto_stride_walk_mm"], "ignore", { why: "settings of the device" }],
    ...leftByName(["tracker_cardio_load"]),
    ["distance_units", "ignore", { why: "how the app shows a distance; the table has millimetres" }],
    [["activity_type_probabilities", "autodetected_activity_name", "autodetected_sensor_based_activity_name"], "ignore", guessed],
    [["autodetected_start_timestamp", "autodetected_end_timestamp", "autodetected_utc_offset"], "ignore", guessed],
    [["suggested_start_timestamp", "suggested_end_timestamp"], "ignore", guessed],
    ["deletion_reason", "ignore", { why: "such a row is skipped" }],
    [["exercise_created", "exercise_last_updated", "autodetected_confirmed", "reconciliation_status", "location_metadata"], "ignore", inside],
  ],
};
