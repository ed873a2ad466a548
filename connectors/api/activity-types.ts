/** What a log calls its activities and workout types, where it says so: the numbers differ from log to log, the names hardly. */
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
 * What the log itself calls its activities and their kinds of training.
 *
 * @returns undefined where the service has no such listing, or one that can't be read
 * @throws what ends a run: the token is refused, the service is gone
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
    // A list of nothing is no list: nobody keeps a log without an activity.
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

/** Our name for an activity of a log. Its owner may call one by our very word, which no source calls a sport: `other`. */
export function activityCalled(name: string): Activity | undefined {
  return activityNamed(name) ?? ACTIVITY_NAMES.find((own) => own === foldSport(name));
}

/**
 * A log's numbers by our names. Of several activities that one name of ours fits, the one that has exactly this name gets it ("Run" beside
 * "Trail Run"), else none. `other` is no sport of its own, so only that name is it: a log's Golf is not where its owner's tennis goes.
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
