/**
 * A value of the plan as the log's save body.
 */
import type { LogNumbers } from "../connectors/api/from-wire.ts";
import { courseToWire, equipmentToWire, workoutToWire } from "../connectors/api/to-wire.ts";
import type { SaveBody } from "../connectors/sink.ts";
import type { Activity } from "../transforms/activities.ts";
import type { Course } from "../transforms/model/course.ts";
import type { Equipment } from "../transforms/model/equipment.ts";
import type { Kind } from "../transforms/model/item.ts";
import type { Workout } from "../transforms/model/workout.ts";
import type { Line } from "./journal/journal.ts";
import type { References } from "./load/load-context.ts";

/** Encodes values for one log. */
export type Encode = (kind: Kind, value: NonNullable<Line["value"]>, references: References) => SaveBody;

/** An encoder with a log's numbers. The steps of the plan have made sure that every activity has one. */
export function createEncoder({ activityIDs, workoutIDs }: LogNumbers): Encode {
  const numberOf = (activity: Activity | undefined): number => {
    const id = activity === undefined ? undefined : activityIDs[activity];
    if (id === undefined) throw new Error(`Cannot encode: the activity ${activity} has no number`);
    return id;
  };
  return (kind, value, references) => {
    switch (kind) {
      case "workout": {
        const workout = value as Workout;
        const { activity, type } = workout;
        const workoutID = activity === undefined || type === undefined ? undefined : workoutIDs[activity]?.[type];
        return workoutToWire(workout, { activityID: numberOf(activity), workoutID, ...references });
      }
      case "course":
        return courseToWire(value as Course);
      case "equipment":
        return equipmentToWire(value as Equipment, { activityID: numberOf((value as Equipment).activity) });
    }
  };
}
