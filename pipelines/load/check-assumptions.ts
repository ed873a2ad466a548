/**
 * Compares the log with a plan that is carried out later, because the log may have changed since. It lists the log once before the first
 * request. If a new record equals one that the plan would make, logferry does not make it again. (Overwriting finds the records that are
 * gone since.)
 */

import { toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { compareAsTheyAre, isSure, type Likeness } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../transforms/matching/describe-likeness.ts";
import type { Kind, WorkoutItem } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { SourceSteps } from "../journal/source-steps.ts";
import { type ListLog, trusted } from "../log/log-listing.ts";

/** Begins the reason of a line that logferry did not carry out because the log changed since the plan was made. */
export const LOG_CHANGED = "plan/log-changed";

/** What checking needs. */
export interface AssumptionContext {
  readonly journal: Journal;
  readonly list: ListLog;
}

/**
 * Compares the log with the baseline of a plan. If somebody added a workout since, its line fails and is not sent. If equipment or a course
 * was added, the line uses that record. Each record stands for one line: of two equal workouts in the plan, the second one is still made.
 *
 * Call this after lost answers are settled: records that they made are ours. A kind costs no request if the plan makes none of it, or if
 * the service can't list it.
 *
 * @throws FatalError `log/listing-in-doubt` when the log's listing can't be trusted
 */
export async function checkAssumptions(
  run: Run,
  { journal, list }: AssumptionContext,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<void> {
  for (const kind of kinds) {
    if (!(await hasCreates(run, kind, journal))) continue;
    const listing = await list(kind, signal);
    if (listing === undefined) continue;
    await journal.takeListing(trusted(kind, listing), false);
    const newcomers = await journal.appeared(kind);
    if (kind === "workout") await refuseDuplicates(run, newcomers, journal);
    else for (const entry of newcomers) await useInstead(run, kind, entry, journal);
  }
}

/** Whether a run still has records of a kind to make. */
export async function hasCreates(run: Run, kind: LogEntry["kind"], journal: Journal): Promise<boolean> {
  for await (const line of journal.lines(run.id, { state: ["planned"], kind })) if (isToMake(line)) return true;
  return false;
}

/** Whether a line will create a record, and was not sent yet. */
export function isToMake({ state, action, remoteId }: Line): boolean {
  return state === "planned" && action === "create" && remoteId === undefined;
}

async function useInstead(run: Run, kind: "equipment" | "course", entry: LogEntry, journal: Journal): Promise<void> {
  const line = entry.identity === undefined ? undefined : await journal.lineWithIdentity(run.id, kind, entry.identity);
  if (line === undefined || !isToMake(line)) return;
  await journal.claimLog(kind, entry.id, line.key);
  await journal.patchLine(line.run, line.seq, {
    state: "unchanged",
    action: "none",
    duplicateOf: entry.id,
    remoteId: entry.id,
    reason: "already in the log, since after the plan was made",
  });
}

interface Pair {
  readonly line: Line;
  readonly entry: LogEntry;
  readonly likeness: Likeness;
}

/** Pairs each new record with the likeliest planned workout, one to one. These workouts are not made. */
async function refuseDuplicates(run: Run, newcomers: readonly LogEntry[], journal: Journal): Promise<void> {
  const pairs: Pair[] = [];
  const steps = new SourceSteps(journal);
  for (const entry of newcomers) pairs.push(...(await findDuplicateLines(run, entry, journal, steps)));
  const taken = new Set<number | LogEntry>();
  for (const { line, entry, likeness } of pairs.sort((a, b) => b.likeness.score - a.likeness.score)) {
    if (taken.has(line.seq) || taken.has(entry)) continue;
    taken.add(line.seq).add(entry);
    await journal.patchLine(line.run, line.seq, {
      state: "failed",
      duplicateOf: entry.id,
      reason: `${LOG_CHANGED}: since the plan was made, the log has ${entry.id} (${describeLikeness(likeness)}). Not sent, so that it isn't there twice. Plan again`,
    });
  }
}

/** The planned workouts that may equal a record. */
async function findDuplicateLines(
  run: Run,
  entry: LogEntry,
  journal: Journal,
  sourceSteps: SourceSteps,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const facts of factsIn(run, entry)) {
    for (const line of await journal.duplicateCandidates(run.id, facts)) {
      const theirs = toFacts(line.value);
      if (theirs === undefined || !isToMake(line)) continue;
      const steps = [undefined, await sourceSteps.ofWorkout(line, theirs)] as const;
      const likeness = compareAsTheyAre(facts, theirs, { steps });
      if (isSure(likeness)) pairs.push({ line, entry, likeness });
    }
  }
  return pairs;
}

/** The facts of a log record, once for each activity of the run that has its number. The log gives only the number of an activity. */
export function factsIn(run: Run, { activityID, facts }: LogEntry): readonly WorkoutFacts[] {
  if (facts === undefined) return [];
  return Object.entries(run.options.activityIDs)
    .filter(([, number]) => number === activityID)
    .map(([activity]) => ({ ...facts, activity: activity as WorkoutItem["value"]["activity"] }));
}
