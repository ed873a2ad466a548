/** Reads sets in the forms of the two apps called FitNotes. */
import { parseDuration } from "../table/cells/durations.ts";
import type { NoSet, SetCellOf } from "../table/sources/sessions.ts";
import type { GymSet } from "../table/sources/sets.ts";

/** Reads a row of the Android app. */
export function androidSet(cellOf: SetCellOf): GymSet {
  const [pounds, kilograms] = [cellOf("Weight (lbs)"), cellOf("Weight (kg)")];
  const weight = cellOf("Weight");
  const unit = pounds !== "" ? "lb" : kilograms !== "" ? "kg" : cellOf("Weight Unit");
  return {
    exercise: cellOf("Exercise"),
    reps: cellOf("Reps"),
    weight: pounds || kilograms || weight,
    weightUnit: unit === "kgs" ? "kg" : unit,
    distance: cellOf("Distance"),
    distanceUnit: cellOf(["Distance Unit", "DistanceUnit"]),
    seconds: secondsOf(cellOf("Time")),
    note: cellOf("Comment"),
  };
}

/** Reads a row of the iPhone app. The row has no units. */
export function iphoneSet(cellOf: SetCellOf): GymSet | NoSet {
  const [status, equipment, left] = [cellOf("Status"), cellOf("Equipment"), cellOf("RIR")];
  const exercise = equipment === "" ? cellOf("Exercise") : `${cellOf("Exercise")} (${equipment})`;
  const note = cellOf("Note");
  if (status === "NotStarted") return { leave: "a set that was planned and not done", exercise, note };
  const after = [left === "" ? "" : `RIR ${left}`, status === "Done" || status === "" ? "" : `(${status})`]
    .join(" ")
    .trim();
  return {
    exercise,
    kind: cellOf("IsWarmup") === "true" ? "warm-up" : after || undefined,
    reps: cellOf("Reps"),
    weight: cellOf("Weight"),
    distance: cellOf("Distance"),
    seconds: secondsOf(cellOf("Time")),
    rpe: cellOf("RPE"),
    note,
  };
}

/** Turns `0:09:21` into seconds. Text in any other form stays unchanged. */
function secondsOf(text: string): string {
  const seconds = parseDuration(text, ["h:mm:ss"], ".");
  return seconds === undefined ? text : String(seconds);
}
