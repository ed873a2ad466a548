/**
 * Finds workouts that two sources have at different times, because one clock was off: a zone that was lost, summer time that was ignored, a watch
 * that drifts. One pair proves nothing. Many pairs that are apart by the same time do.
 */
import { asIfUtc } from "../../transforms/calendar.ts";
import {
  closerMatch,
  DUPLICATE_TOLERANCE,
  type DuplicateMatch,
  matchDuplicates,
  mergeDuplicates,
  toFacts,
  type WorkoutFacts,
} from "../../transforms/duplicates.ts";
import { clocksBetween } from "../../transforms/matching/clocks.ts";
import { describeOrigin, type Origin } from "../../transforms/model/issue.ts";
import type { Start, Workout } from "../../transforms/model/workout.ts";
import type { WorkoutLine } from "../journal/line.ts";
import { chooseLine } from "./choose-line.ts";
import type { ComparisonContext } from "./comparison.ts";
import { describeMatch } from "./describe-match.ts";

/** A workout of the plan that has no duplicate yet. */
interface Open {
  readonly key: string;
  readonly seq: number;
  readonly source: number;
  readonly origin: Origin;
  readonly facts: WorkoutFacts;
}

/** Two workouts that are one, if the second clock is set `ms` later. */
interface Pair {
  readonly one: Open;
  readonly other: Open;
  readonly ms: number;
  readonly evidence: DuplicateMatch;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Most times apart that the remark names. */
const MOST_SENTENCES = 6;

/** Durations so many seconds apart agree: many tables keep minutes. */
const SECONDS_OF_MINUTES = 61;

/**
 * Merges the workouts that two sources have at different times, where the clocks of both are apart by the same time in most of the workouts that
 * they may share. The plan says so for each pair of sources, with the counts.
 *
 * Call this before the plan is compared with the log.
 */
export async function settleClocks(run: number, context: ComparisonContext): Promise<void> {
  if (context.settings.trustClocks === true || context.sources.length < 2) return;
  const bySource = await openWorkouts(run, context);
  const sources = [...bySource.keys()].toSorted((a, b) => a - b);
  const merged = new Set<number>();
  const openOf = (source: number) => (bySource.get(source) ?? []).filter(({ seq }) => !merged.has(seq));
  const found: Pair[] = [];
  for (const [at, first] of sources.entries())
    for (const second of sources.slice(at + 1))
      for (const pair of closestPairs(openOf(first), openOf(second))) {
        const seq = await mergePair(run, pair, context);
        if (seq === undefined) continue;
        merged.add(seq);
        found.push(pair);
      }
  if (found.length > 0) await tellOffsets(found, context);
}

/** The planned workouts with a time of day and a known sport, by source. */
async function openWorkouts(run: number, { journal, isOfLog }: ComparisonContext): Promise<Map<number, Open[]>> {
  const bySource = new Map<number, Open[]>();
  for await (const { key, seq, source, origin, value } of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const facts = toFacts(value);
    // A log itself keeps its workouts apart.
    if (facts?.time === undefined || facts.activity === undefined || isOfLog?.(source) === true) continue;
    const open = { key, seq, source, origin, facts };
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [open]);
    else known.push(open);
  }
  return bySource;
}

/** The pairs of two sources that are one workout by their clocks, the closest first. Each workout is in one pair. */
function closestPairs(one: readonly Open[], other: readonly Open[]): readonly Pair[] {
  const clockOf = commonClock(one, other);
  const clocked = (all: readonly Open[]) =>
    all.flatMap((open) => {
      const wall = clockOf(open.facts);
      return wall === undefined ? [] : [{ ...open.facts, wall, open }];
    });
  const [ours, theirs] = [clocked(one), clocked(other)];
  const offsetAt = clocksBetween(ours, theirs);
  const byQuarter = Map.groupBy(theirs, ({ wall }) => Math.floor(wall / QUARTER_MS));
  const pairs: Pair[] = [];
  for (const a of ours) {
    const offset = offsetAt(a.wall);
    if (offset === undefined) continue;
    const quarter = Math.floor((a.wall - offset.ms) / QUARTER_MS);
    for (const near of [quarter - 1, quarter, quarter + 1])
      for (const b of byQuarter.get(near) ?? []) {
        const evidence = matchAtOffset(a, b, offset.ms);
        if (evidence !== undefined) pairs.push({ one: a.open, other: b.open, ms: offset.ms, evidence });
      }
  }
  const taken = new Set<Open>();
  return pairs
    .toSorted((a, b) => closerMatch(a.evidence, b.evidence))
    .filter(({ one: a, other: b }) => {
      if (taken.has(a) || taken.has(b)) return false;
      taken.add(a).add(b);
      return true;
    });
}

/** Reads the clock that both sources have: the instant if most workouts of both know it, else the time on the wall. */
function commonClock(one: readonly Open[], other: readonly Open[]): (facts: WorkoutFacts) => number | undefined {
  const knowInstants = [one, other].every(
    (all) => all.filter(({ facts }) => facts.instant !== undefined).length > all.length / 2,
  );
  return knowInstants ? ({ instant }) => instant : asIfUtc;
}

/** Compares two workouts after the second clock was set later. Distances and durations must agree as far as both are known. */
function matchAtOffset(
  a: WorkoutFacts & { readonly wall: number },
  b: WorkoutFacts & { readonly wall: number },
  ms: number,
): DuplicateMatch | undefined {
  const onOneClock = (facts: WorkoutFacts, wall: number): WorkoutFacts => {
    const iso = new Date(wall).toISOString();
    return { ...facts, date: iso.slice(0, 10), time: iso.slice(11, 19), instant: undefined };
  };
  if (a.seconds === undefined || b.seconds === undefined) return undefined;
  const apart = Math.abs(a.seconds - b.seconds);
  if (apart > SECONDS_OF_MINUTES && apart > DUPLICATE_TOLERANCE.duration * Math.max(a.seconds, b.seconds))
    return undefined;
  return matchDuplicates(onOneClock(a, a.wall), onOneClock(b, b.wall + ms));
}

/** @returns the number of the line that is now merged; undefined when both stay */
async function mergePair(
  run: number,
  { one, other, ms, evidence }: Pair,
  context: ComparisonContext,
): Promise<number | undefined> {
  const { journal, sources } = context;
  const [a, b] = [await journal.lineWithKey(run, one.key), await journal.lineWithKey(run, other.key)];
  if (a?.kind !== "workout" || b?.kind !== "workout" || a.state !== "planned" || b.state !== "planned")
    return undefined;
  // Two rows of one source are two workouts.
  if (await journal.hasDuplicateFrom(run, a.key, b.source)) return undefined;
  if (await journal.hasDuplicateFrom(run, b.key, a.source)) return undefined;
  const chosen = await chooseLine(a, b, context);
  if (chosen === undefined) return undefined;
  const { kept, dropped } = chosen;
  const merged = mergeDuplicates(kept.value, dropped.value, sources[dropped.source]?.recordings === true);
  const value: Workout = { ...merged, start: surerStart(kept, dropped) };
  await journal.patchLine(run, kept.seq, { value, facts: toFacts(value) });
  const later = one.seq === kept.seq ? ms : -ms;
  await journal.patchLine(run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${describeMatch(evidence)} as ${describeOrigin(kept.origin)}, once its clock is set ${inWords(later)}`,
  });
  return dropped.seq;
}

/** The start that knows its instant: a device has it from satellites. Of two such starts, or none, that of the line that stays. */
function surerStart({ value: kept }: WorkoutLine, { value: dropped }: WorkoutLine): Start {
  return kept.start.instant === undefined && dropped.start.instant !== undefined ? dropped.start : kept.start;
}

/** Says how far the clocks of the sources are apart, with the number of workouts that show it: the most workouts first. */
async function tellOffsets(pairs: readonly Pair[], { sources, report }: ComparisonContext): Promise<void> {
  const groups = Map.groupBy(
    pairs,
    ({ one, other, ms }) => `${one.source} ${other.source} ${Math.round(ms / QUARTER_MS)}`,
  );
  const sentences = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const days = group.map(({ one }) => one.facts.date).toSorted();
      const middle = group.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(group.length / 2)] ?? 0;
      const [ours, theirs] = [group[0]?.one.source ?? 0, group[0]?.other.source ?? 0].map((at) => sources[at]?.name);
      const workouts = group.length === 1 ? "1 workout" : `${group.length} workouts`;
      return `${theirs} has ${workouts} of ${ours} ${inWords(-middle)}, from ${days[0]} to ${days.at(-1)}`;
    });
  const rest = sentences.length > MOST_SENTENCES ? [`and ${sentences.length - MOST_SENTENCES} more such times`] : [];
  await report({
    severity: "warning",
    rule: "plan/clocks-apart",
    found: [...sentences.slice(0, MOST_SENTENCES), ...rest].join("; "),
    expected: "clocks that agree: each pair counts as one workout; if they are two, plan again with --trust-clocks",
  });
}

/** `60 min later` */
function inWords(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const span = minutes < 5 ? `${Math.round(Math.abs(ms) / 1_000)} s` : `${Math.round(minutes)} min`;
  return `${span} ${ms < 0 ? "earlier" : "later"}`;
}
