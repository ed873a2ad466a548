/**
 * Finds the workouts of a plan that your log has in parts, and those that are the parts of one in your log. This comes after all pairs, as it does
 * between two sources.
 */
import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { compareAsTheyAre } from "../../../transforms/matching/compare-facts.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { notAddedTo } from "../compare/not-added.ts";
import { isOfSameTable } from "../compare/own-records.ts";
import { isSplitInLog, reasonOf } from "../pairs/describe-split.ts";
import { isOfParts } from "../pairs/pair-answers.ts";
import { type DaySpan, type PartsOf, partsBetween, partsOfDay, spanOfDay } from "../sources/split-recordings.ts";
import { type NamedSplit, remarkSplits } from "../sources/tell-splits.ts";

/** A workout of the plan, or a record of the log. */
interface Of extends DaySpan {
  readonly line?: WorkoutLine;
  readonly entry?: ClaimedEntry;
}

/** Finds them day by day. What is surely one, or is to count as one, is in the log already. The plan names the others. */
export async function findSplitsInLog(run: number, context: ComparisonContext): Promise<void> {
  const doubtful: NamedSplit[] = [];
  for await (const lines of openByDay(run, context)) {
    const records = await recordsOf(run, lines, context);
    if (records.length === 0) continue;
    for (const split of splitsOf(lines, records)) {
      if (await areApart(split, context)) continue;
      const isOne = verdictOf(split.score) === "one" || context.settings.doubtful === "one" || isSaid(split, context);
      if (isOne || (await wasOne(split, context))) await settle(split, context);
      else doubtful.push(named(split));
    }
  }
  await remarkSplits("plan/split-in-log", doubtful, context);
}

/** What both know by its time comes first. */
function splitsOf(lines: readonly Of[], records: readonly Of[]): readonly PartsOf<Of>[] {
  const byTime = partsBetween(lines.filter(isTimed), records.filter(isTimed));
  const taken = new Set(byTime.flatMap(({ whole, parts }) => [whole, ...parts]));
  const isFree = (of: Of) => !taken.has(of);
  return [...byTime, ...partsOfDay(lines.filter(isFree), records.filter(isFree))];
}

/** The workouts that the plan would make, day by day. */
async function* openByDay(run: number, { journal, isOfLog }: ComparisonContext): AsyncGenerator<readonly Of[]> {
  let [day, open]: [string | undefined, Of[]] = [undefined, []];
  // The lines come in the order of their days.
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    // A log itself keeps its workouts apart.
    if (line.kind !== "workout" || line.action !== "create" || isOfLog?.(line.source) === true) continue;
    const { date } = line.value.start;
    if (date !== day && open.length > 0) yield open;
    if (date !== day) [day, open] = [date, []];
    const facts = toFacts(line.value);
    const span = facts && spanOfDay(facts);
    if (span !== undefined) open.push({ ...span, line });
  }
  if (open.length > 0) yield open;
}

function isTimed({ facts }: Of): boolean {
  return facts.time !== undefined;
}

/** The free records of the log that may hold the workouts of a day, or be their parts. */
async function recordsOf(run: number, lines: readonly Of[], { journal, settings, inUse }: ComparisonContext) {
  const [first] = lines;
  if (first === undefined) return [];
  const sports = new Set(lines.map(({ activity }) => activity));
  const ofDay = { ...first.facts, instant: undefined };
  const records: Of[] = [];
  for (const [name, id] of Object.entries(settings.activityIDs)) {
    const activity = name as NonNullable<WorkoutFacts["activity"]>;
    // A triathlon may hold any sport, and be held by any.
    const isWanted = sports.has(activity) || sports.has("other") || (activity === "other" && sports.size > 1);
    if (!isWanted || inUse?.has(id) === false) continue;
    for (const entry of await journal.logCandidates(run, { ...ofDay, activity }, id)) {
      const span = entry.facts && spanOfDay(entry.facts);
      if (span !== undefined) records.push({ ...span, entry });
    }
  }
  return records;
}

/** Whether a person said of a part and the whole that they are one. */
function isSaid({ whole, parts }: PartsOf<Of>, { settings }: ComparisonContext): boolean {
  const all = [whole, ...parts];
  const claims = new Set(all.flatMap(({ entry }) => entry?.claimedBy ?? []));
  return all.some(({ line }) =>
    settings.manualDecisions?.pairs
      .onesOf(line?.key ?? "")
      .some((answer) => isOfParts(answer) && answer.records.some(({ key }) => claims.has(key))),
  );
}

/** Whether an earlier run found another row, which surely is the same workout as the whole, to be these parts of your log. */
async function wasOne({ whole, parts }: PartsOf<Of>, { journal }: ComparisonContext): Promise<boolean> {
  if (whole.line === undefined) return false;
  for (const { entry } of parts)
    for (const earlier of await journal.auditTrail.find({ remoteId: entry?.id ?? "" })) {
      if (earlier.kind !== "workout" || earlier.run === whole.line.run || !isSplitInLog(earlier)) continue;
      // Its size is that of the parts, and its start is its own.
      const facts = toFacts(earlier.value);
      if (facts !== undefined && verdictOf(compareAsTheyAre(whole.facts, facts).score) === "one") return true;
    }
  return false;
}

/** Whether two of them are two workouts: rows of one table, or by a person's word. */
async function areApart({ whole, parts }: PartsOf<Of>, { journal, settings }: ComparisonContext): Promise<boolean> {
  const [lines, entries] = [whole, ...parts].reduce<[WorkoutLine[], ClaimedEntry[]]>(
    ([some, others], { line, entry }) => [line ? [...some, line] : some, entry ? [...others, entry] : others],
    [[], []],
  );
  for (const line of lines)
    for (const entry of entries) {
      if (settings.manualDecisions?.pairs.areTwoInLog(line.key, entry) === true) return true;
      if (await isOfSameTable(line, entry, journal)) return true;
    }
  return false;
}

/** The lines are the record of the log, or its records. A record is counted once: the first line stands for it, and the others for parts of the first. */
async function settle(split: PartsOf<Of>, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  const all = [split.whole, ...split.parts];
  const [first, ...others] = all.flatMap(({ line }) => line ?? []);
  const entries = all.flatMap(({ entry }) => entry ?? []);
  const [entry] = entries;
  if (first === undefined || entry === undefined) return;
  for (const { id } of entries) await journal.claimLog("workout", id, first.key);
  const isWhole = split.whole.line !== undefined;
  const reason = `${reasonOf(isWhole ? "whole" : "part", split)} as ${entries.map(({ id }) => id).join(" and ")} in your log`;
  await journal.patchLine(first.run, first.seq, {
    ...{ state: "unchanged", action: "none", duplicateOf: entry.id, remoteId: entry.id },
    reason: `already in the log: ${reason}`,
    value: await asInLog(first, [entry, ...entries.slice(1)], context),
  });
  for (const { run, seq } of others)
    await journal.patchLine(run, seq, { state: "merged", action: "none", duplicateOf: first.key, reason });
}

/** What the log lacks is counted. The sums of the run count what the log has. */
async function asInLog(
  line: WorkoutLine,
  entries: readonly [ClaimedEntry, ...ClaimedEntry[]],
  context: ComparisonContext,
): Promise<Workout> {
  const { value = line.value } = await notAddedTo(line, entries[0], context);
  const [metres, seconds] = [sumOf(entries, "metres"), sumOf(entries, "seconds")];
  const { notAdded } = value;
  const values = notAdded?.values.filter(({ field }) => !OF_SIZE.has(field)) ?? [];
  const { notAdded: _all, ...own } = value;
  return {
    ...own,
    ...(notAdded !== undefined && values.length > 0 && { notAdded: { ...notAdded, values } }),
    ...(metres !== undefined && { distance: { unit: "m", value: metres } }),
    ...(seconds !== undefined && { duration: seconds }),
  };
}

/** The sum of a measure of records; undefined if one of them lacks it. */
function sumOf(entries: readonly ClaimedEntry[], measure: "metres" | "seconds"): number | undefined {
  return entries.reduce<number | undefined>((sum, { facts }) => {
    const value = facts?.[measure];
    return sum === undefined || value === undefined ? undefined : sum + value;
  }, 0);
}

/** A part has others than the whole. */
const OF_SIZE: ReadonlySet<string> = new Set(["distance", "duration", "time of day"]);

function named(split: PartsOf<Of>): NamedSplit {
  const nameOf = ({ line, entry }: Of) => (line ? describeOrigin(line.origin) : `${entry?.id} in your log`);
  return { split, whole: nameOf(split.whole), parts: split.parts.map(nameOf) };
}
