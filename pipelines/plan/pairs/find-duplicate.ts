/** Finds the same workout among the lines of a run that were read so far. */
import type { Activity } from "../../../transforms/activities.ts";
import {
  closerMatch,
  type DuplicateMatch,
  matchDuplicates,
  toFacts,
  type WorkoutFacts,
} from "../../../transforms/duplicates.ts";
import { compareAsTheyAre, type Likeness } from "../../../transforms/matching/compare-facts.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, WorkoutLine } from "../../journal/line.ts";

/** The workout to find a duplicate of, and the run to search. */
export interface DuplicateSearch {
  readonly run: number;
  readonly journal: Journal;
  readonly facts: WorkoutFacts;
  /** The app that recorded it, in a source that collects from several. */
  readonly recorder: string | undefined;
  /** The source of this workout, and whether the workout is a bare recording. */
  readonly source: { readonly index: number; readonly recordings: boolean };
  /** Where to search. Default: in all sources. */
  readonly within?: "its source";
  /** Whether a person said that the workout and the one with this key are two. */
  readonly isAnother?: (key: string) => boolean;
  /** Keys of lines that are the same workout as another row already. */
  readonly taken?: ReadonlySet<string>;
  /** The activities that the duplicate may have. Default: the workout's own activity. */
  readonly activities?: Iterable<Activity>;
}

/**
 * Finds the planned line that is the same workout from another source. Two rows of one source are two workouts, even with equal values
 * (treadmill runs entered by hand). A recording and any other record are one workout, because nobody runs twice at once. So are two rows that different apps
 * recorded. A line takes at most one row of each source, and of each app in it.
 */
export async function findDuplicate(
  search: DuplicateSearch,
): Promise<{ line: WorkoutLine; likeness: Likeness } | undefined> {
  const { run, journal, facts, source, recorder } = search;
  // Rows of one app stay apart, so there is nothing to look for.
  if (search.within === "its source" && !source.recordings && recorder === undefined) return undefined;
  const activities = search.activities ?? (facts.activity === undefined ? [] : [facts.activity]);
  const found: { line: WorkoutLine; evidence: DuplicateMatch }[] = [];
  for (const activity of activities) {
    for (const line of await journal.duplicateCandidates(run, { ...facts, activity })) {
      if (search.within === "its source" && line.source !== source.index) continue;
      if (search.isAnother?.(line.key) === true) continue;
      if (!source.recordings && (isOfSame(line, search) || search.taken?.has(line.key) === true)) continue;
      const theirs = toFacts(line.value);
      const evidence = theirs === undefined ? undefined : matchDuplicates(facts, theirs);
      if (evidence === undefined) continue;
      if (!source.recordings && (await hasRowOfSame(line, search))) continue;
      found.push({ line, evidence });
    }
  }
  const [closest] = found.sort((a, b) => closerMatch(a.evidence, b.evidence));
  const theirs = closest && toFacts(closest.line.value);
  return theirs && { line: closest.line, likeness: compareAsTheyAre(facts, { ...theirs, activity: facts.activity }) };
}

/** Whether a line comes from the same source, and the same app in it. */
function isOfSame(line: Line, { source, recorder }: DuplicateSearch): boolean {
  if (line.source !== source.index) return false;
  return recorder === undefined || line.kind !== "workout" || line.value.recorder === recorder;
}

async function hasRowOfSame(line: WorkoutLine, search: DuplicateSearch): Promise<boolean> {
  const { run, journal, source, recorder } = search;
  if (!(await journal.hasDuplicateFrom(run, line.key, source.index))) return false;
  return recorder === undefined || (await journal.mergedInto(run, line.key)).some((merged) => isOfSame(merged, search));
}
