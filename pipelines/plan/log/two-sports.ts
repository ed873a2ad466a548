/**
 * Finds one recording under two sports. Usually two sports mean two workouts. But nobody does two sports from the same second on, for the
 * same duration and distance. So an athlete corrected the sport on one platform, or two platforms call it by different names. If both were
 * loaded, the log could delete neither.
 */
import type { Activity } from "../../../transforms/activities.ts";
import {
  DUPLICATE_TOLERANCE,
  isSameRecording,
  matchDuplicates,
  mergeDuplicates,
  toFacts,
  type WorkoutFacts,
} from "../../../transforms/duplicates.ts";
import { MOST_CLOCKS_APART_MS } from "../../../transforms/matching/clocks.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import { chooseLine, isFixedByHand } from "../compare/choose-line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** Limit of lines around one start that are compared. A table may have the same start in every row. */
const MOST_AT_ONCE = 50;

interface Met {
  readonly line: WorkoutLine;
  readonly facts: WorkoutFacts;
}

/**
 * Settles the recordings that a plan has under two sports. The same device file in two sources is one workout, with the sport of the row.
 * In the other cases one of the two is held back, and its reason names both.
 *
 * Call this before the plan is compared with the log.
 */
export async function settleTwoSports(run: number, context: ComparisonContext): Promise<void> {
  // The lines come in the order of their starts, so possible duplicates are close together.
  let around: Met[] = [];
  for await (const line of context.journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const facts = timedFacts(line, context);
    if (facts === undefined) continue;
    around = around.filter((met) => clocksApart(met.facts, facts) <= MOST_CLOCKS_APART_MS / 1000);
    let isSettled = false;
    for (const other of around) {
      if (secondsApart(other.facts, facts) > DUPLICATE_TOLERANCE.seconds) continue;
      const settled = await settlePair(other, { line, facts }, context);
      if (settled === undefined) continue;
      around = around.filter((met) => met.line.seq !== settled);
      isSettled = settled === line.seq;
      break;
    }
    if (!isSettled) around = [...around, { line, facts }].slice(-MOST_AT_ONCE);
  }
}

/** Holds back workouts that the log already has under another sport. Call this after all other lines were recognised. */
export async function holdOtherSportsOfLog(run: number, context: ComparisonContext): Promise<void> {
  const { journal, settings, inUse } = context;
  const inLog = Object.entries(settings.activityIDs).filter(([, id]) => inUse?.has(id) !== false);
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const facts = timedFacts(line, context);
    if (facts === undefined || line.action !== "create" || isAllowed(line, context)) continue;
    const own = facts.activity && settings.activityIDs[facts.activity];
    for (const [activity, id] of inLog) {
      if (id === own) continue;
      const entries = await journal.logCandidates(run, { ...facts, activity: activity as Activity }, id);
      const same = entries.find((entry) => entry.facts !== undefined && isSameRecording(facts, entry.facts));
      if (same === undefined) continue;
      await hold(line, `${activity} in your log (${same.id})`, valuesOf(facts), context);
      break;
    }
  }
}

/**
 * The facts of a workout with a start and a known sport; undefined for others. It is also undefined for records from a log, because the log
 * itself keeps them apart.
 */
function timedFacts({ value, source }: WorkoutLine, { isOfLog }: ComparisonContext): WorkoutFacts | undefined {
  if (isOfLog?.(source) === true) return undefined;
  const facts = toFacts(value);
  return facts?.time === undefined || facts.activity === undefined ? undefined : facts;
}

/** @returns the number of the line that is now out of the plan; undefined when both stay */
async function settlePair(one: Met, other: Met, context: ComparisonContext): Promise<number | undefined> {
  if (one.facts.activity === other.facts.activity) return undefined;
  const isSame = isSameFile(one.line, other.line);
  if (!isSame && !isSameRecording(one.facts, other.facts)) return undefined;
  const chosen = await chooseLine(one.line, other.line, context);
  if (chosen === undefined) return undefined;
  const { kept, dropped } = chosen;
  // If the dropped line is a file without a row, all its values come from the device. The values of the row may be corrected, so they may
  // differ.
  const isOfDevice = context.sources[dropped.source]?.recordings === true;
  const isAgreed =
    isOfDevice || matchDuplicates(one.facts, { ...other.facts, activity: one.facts.activity }) !== undefined;
  if (isSame && isAgreed && kept.source !== dropped.source) await merge(kept, dropped, context);
  else {
    if (context.settings.allowImplausible === true) return undefined;
    const theirs = `${kept.value.activity} in ${describeOrigin(kept.origin)}`;
    await hold(dropped, theirs, isSame ? "the same device file" : valuesOf(one.facts), context);
  }
  return dropped.seq;
}

function valuesOf({ metres }: WorkoutFacts): string {
  return metres === undefined ? "the same start and duration" : "the same start, duration and distance";
}

function isSameFile({ value: a }: WorkoutLine, { value: b }: WorkoutLine): boolean {
  return a.track !== undefined && a.track.sha256 === b.track?.sha256 && a.track.recording === b.track.recording;
}

async function merge(kept: WorkoutLine, dropped: WorkoutLine, { journal, sources }: ComparisonContext): Promise<void> {
  const value = mergeDuplicates(kept.value, dropped.value, sources[dropped.source]?.recordings === true);
  await journal.patchLine(kept.run, kept.seq, { value, facts: toFacts(value) });
  await journal.patchLine(dropped.run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `the same device file (${dropped.value.activity} here, loaded as ${kept.value.activity}) as ${describeOrigin(kept.origin)}`,
  });
}

async function hold(line: WorkoutLine, theirs: string, by: string, { journal }: ComparisonContext): Promise<void> {
  const reason = `workout/two-sports (its sport is ${line.value.activity} here, and ${theirs}: ${by})`;
  await journal.patchLine(line.run, line.seq, { state: "quarantined", action: "none", reason });
}

function isAllowed(line: WorkoutLine, context: ComparisonContext): boolean {
  return context.settings.allowImplausible === true || isFixedByHand(line, context);
}

/** Seconds between two starts: between instants if both have one, else between wall clocks. */
function secondsApart(a: WorkoutFacts, b: WorkoutFacts): number {
  return a.instant === undefined || b.instant === undefined
    ? clocksApart(a, b)
    : Math.abs(a.instant - b.instant) / 1000;
}

function clocksApart(a: WorkoutFacts, b: WorkoutFacts): number {
  return Math.abs(Date.parse(`${a.date}T${a.time}Z`) - Date.parse(`${b.date}T${b.time}Z`)) / 1000;
}
