/**
 * A plan that is carried out later meets another log than it was made for. Listed once before the first request leaves: a record
 * that appeared since and is one the plan would make is not made again. (One that went since is met when it is written over.)
 */

import {
  closerMatch,
  type DuplicateMatch,
  matchDuplicates,
  toFacts,
  type WorkoutFacts,
} from "../../transforms/duplicates.ts";
import type { Kind, WorkoutItem } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { type ListLog, trusted } from "../log/log-listing.ts";

/** Begins the reason of a line that was not carried out because the log is no longer as the plan saw it. */
export const LOG_CHANGED = "plan/log-changed";

/** What checking needs. */
export interface AssumptionContext {
  readonly journal: Journal;
  readonly list: ListLog;
}

/**
 * Compares the log as it is with the baseline of a plan. A workout that somebody put there since fails its line, which stays out;
 * equipment or a course that appeared is used as it is. Each record stands for one line: the other one of two equal workouts is still made.
 *
 * To be called when lost answers are settled: what they made is no stranger's. Kinds of which nothing is left to make, or that
 * the service can't list, cost no request.
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

/** Whether a run has records of a kind still to be made. */
export async function hasCreates(run: Run, kind: LogEntry["kind"], journal: Journal): Promise<boolean> {
  for await (const line of journal.lines(run.id, { state: ["planned"], kind })) if (isToMake(line)) return true;
  return false;
}

/** Whether a line is one that is to be made, and wasn't sent yet. */
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
  readonly evidence: DuplicateMatch;
}

/** Gives each newcomer the planned workout it is closest to, one each; those are not made. */
async function refuseDuplicates(run: Run, newcomers: readonly LogEntry[], journal: Journal): Promise<void> {
  const pairs: Pair[] = [];
  for (const entry of newcomers) pairs.push(...(await findDuplicateLines(run, entry, journal)));
  const taken = new Set<number | LogEntry>();
  for (const { line, entry, evidence } of pairs.sort((a, b) => closerMatch(a.evidence, b.evidence))) {
    if (taken.has(line.seq) || taken.has(entry)) continue;
    taken.add(line.seq).add(entry);
    await journal.patchLine(line.run, line.seq, {
      state: "failed",
      duplicateOf: entry.id,
      reason: `${LOG_CHANGED}: since the plan was made, the log has ${entry.id} (same ${evidence.rule}). Not sent, so that it isn't there twice. Plan again`,
    });
  }
}

/** The planned workouts that a record may be. */
async function findDuplicateLines(run: Run, entry: LogEntry, journal: Journal): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const facts of factsIn(run, entry)) {
    for (const line of await journal.duplicateCandidates(run.id, facts)) {
      const theirs = toFacts(line.value);
      const evidence = theirs && isToMake(line) ? matchDuplicates(facts, theirs) : undefined;
      if (evidence !== undefined) pairs.push({ line, entry, evidence });
    }
  }
  return pairs;
}

/** Facts of a record as a run's workouts have them. The log knows numbers; whichever of the run's activities has that number counts. */
export function factsIn(run: Run, { activityID, facts }: LogEntry): readonly WorkoutFacts[] {
  if (facts === undefined) return [];
  return Object.entries(run.options.activityIDs)
    .filter(([, number]) => number === activityID)
    .map(([activity]) => ({ ...facts, activity: activity as WorkoutItem["value"]["activity"] }));
}
