/** Says in words why two workouts count as one. */
import type { Likeness } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../transforms/matching/describe-likeness.ts";

const MINUTE_MS = 60_000;

/** Explains why two workouts are the same, with their score. The plan shows it, and `explain` shows it later. */
export function describePair(likeness: Likeness): string {
  return `the same workout (${describeLikeness(likeness)})`;
}

/** How much a clock is to be set: `60 min later`. */
export function offsetInWords(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const span = minutes < 5 ? `${Math.round(Math.abs(ms) / 1_000)} s` : `${Math.round(minutes)} min`;
  return `${span} ${ms < 0 ? "earlier" : "later"}`;
}
