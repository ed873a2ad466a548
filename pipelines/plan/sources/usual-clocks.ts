/**
 * Tells how far the clocks of two sources usually are apart, by what a third source shows of both. A watch that was set seven minutes fast is so for years,
 * and two sources may share one workout alone.
 */
import { FEWEST } from "../../../transforms/matching/clocks.ts";
import { assumedOf, type OnePair } from "./known-clocks.ts";

/** So large a share of the pairs of two sources must agree within these milliseconds. Of clocks that agree, fewer pairs tell: most do. */
const USUAL = { share: 0.9, withinMs: 200_000, fewestAgreeing: 2 } as const;

/** How much later the clock of the second source is usually to be set, in milliseconds; undefined where nothing tells. */
export type UsualClocks = (one: number, other: number) => number | undefined;

/** Reads the usual clocks of sources. @param pairs the workouts of two sources that are one */
export function usualClocks(pairs: Iterable<OnePair>): UsualClocks {
  const apart = new Map<number, Map<number, number[]>>();
  const note = (from: number, to: number, ms: number) => {
    const ofSource = apart.get(from) ?? new Map<number, number[]>();
    apart.set(from, ofSource);
    ofSource.set(to, [...(ofSource.get(to) ?? []), ms]);
  };
  for (const { one, other, ms } of pairs) {
    if (one.isTyped === true || other.isTyped === true) continue;
    if (one.facts.time === undefined || other.facts.time === undefined) continue;
    // An assumed local time is that of no clock. Two instants are compared as they are.
    const known = assumedOf(one, other)?.known;
    if (known !== undefined && known.facts.instant === undefined) continue;
    note(one.source, other.source, ms);
    note(other.source, one.source, -ms);
  }
  const direct = (from: number, to: number) => usualOf(apart.get(from)?.get(to) ?? []);
  return (one, other) => {
    for (const third of apart.keys()) {
      const [ours, theirs] = [direct(third, one), direct(third, other)];
      if (ours !== undefined && theirs !== undefined) return theirs - ours;
    }
    return undefined;
  };
}

/** The time that most pairs agree on. */
function usualOf(all: readonly number[]): number | undefined {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return undefined;
  const agreeing = all.filter((ms) => Math.abs(ms - middle) <= USUAL.withinMs).length;
  const fewest = Math.abs(middle) <= USUAL.withinMs ? USUAL.fewestAgreeing : FEWEST;
  return agreeing >= fewest && agreeing >= USUAL.share * all.length ? middle : undefined;
}
