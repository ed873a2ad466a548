/**
 * Finds the log's number for each activity. The owner's setting comes first, then the log's own list, then the names on its workouts. The
 * last choice is the number that we assume for every log.
 */
import { type ActivityTypeRead, activityCalled, toNumbers } from "../../../connectors/api/activity-types.ts";
import type { LogNumbers } from "../../../connectors/api/from-wire.ts";
import { ACTIVITY_NAMES, type Activity, type WorkoutType } from "../../../transforms/activities.ts";
import { ACTIVITY_IDS, WORKOUT_IDS } from "../../../transforms/assumptions.ts";
import type { LogEntry } from "../../journal/remote-record.ts";

/** An activity of a log as it is shown to a person. */
export interface LogActivity {
  readonly activityID: number;
  /** The log's own name; undefined when the log doesn't show it. */
  readonly name: string | undefined;
}

/** The activity numbers that the records of a log use, with the log's names for them. */
export class ActivitiesInUse {
  readonly #names = new Map<number, string>();
  readonly #examples = new Map<number, string>();

  /** Notes the activity of a listed record. */
  see({ kind, id, activityID, activityName }: LogEntry): void {
    if (kind !== "workout" || activityID === undefined) return;
    if (activityName !== undefined) this.#names.set(activityID, activityName);
    else if (!this.#examples.has(activityID)) this.#examples.set(activityID, id);
  }

  /** One workout for each number without a listed name, at most `most`. A get of that workout shows the name. */
  unnamed(most: number): readonly { readonly activityID: number; readonly workout: string }[] {
    return [...this.#examples]
      .filter(([activityID]) => !this.#names.has(activityID))
      .slice(0, most)
      .map(([activityID, workout]) => ({ activityID, workout }));
  }

  name(activityID: number, name: string): void {
    this.#names.set(activityID, name);
  }

  /** The numbers of all activities seen, with and without a name. */
  numbers(): ReadonlySet<number> {
    return new Set([...this.#names.keys(), ...this.#examples.keys()]);
  }

  /** The named activities, in the form of the log's own list. */
  all(): readonly ActivityTypeRead[] {
    return [...this.#names].map(([activityID, activityName]) => ({ activityID, activityName }));
  }
}

/** A log's known activity numbers, by their origin. */
export interface NumberSources {
  /** The numbers that the log's owner set, today or before. */
  readonly overrides: LogNumbers;
  /** The log's own list; undefined if it has none. */
  readonly listed: readonly ActivityTypeRead[] | undefined;
  /** The activities that its records show, in the form of that list. */
  readonly inUse: readonly ActivityTypeRead[];
}

/** The numbers to plan with. An activity without a known number has none. */
export function findNumbers({ overrides, listed, inUse }: NumberSources): LogNumbers {
  const known = listed ?? inUse;
  const named = toNumbers(known);
  const activityIDs: Partial<Record<Activity, number>> = {};
  const workoutIDs: Partial<Record<Activity, Partial<Record<WorkoutType, number>>>> = {};
  for (const activity of ACTIVITY_NAMES) {
    const assumed = ACTIVITY_IDS[activity];
    const isAssumed = assumed !== undefined && mayAssume(activity, assumed, known, listed !== undefined);
    const number = overrides.activityIDs[activity] ?? named.activityIDs[activity] ?? (isAssumed ? assumed : undefined);
    if (number !== undefined) activityIDs[activity] = number;
    const types = listed?.find(({ activityID }) => activityID === number)?.workoutTypes;
    workoutIDs[activity] = {
      ...(types === undefined ? WORKOUT_IDS[activity] : named.workoutIDs[activity]),
      ...overrides.workoutIDs[activity],
    };
  }
  // A log may have activities that our tables lack. So the owner's numbers stay.
  return {
    activityIDs: { ...overrides.activityIDs, ...activityIDs },
    workoutIDs: { ...overrides.workoutIDs, ...workoutIDs },
  };
}

/** The log's activities by number, for a person to choose from. */
export function activitiesOfLog({ listed, inUse }: Omit<NumberSources, "overrides">): readonly LogActivity[] {
  return (listed ?? inUse)
    .flatMap(({ activityID, activityName }) => (activityID === undefined ? [] : [{ activityID, name: activityName }]))
    .sort((a, b) => a.activityID - b.activityID);
}

/**
 * Whether a number that we assume for every log can be right for this log. A complete list must contain the number. The number must not
 * have the name of another activity, because this would put runs among the swims. An unknown name is fine: the owner may have renamed the
 * activity.
 */
function mayAssume(
  activity: Activity,
  number: number,
  known: readonly ActivityTypeRead[],
  isWholeList: boolean,
): boolean {
  const there = known.find(({ activityID }) => activityID === number);
  if (there === undefined) return !isWholeList;
  const called = there.activityName === undefined ? undefined : activityCalled(there.activityName);
  return called === undefined || called === activity;
}
