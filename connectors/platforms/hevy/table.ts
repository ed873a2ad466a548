/** The Hevy export: one table with a row for each set. README.md lists the parts that are read or left out. */

import { platform } from "../table/platform.ts";
import { csv } from "../table/sources/csv-source.ts";
import { SESSION_COLUMNS, type SetCellOf, sessions } from "../table/sources/sessions.ts";
import type { GymSet } from "../table/sources/sets.ts";

const inNotes = { why: "in the words of the set" };

/** Set types that add no word to the notes. */
const PLAIN = ["", "normal"];
const KINDS: Readonly<Record<string, string>> = { warmup: "warm-up", dropset: "drop set", failure: "to failure" };

/** A time below this, in seconds, beside a weight or repetitions is a slip of the finger. */
const LEAST_SECONDS = 10;

function setOf(cellOf: SetCellOf): GymSet {
  const type = cellOf("set_type");
  const first = (columns: readonly (readonly [column: string, unit: string])[]) =>
    columns.find(([column]) => Number(cellOf(column)) !== 0) ?? columns[0];
  const [weight = "", weightUnit] =
    first([
      ["weight_kg", "kg"],
      ["weight_lbs", "lb"],
    ]) ?? [];
  const [distance = "", distanceUnit] =
    first([
      ["distance_km", "km"],
      ["distance_miles", "mi"],
    ]) ?? [];
  const isLift = Number(cellOf("reps")) > 0 || Number(cellOf(weight)) > 0;
  const seconds = cellOf("duration_seconds");
  return {
    exercise: cellOf("exercise_title"),
    kind: KINDS[type] ?? (PLAIN.includes(type) ? undefined : `(${type})`),
    reps: cellOf("reps"),
    weight: cellOf(weight),
    weightUnit,
    distance: cellOf(distance),
    distanceUnit,
    seconds: isLift && Number(seconds) < LEAST_SECONDS ? "" : seconds,
    rpe: cellOf("rpe"),
    note: cellOf("exercise_notes"),
  };
}

export const hevy = platform({
  name: "hevy",
  title: "Hevy export",
  howToGet: "Hevy > Settings > Export & import data > Export workouts; it makes one CSV file.",
  workouts: [
    {
      ...sessions(csv(undefined, ["start_time", "exercise_title", "set_index", "set_type"]), {
        start: "start_time",
        by: ["title"],
        set: setOf,
      }),
      dates: { order: "shown", zone: "local" },
      // biome-ignore format: a table is read by its columns
      columns: [
        ["description", "notes"],
        ...SESSION_COLUMNS,
        ["start_time", "datetime"],
        ["end_time", "end"],
        ["title", "name"],
        ["superset_id", "unsupported", { label: "superset" }],
        [["exercise_title", "exercise_notes", "set_type", "reps", "rpe"], "ignore", inNotes],
        [["weight_kg", "weight_lbs", "distance_km", "distance_miles", "duration_seconds"], "ignore", { ...inNotes, decimal: "float" }],
        ["set_index", "ignore", { why: "counts the sets of an exercise" }],
      ],
    },
  ],
  leaves: {},
});
