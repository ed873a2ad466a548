/**
 * Reads the log's own names and numbers for activities and workout types, if it lists them. The numbers differ from log to log, the names
 * hardly.
 */
import {
  ACTIVITY_NAMES,
  type Activity,
  activityNamed,
  foldSport,
  WORKOUT_TYPES,
  type WorkoutType,
} from "../../transforms/activities.ts";
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { defined } from "../../transforms/model/defined.ts";
import { ItemError, TransferError } from "../errors.ts";
import { getPage } from "./call.ts";
import type { Connection } from "./connection.ts";
import { type Remark, readObject } from "./fields.ts";
import type { LogNumbers } from "./from-wire.ts";
import { ASSUMED_OPERATIONS } from "./operations.ts";

/**
 * Reads the log's own list of activities and their workout types.
 *
 * @returns undefined if the service has no such listing, or an unreadable one
 * @throws the errors that end a run: the token is refused, the service is gone
 */
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
    // An empty list doesn't count, because every log has at least one activity.
    return entries.length === 0 ? undefined : entries;
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

/** Finds our name for an activity of a log. Its owner may use our word `other`, which no source uses for a sport. */
export function activityCalled(name: string): Activity | undefined {
  return activityNamed(name) ?? ACTIVITY_NAMES.find((own) => own === foldSport(name));
}

/**
 * Maps our names to the log's numbers. If one of our names fits several activities, the activity with exactly this name gets it ("Run"
 * beside "Trail Run"), else none does. `other` is not a sport, so only an activity of exactly that name gets it. Otherwise the owner's
 * tennis would go to the log's Golf.
 */
export function toNumbers(types: readonly ActivityTypeRead[]): LogNumbers {
  const activityIDs: Partial<Record<Activity, number>> = {};
  const workoutIDs: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = {};
  const named = types.map((type) => ({
    ...type,
    activity: type.activityName === undefined ? undefined : activityCalled(type.activityName),
  }));
  const isExact = ({ activity, activityName = "" }: (typeof named)[number]) => foldSport(activityName) === activity;
  for (const one of named) {
    const { activityID, activity, workoutTypes = [] } = one;
    const alike = named.filter((other) => other.activity === activity);
    const exact = alike.filter(isExact);
    const isAlone = alike.length === 1 && activity !== "other";
    const isIt = isAlone || (exact.length === 1 && exact[0] === one);
    if (activityID === undefined || activity === undefined || !isIt) continue;
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
