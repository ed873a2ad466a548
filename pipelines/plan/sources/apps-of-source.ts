/**
 * Finds the apps of one source whose workouts are to be compared with each other. A phone's health store collects from a watch, from the phone and from the
 * apps of several platforms, and each of them writes the same run in its own way.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";

const DAY_MS = 86_400_000;

/** The apps with the most workouts are compared. A person has a few. A damaged export may have one for each workout. */
const MOST_APPS = 30;

/** The workouts of two apps, on the days on which both have one. */
export type TwoApps = readonly [readonly LinkedWorkout[], readonly LinkedWorkout[]];

/**
 * Gives each two apps that have workouts on the same days, or on neighbouring ones.
 *
 * @param workouts of one source. Those that name no app are left out
 */
export function pairsOfApps(workouts: readonly LinkedWorkout[]): readonly TwoApps[] {
  const named = workouts.filter(({ recorder }) => recorder !== undefined);
  const apps = [...Map.groupBy(named, ({ recorder }) => recorder).values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_APPS)
    .map((ofApp) => ({ ofApp, days: new Set(ofApp.map(dayOf)) }));
  return apps.flatMap((one, at) =>
    apps.slice(at + 1).flatMap((other): TwoApps[] => {
      const ours = one.ofApp.filter(isNear(other.days));
      return ours.length === 0 ? [] : [[ours, other.ofApp.filter(isNear(one.days))]];
    }),
  );
}

function dayOf({ facts: { date } }: LinkedWorkout): number {
  return Math.floor(asIfUtc({ date }) / DAY_MS);
}

function isNear(days: ReadonlySet<number>): (workout: LinkedWorkout) => boolean {
  return (workout) => [-1, 0, 1].some((by) => days.has(dayOf(workout) + by));
}
