/** Whether another source of a run has a workout already. */
import type { Activity } from "../../transforms/activities.ts";
import {
  closerMatch,
  type DuplicateMatch,
  matchDuplicates,
  toFacts,
  type WorkoutFacts,
} from "../../transforms/duplicates.ts";
import type { Journal } from "../journal/journal.ts";
import type { WorkoutLine } from "../journal/line.ts";

/** What is looked for, and where. */
export interface DuplicateSearch {
  readonly run: number;
  readonly journal: Journal;
  readonly facts: WorkoutFacts;
  /** The source of the workout that is looked for, and whether its workouts are bare recordings. */
  readonly source: { readonly index: number; readonly recordings: boolean };
  /** What the other may be; the workout's own activity where left out. */
  readonly activities?: Iterable<Activity>;
}

/**
 * The planned line that is this workout from another source. Two rows of one source are two workouts, however alike
 * (treadmill runs by hand); two recordings are one, since nobody runs twice at once. A row takes one row of each source.
 */
export async function findDuplicate(
  search: DuplicateSearch,
): Promise<{ line: WorkoutLine; evidence: DuplicateMatch } | undefined> {
  const { run, journal, facts, source } = search;
  const activities = search.activities ?? (facts.activity === undefined ? [] : [facts.activity]);
  const found: { line: WorkoutLine; evidence: DuplicateMatch }[] = [];
  for (const activity of activities) {
    for (const line of await journal.duplicateCandidates(run, { ...facts, activity })) {
      if (line.source === source.index && !source.recordings) continue;
      const theirs = toFacts(line.value);
      const evidence = theirs === undefined ? undefined : matchDuplicates(facts, theirs);
      if (evidence === undefined) continue;
      if (!source.recordings && (await journal.hasDuplicateFrom(run, line.key, source.index))) continue;
      found.push({ line, evidence });
    }
  }
  return found.sort((a, b) => closerMatch(a.evidence, b.evidence))[0];
}
