/** Says in words why two workouts count as one. */
import type { DuplicateMatch } from "../../transforms/duplicates.ts";
import { LEAST_SCORE } from "../../transforms/matching/likeness.ts";
import type { Pair } from "./candidate-pairs.ts";

/** Explains why two workouts are the same, in words. The plan shows it, and `explain` shows it later. */
export function describeMatch(evidence: DuplicateMatch): string {
  const seconds =
    evidence.secondsApart === undefined ? undefined : `starts ${Math.round(evidence.secondsApart)} s apart`;
  const distance =
    evidence.distanceApart === undefined ? undefined : `distances ${(evidence.distanceApart * 100).toFixed(1)} % apart`;
  return `the same workout (${[evidence.rule, seconds, distance].filter((part) => part !== undefined).join(", ")})`;
}

/** Explains why two workouts of two sources are the same, with their score. */
export function describePair(pair: Pair): string {
  return `the same workout (${differencesOf(pair)})`;
}

/** How two workouts differ, and their score: `starts 12 s apart, distances 3.8 % apart, durations 0.1 % apart, score 19 (9 and more: one workout)`. */
export function differencesOf({ differences: { secondsApart, distanceApart, durationApart }, score }: Pair): string {
  const start = secondsApart === undefined ? "the same day" : `starts ${Math.round(secondsApart)} s apart`;
  const share = (name: string, apart: number | undefined) =>
    apart === undefined ? [] : [`${name} ${(apart * 100).toFixed(1)} % apart`];
  return [
    start,
    ...share("distances", distanceApart),
    ...share("durations", durationApart?.share),
    `score ${score}; ${LEAST_SCORE.one} is enough`,
  ].join(", ");
}
