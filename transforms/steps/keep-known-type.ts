import type { Activity, WorkoutType } from "../activities.ts";
import type { UnsupportedValue } from "../model/workout.ts";
import type { Transform } from "./transform.ts";

/**
 * Keeps a workout's kind of training if the log has a number for it. Otherwise the kind is counted as unsupported.
 *
 * @param numbers the log's numbers, by activity; undefined if they are unknown, and then every kind stays
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
