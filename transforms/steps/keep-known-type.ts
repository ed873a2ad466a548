import type { Activity, WorkoutType } from "../activities.ts";
import type { UnsupportedValue } from "../model/workout.ts";
import type { Transform } from "./transform.ts";

/**
 * A workout's kind of training is one that the log knows by number, or is counted as unsupported.
 *
 * @param numbers the log's, by activity; undefined where nobody knows, and then nothing is counted
 */
export function keepKnownType(
  numbers: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>> | undefined,
): Transform {
  return (item) => {
    if (numbers === undefined || item.kind !== "workout") return item;
    const { activity, type, ...rest } = item.value;
    if (type === undefined || activity === undefined || numbers[activity]?.[type] !== undefined) return item;
    const lost: UnsupportedValue = { field: "workoutName", value: type };
    return { ...item, value: { ...rest, activity, unsupported: [...(item.value.unsupported ?? []), lost] } };
  };
}
