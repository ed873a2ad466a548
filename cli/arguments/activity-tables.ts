/** The owner's tables of sports and of the log's numbers. The config file and flags add to those that are built in. */
import { ACTIVITY_NAMES, type Activity, foldSport, type WorkoutType } from "../../transforms/activities.ts";
import { ACTIVITY_IDS, WORKOUT_IDS } from "../../transforms/assumptions.ts";
import { UsageError } from "../errors/exit-codes.ts";

/** The owner's tables, which override the built-in ones. */
export interface ActivityTables {
  readonly sports: ReadonlyMap<string, Activity>;
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
  readonly workoutIDs: Readonly<Partial<Record<Activity, Partial<Record<WorkoutType, number>>>>>;
  /** The numbers of `activityIDs` that the owner gave. They win over the numbers from the log. */
  readonly overrides?: Readonly<Partial<Record<Activity, number>>>;
}

/** The tables of somebody who gave none. */
export const BUILT_IN: ActivityTables = { sports: new Map(), activityIDs: ACTIVITY_IDS, workoutIDs: WORKOUT_IDS };

/**
 * Adds the pairs of `--sport NAME=ACTIVITY` and `--activity ACTIVITY=NUMBER` to the tables.
 *
 * @throws UsageError for a text that is not such a pair
 */
export function withFlags(
  tables: ActivityTables,
  sports: readonly string[],
  activities: readonly string[],
): ActivityTables {
  const map = new Map(tables.sports);
  for (const pair of sports) {
    const [, name, activity] = /^(.*)=([a-z]+)$/.exec(pair) ?? [];
    if (name === undefined || !isActivity(activity)) {
      throw new UsageError(
        `Cannot use --sport ${JSON.stringify(pair)}: expected NAME=ACTIVITY, the activity one of ${ACTIVITY_NAMES.join(", ")}`,
      );
    }
    map.set(foldSport(name), activity);
  }
  const overrides: Partial<Record<Activity, number>> = { ...tables.overrides };
  for (const pair of activities) {
    const [, activity, id] = /^([a-z]+)=(\d{1,9})$/.exec(pair) ?? [];
    if (!isActivity(activity) || id === undefined) {
      throw new UsageError(
        `Cannot use --activity ${JSON.stringify(pair)}: expected ACTIVITY=NUMBER, the activity one of ${ACTIVITY_NAMES.join(", ")}`,
      );
    }
    overrides[activity] = Number(id);
  }
  return { ...tables, sports: map, activityIDs: { ...tables.activityIDs, ...overrides }, overrides };
}

/** Whether a word of the owner is the name of an activity. */
export function isActivity(value: unknown): value is Activity {
  return ACTIVITY_NAMES.some((name) => name === value);
}
