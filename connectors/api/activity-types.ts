/** What a log calls its activities and workout types, where it says so: the numbers differ from log to log, the names hardly. */
import { type Activity, activityNamed, WORKOUT_TYPES, type WorkoutType } from "../../transforms/activities.ts";
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { ItemError, TransferError } from "../errors.ts";
import { getPage } from "./call.ts";
import type { Connection } from "./connection.ts";
import { defined } from "./defined.ts";
import { type Remark, readObject } from "./fields.ts";
import type { LogNumbers } from "./from-wire.ts";
import { ASSUMED_OPERATIONS } from "./operations.ts";

/**
 * The log's numbers by our names. A name that two activities share is given to neither.
 *
 * @returns undefined where the service has no such listing, or one that can't be read
 * @throws what ends a run: the token is refused, the service is gone
 */
export async function readNumbers(connection: Connection, signal: AbortSignal): Promise<LogNumbers | undefined> {
  const types = await readActivityTypes(connection, signal);
  return types && numbersOf(types);
}

/** What the log itself calls its activities and their kinds of training. @returns and throws as `readNumbers` */
export async function readActivityTypes(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ActivityTypeRead[] | undefined> {
  const operation = ASSUMED_OPERATIONS.listActivityTypes;
  try {
    const { entries } = await getPage(
      connection,
      operation,
      { limit: LISTING_LIMIT, offset: 0 },
      decodeActivityType,
      signal,
    );
    return entries;
  } catch (error) {
    const isNotOffered = error instanceof TransferError && error.code === "api/http-404";
    if (error instanceof ItemError || isNotOffered) return undefined;
    throw error;
  }
}

/** An activity as a log lists it. */
export interface ActivityTypeRead {
  readonly activityID?: number;
  readonly activityName?: string;
  readonly workoutTypes?: readonly { readonly workoutID?: number; readonly workoutName?: string }[];
}

function decodeActivityType(value: unknown, remark: Remark): ActivityTypeRead {
  return readObject(value, "activity type", remark, (type) =>
    defined({
      activityID: type.number("activityID"),
      activityName: type.text("activityName"),
      workoutTypes: type.objects("workoutTypes", (workout) =>
        defined({ workoutID: workout.number("workoutID"), workoutName: workout.text("workoutName") }),
      ),
    }),
  );
}

function numbersOf(types: readonly ActivityTypeRead[]): LogNumbers {
  const activityIDs: Partial<Record<Activity, number>> = {};
  const workoutIDs: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = {};
  const named = types.map((type) => ({
    ...type,
    activity: type.activityName === undefined ? undefined : activityNamed(type.activityName),
  }));
  for (const { activityID, activity, workoutTypes = [] } of named) {
    const isShared = named.filter((other) => other.activity === activity).length > 1;
    if (activityID === undefined || activity === undefined || isShared) continue;
    activityIDs[activity] = activityID;
    const numbers: Partial<Record<WorkoutType, number>> = {};
    for (const { workoutID, workoutName } of workoutTypes) {
      const type = WORKOUT_TYPES.find((each) => each === workoutName?.trim().toLowerCase());
      if (type !== undefined && workoutID !== undefined) numbers[type] = workoutID;
    }
    workoutIDs[activity] = numbers;
  }
  return { activityIDs, workoutIDs };
}
