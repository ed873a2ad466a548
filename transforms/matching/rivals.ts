/** Finds the pairs that would do as well as a chosen one. Then nobody can tell which of them it is. */
import type { Candidate } from "./assignment.ts";

/** Scores that differ by less are equal. It is far below the difference that a value makes. */
const EQUAL_WITHIN = 1e-4;

/**
 * The candidates that share a record with a chosen pair, and with which the sum of the scores would be as high. The records that lose their partner by
 * that get each other's.
 *
 * @param chosen of `assign`, among `candidates`
 * @returns the rivals of a chosen pair
 */
export function rivalsAmong<T extends Candidate>(
  candidates: readonly T[],
  chosen: readonly T[],
): (pair: T) => readonly T[] {
  const scores = new Map(candidates.map(({ one, other, score }) => [`${one} ${other}`, score]));
  const byOne = Map.groupBy(candidates, ({ one }) => one);
  const byOther = Map.groupBy(candidates, ({ other }) => other);
  const chosenByOne = new Map(chosen.map((pair) => [pair.one, pair]));
  const chosenByOther = new Map(chosen.map((pair) => [pair.other, pair]));
  const isAsGood = (pair: T, rival: T, displaced: T | undefined) => {
    const swapped =
      displaced === undefined
        ? 0
        : (scores.get(rival.one === pair.one ? `${displaced.one} ${pair.other}` : `${pair.one} ${displaced.other}`) ??
          0);
    return rival.score + swapped >= pair.score + (displaced?.score ?? 0) - EQUAL_WITHIN;
  };
  return (pair) => [
    ...(byOther.get(pair.other) ?? []).filter(
      (rival) => rival.one !== pair.one && isAsGood(pair, rival, chosenByOne.get(rival.one)),
    ),
    ...(byOne.get(pair.one) ?? []).filter(
      (rival) => rival.other !== pair.other && isAsGood(pair, rival, chosenByOther.get(rival.other)),
    ),
  ];
}
