/**
 * Workouts whose sport nobody knows: most GPX files name none. Each waits until all sources were read, so that the order of sources and
 * files decides nothing. It is then the same as another one, whose sport is known, or what the owner says of all that name none, or
 * is rejected for a person to say.
 */
import type { Activity } from "../../transforms/activities.ts";
import { closerMatch, matchDuplicates, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Journal } from "../journal/journal.ts";
import type { Waiting, WaitingRoom } from "../journal/waiting.ts";

/** What settling needs. */
export interface UnknownSports {
  readonly waiting: WaitingRoom;
  /** What the owner says of workouts whose source names no sport: `--sport "=run"`. */
  readonly sportForNone: Activity | undefined;
  /** The activity of the same workout where it is known: among what was decided about so far, or in the log. */
  readonly findActivity: (waiting: Waiting) => Promise<Activity | undefined>;
  /** Decides about a workout, as one of this activity; without one its sport stays unknown. */
  readonly decide: (waiting: Waiting, activity: Activity | undefined) => Promise<void>;
}

/** Decides about everything that waits. */
export async function settleUnknownSports(sports: UnknownSports): Promise<void> {
  const { waiting, sportForNone, findActivity, decide } = sports;
  for await (const one of waiting.all()) {
    const activity = await findActivity(one);
    if (activity === undefined) continue;
    await waiting.letGo(one.id);
    await decide(one, activity);
  }
  // What the owner says is said of what is left, and not of what was found to be a ride.
  if (sportForNone !== undefined) {
    for await (const one of waiting.all()) {
      if (one.reading.value.sport !== undefined) continue;
      await waiting.letGo(one.id);
      await decide(one, undefined);
    }
  }
  for await (const one of waiting.all()) {
    await waiting.letGo(one.id);
    await decide(one, sportForNone === undefined ? undefined : await findActivity(one));
  }
}

/** The activity of the log's own record of a workout; undefined where the log has none, or under a number that has no name. */
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
