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
import { clocksBetween, durationsAgree } from "../../transforms/matching/clocks.ts";
import { describeOrigin, type Origin } from "../../transforms/model/issue.ts";
import type { Start, Workout } from "../../transforms/model/workout.ts";
import type { WorkoutLine } from "../journal/line.ts";
import { chooseLine } from "./choose-line.ts";
import type { ComparisonContext } from "./comparison.ts";
import { describeMatch } from "./describe-match.ts";
import { Groups } from "./groups.ts";

/** A workout of a source, with its time of day. */
interface Timed {
  readonly key: string;
  readonly source: number;
  readonly origin: Origin;
  readonly facts: WorkoutFacts;
}

/** Two workouts that are one, if the second clock is set `ms` later. */
interface Pair {
  readonly one: Timed;
  readonly other: Timed;
  readonly ms: number;
  readonly evidence: DuplicateMatch;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Most times apart that the remark names. */
const MOST_SENTENCES = 6;

/**
 * Merges the workouts that two sources have at different times, where the clocks of both are apart by the same time in most of the workouts that
 * they may share. The plan says so for each pair of sources, with the counts.
 *
 * Call this before the plan is compared with the log.
 */
export async function settleClocks(run: number, context: ComparisonContext): Promise<void> {
  if (context.settings.trustClocks === true || context.sources.length < 2) return;
  const { bySource, groups } = await timedWorkouts(run, context);
  const sources = [...bySource.keys()].toSorted((a, b) => a - b);
  // What the plan merged before says that two clocks agree. It is nothing to learn how they are apart from.
  const before = groups.copy();
  const found: Pair[] = [];
  for (const [at, first] of sources.entries())
    for (const second of sources.slice(at + 1)) {
      const without = (source: number, other: number, known: Groups) =>
        (bySource.get(source) ?? []).filter(({ key }) => !known.sourcesOf(key).has(other));
      const [ours, theirs] = [without(first, second, before), without(second, first, before)];
      const pairs = pairsAt(clocksOf(ours, theirs), without(first, second, groups), without(second, first, groups));
      for (const pair of pairs) if (await mergePair(run, pair, { ...context, groups })) found.push(pair);
    }
  if (found.length > 0) await tellOffsets(found, context);
}

/** The workouts with a time of day and a known sport, by source, and which of them are one already. */
async function timedWorkouts(
  run: number,
  { journal, isOfLog }: ComparisonContext,
): Promise<{ readonly bySource: ReadonlyMap<number, readonly Timed[]>; readonly groups: Groups }> {
  const bySource = new Map<number, Timed[]>();
  const groups = new Groups();
  const states = ["planned", "merged"] as const;
  for await (const line of journal.lines(run, { state: states, kind: "workout" })) {
    const { key, source, origin, value, duplicateOf } = line;
    // A log itself keeps its workouts apart.
    if (isOfLog?.(source) === true) continue;
    groups.add(key, source, line.state === "merged" ? duplicateOf : undefined);
    const facts = toFacts(value);
    if (facts?.time === undefined || facts.activity === undefined) continue;
    const timed = { key, source, origin, facts };
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [timed]);
    else known.push(timed);
  }
  return { bySource, groups };
}

/** The common clock of two sources, and how far it is apart around an instant. */
interface Clocks {
  readonly of: (facts: WorkoutFacts) => number | undefined;
  readonly apartAt: (wall: number) => number | undefined;
}

function clocksOf(one: readonly Timed[], other: readonly Timed[]): Clocks {
  const of = commonClock(one, other);
  return { of, apartAt: clocksBetween(clocked(one, of), clocked(other, of)) };
}

function clocked(all: readonly Timed[], of: Clocks["of"]) {
  return all.flatMap((timed) => {
    const wall = of(timed.facts);
    return wall === undefined ? [] : [{ ...timed.facts, wall, timed }];
  });
}

/** The pairs of two sources that are one workout by their clocks, the closest first. Each workout is in one pair. */
function pairsAt({ of, apartAt }: Clocks, one: readonly Timed[], other: readonly Timed[]): readonly Pair[] {
  const byQuarter = Map.groupBy(clocked(other, of), ({ wall }) => Math.floor(wall / QUARTER_MS));
  const pairs: Pair[] = [];
  for (const a of clocked(one, of)) {
    const ms = apartAt(a.wall);
    if (ms === undefined) continue;
    const quarter = Math.floor((a.wall - ms) / QUARTER_MS);
    for (const near of [quarter - 1, quarter, quarter + 1])
      for (const b of byQuarter.get(near) ?? []) {
        const evidence = matchAtOffset(a, b, ms);
        if (evidence !== undefined) pairs.push({ one: a.timed, other: b.timed, ms, evidence });
      }
  }
  const taken = new Set<Timed>();
  return pairs
    .toSorted((a, b) => closerMatch(a.evidence, b.evidence))
    .filter(({ one: a, other: b }) => {
      if (taken.has(a) || taken.has(b)) return false;
      taken.add(a).add(b);
      return true;
    });
}

/** Reads the clock that both sources have: the instant if most workouts of both know it, else the time on the wall. */
function commonClock(one: readonly Timed[], other: readonly Timed[]): (facts: WorkoutFacts) => number | undefined {
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
  if (!durationsAgree(a.seconds, b.seconds, DUPLICATE_TOLERANCE.duration)) return undefined;
  return matchDuplicates(onOneClock(a, a.wall), onOneClock(b, b.wall + ms));
}

/**
 * Merges the two workouts of a pair, or those that they were merged into before. Two rows of one source stay two workouts.
 *
 * @returns whether it did
 */
async function mergePair(
  run: number,
  { one, other, ms, evidence }: Pair,
  { groups, ...context }: ComparisonContext & { readonly groups: Groups },
): Promise<boolean> {
  const { journal, sources } = context;
  const [ofOne, ofOther] = [groups.rootOf(one.key), groups.rootOf(other.key)];
  const theirs = groups.sourcesOf(ofOther);
  if (ofOne === ofOther || [...groups.sourcesOf(ofOne)].some((source) => theirs.has(source))) return false;
  const [a, b] = [await journal.lineWithKey(run, ofOne), await journal.lineWithKey(run, ofOther)];
  if (a?.kind !== "workout" || b?.kind !== "workout" || a.state !== "planned" || b.state !== "planned") return false;
  const chosen = await chooseLine(a, b, context);
  if (chosen === undefined) return false;
  const { kept, dropped } = chosen;
  const merged = mergeDuplicates(kept.value, dropped.value, sources[dropped.source]?.recordings === true);
  const value: Workout = { ...merged, start: surerStart(kept, dropped) };
  await journal.patchLine(run, kept.seq, { value, facts: toFacts(value) });
  const later = kept.key === ofOne ? ms : -ms;
  await journal.patchLine(run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${describeMatch(evidence)} as ${describeOrigin(kept.origin)}, once its clock is set ${inWords(later)}`,
  });
  groups.join(dropped.key, kept.key);
  return true;
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
