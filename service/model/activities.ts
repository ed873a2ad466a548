/** The activities of a user: the built-in ones and their own, with the workout types of each. */
import { BUILT_IN_ACTIVITIES } from "../gaps.ts";
import { Refusal } from "../http/refusals.ts";

/** `types[0]` is the type with `workoutID` 1. */
export interface Activity {
  readonly id: number;
  readonly name: string;
  readonly types: readonly string[];
}

/** The built-in activities, then the user's own. */
export function activitiesOf(own: readonly Activity[]): readonly Activity[] {
  return [...BUILT_IN_ACTIVITIES, ...own];
}

const BUILT_IN_IDS: ReadonlySet<number> = new Set(BUILT_IN_ACTIVITIES.map(({ id }) => id));

/** Whether every user has this activity. No user's own has its id. */
export function isBuiltIn(activityID: number): boolean {
  return BUILT_IN_IDS.has(activityID);
}

/** The display names of an activity and a workout type; undefined where there is none. */
export function namesOf(
  activities: readonly Activity[],
  activityID: number,
  workoutID: number | undefined,
): { activityName: string | undefined; workoutName: string | undefined } {
  const activity = activities.find((row) => row.id === activityID);
  return {
    activityName: activity?.name,
    workoutName: workoutID === undefined ? undefined : activity?.types[workoutID - 1],
  };
}

/**
 * Checks that the user has this activity, and the activity this workout type.
 * @throws Refusal `unknown-reference` naming the field and the number
 */
export function refuseUnknownActivity(
  activities: readonly Activity[],
  activityID: number,
  workoutID: number | undefined,
): void {
  const { activityName, workoutName } = namesOf(activities, activityID, workoutID);
  if (activityName === undefined) {
    throw new Refusal("unknown-reference", `activityID: this user has no activity ${activityID}`);
  }
  if (workoutID !== undefined && workoutName === undefined) {
    throw new Refusal("unknown-reference", `workoutID: ${activityName} has no workout type ${workoutID}`);
  }
}
