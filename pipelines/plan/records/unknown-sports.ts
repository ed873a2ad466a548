/**
 * Settles workouts without a known sport: most GPX files name none. Each one waits until all sources were read, so that the order of
 * sources and files makes no difference. Then a duplicate with a known sport may give the sport, or the owner's answer for all such
 * workouts. If neither does, the workout is rejected, and a person can name its sport.
 */
import type { Activity } from "../../../transforms/activities.ts";
import { closerMatch, matchDuplicates, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Waiting, WaitingRoom } from "../../journal/waiting.ts";

/** The waiting workouts, and the functions that settle them. */
export interface UnknownSports {
  readonly waiting: WaitingRoom;
  /** Whether the owner named a sport for workouts whose source names none: `--sport "=run"`. */
  readonly hasSportForNone: boolean;
  /** Finds the activity of the same workout, among the workouts decided so far or in the log. */
  readonly findActivity: (waiting: Waiting) => Promise<Activity | undefined>;
  /** Decides about a workout with this activity. Without an activity, its sport stays unknown. */
  readonly decide: (waiting: Waiting, activity: Activity | undefined) => Promise<void>;
}

/** Decides about all waiting workouts. */
export async function settleUnknownSports(sports: UnknownSports): Promise<void> {
  const { waiting, hasSportForNone, findActivity, decide } = sports;
  for await (const one of waiting.all()) {
    const activity = await findActivity(one);
    if (activity === undefined) continue;
    await waiting.letGo(one.id);
    await decide(one, activity);
  }
  // The owner's answer applies only to the remaining workouts. A workout that turned out to be a ride stays a ride.
  if (hasSportForNone) {
    for await (const one of waiting.all()) {
      if (one.reading.value.sport !== undefined) continue;
      await waiting.letGo(one.id);
      await decide(one, undefined);
    }
  }
  for await (const one of waiting.all()) {
    await waiting.letGo(one.id);
    await decide(one, hasSportForNone ? await findActivity(one) : undefined);
  }
}

/**
 * The activity of the same workout in the log. It is undefined if the log doesn't have the workout, or has it under a number without a
 * known activity.
 */
export async function activityInLog(search: {
  readonly run: number;
  readonly journal: Journal;
  readonly facts: WorkoutFacts;
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
}): Promise<Activity | undefined> {
  const { run, journal, facts, activityIDs } = search;
  if ((await journal.logSize("workout")) === 0) return undefined;
  const found = [];
  for (const [name, id] of Object.entries(activityIDs)) {
    const activity = name as Activity;
    for (const entry of await journal.logCandidates(run, facts, id)) {
      const evidence = entry.facts === undefined ? undefined : matchDuplicates(facts, { ...entry.facts, activity });
      if (evidence !== undefined) found.push({ activity, evidence });
    }
  }
  return found.sort((a, b) => closerMatch(a.evidence, b.evidence))[0]?.activity;
}
