/** What the linking of a plan asks of its pairs. */
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { FoundPair } from "../../journal/links.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import type { Groups } from "../compare/groups.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import { BOTH_IN_LOG, type PairAnswers } from "../pairs/pair-answers.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { SettledPairs } from "./overlaps.ts";
import type { Split } from "./split-recordings.ts";

/** The plan whose sources are linked, and a person's answers about it. */
export type LinkingContext = ComparisonContext & { readonly answers: PairAnswers };

/** The keys of the workouts of some pairs. */
export function keysIn(pairs: Iterable<Pair>): ReadonlySet<string> {
  return new Set([...pairs].flatMap(({ one, other }) => [one.key, other.key]));
}

/** Of two that are one now, neither is perhaps one with another workout of the same two sources: takes such pairs out. */
export function dropDoubts(unsure: Set<Pair>, merged: readonly Pair[]): void {
  for (const { one, other } of merged)
    for (const pair of unsure)
      if (
        (pair.one === one && pair.other.source === other.source) ||
        (pair.other === other && pair.one.source === one.source)
      )
        unsure.delete(pair);
}

/** Whether any workout of a split is so. */
export function isAnyOf({ whole, parts }: Split, is: (workout: LinkedWorkout) => boolean): boolean {
  return [whole, ...parts].some(is);
}

/** A scored pair, as a journal keeps it. */
export function foundPair(pair: Pair, verdict: FoundPair["verdict"]): FoundPair {
  const { one, other, ms, differences, score, isClockUnproven, isTwiceInLog } = pair;
  const keys = { one: one.key, other: other.key };
  return { ...keys, verdict, ms, differences, score, isClockUnproven, ...defined({ isTwiceInLog }) };
}

/**
 * A pair that stays two until a person decides: it is doubtful, or the log has both. Undefined for another one.
 *
 * @param why why its records weren't merged
 */
export function undecided(pair: Pair, why: string | undefined): Pair | undefined {
  if (why === "doubtful") return pair;
  if (why !== BOTH_IN_LOG) return undefined;
  return verdictOf(pair.score) === "one" ? { ...pair, isTwiceInLog: true } : pair;
}

/** Pairs of several sources, the likeliest first. Of equal scores the closer values count. What is as close stays in the order of the sources. */
export function likeliestFirst(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => b.score - a.score || howFar(a) - howFar(b));
}

/** How far the distances and the durations of a pair are apart, in shares. */
function howFar({ differences: { distanceApart = 0, durationApart } }: Pair): number {
  return distanceApart + (durationApart?.share ?? 0);
}

/** Whether a workout is one with any of some others. */
export function isOneWith(groups: Groups, others: readonly LinkedWorkout[]): (workout: LinkedWorkout) => boolean {
  const roots = new Set(others.map(({ key }) => groups.rootOf(key)));
  return ({ key }) => roots.has(groups.rootOf(key));
}

/**
 * What of a plan is settled about workouts at one time.
 *
 * @param named pairs of the rest of the plan that are one, and what is named already: doubtful pairs and splits
 * @param isOfSplit whether a workout is a whole or a part that was found
 */
export function settledPairs(
  named: { readonly ones: readonly FoundPair[]; readonly doubtful: readonly Pair[]; readonly splits: readonly Split[] },
  context: { readonly groups: Groups; readonly answers: PairAnswers },
  isOfSplit: (key: string) => boolean,
): SettledPairs {
  const groups = context.groups.copy();
  for (const { one, other, parts = [] } of named.ones) for (const key of [other, ...parts]) groups.join(key, one);
  const ofSplits = new Set(named.splits.flatMap(({ whole, parts }) => [whole, ...parts].map(({ key }) => key)));
  return {
    ...{ groups, answers: context.answers },
    doubtful: named.doubtful.map(({ one, other }) => [one, other] as const),
    isOfSplit: (key) => ofSplits.has(key) || isOfSplit(key),
  };
}

/** The workouts of a plan that have other facts now, by their keys. */
export function withFacts(
  facts: ReadonlyMap<string, WorkoutFacts>,
  byKey: ReadonlyMap<string, LinkedWorkout>,
): readonly (readonly [string, LinkedWorkout])[] {
  return [...facts].flatMap(([key, now]) => {
    const workout = byKey.get(key);
    return workout === undefined ? [] : [[key, { ...workout, facts: now }] as const];
  });
}

/** Whether no other source gives a workout its start. Those that give none may share an instant with it, or know the day alone. */
export function isAlone(
  { key, isAssumed }: LinkedWorkout,
  groups: Groups,
  byKey: ReadonlyMap<string, LinkedWorkout>,
): boolean {
  if (groups.isOfOneSource(key)) return true;
  if (isAssumed !== true || groups.rootOf(key) !== key) return false;
  const members = [...groups.membersOf(key)].map((member) => byKey.get(member));
  return members.every((member) => member?.isAssumed === true || member?.facts.time === undefined);
}

/** All pairs of sources, in their order. */
export function pairsAmong(sources: readonly number[]): readonly (readonly [number, number])[] {
  return sources.flatMap((first, at) => sources.slice(at + 1).map((second) => [first, second] as const));
}
