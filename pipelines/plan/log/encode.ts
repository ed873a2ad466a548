/** Turns a value of the plan into the log's save body. */
import type { LogNumbers } from "../../../connectors/api/from-wire.ts";
import { courseToWire, equipmentToWire, workoutToWire } from "../../../connectors/api/to-wire.ts";
import type { SaveBody } from "../../../connectors/sink.ts";
import type { Activity } from "../../../transforms/activities.ts";
import type { RecordLine } from "../../journal/line.ts";
import type { References } from "../compare/references.ts";

/** Encodes records for one log. */
export type Encode = (record: RecordLine, references: References) => SaveBody;

/** Makes an encoder with a log's numbers. Earlier steps of the plan ensure that every activity has a number. */
export function createEncoder({ activityIDs, workoutIDs }: LogNumbers): Encode {
  const numberOf = (activity: Activity | undefined): number => {
    const id = activity === undefined ? undefined : activityIDs[activity];
    if (id === undefined) throw new Error(`Cannot encode: the activity ${activity} has no number`);
    return id;
  };
  return ({ kind, value }, references) => {
    switch (kind) {
      case "workout": {
        const { activity, type } = value;
        const workoutID = activity === undefined || type === undefined ? undefined : workoutIDs[activity]?.[type];
        return workoutToWire(value, { activityID: numberOf(activity), workoutID, ...references });
      }
      case "course":
        return courseToWire(value);
      case "equipment":
        return equipmentToWire(value, { activityID: numberOf(value.activity) });
    }
  };
}
