/** Says in words why two workouts count as one. */
import type { Likeness } from "../../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../../transforms/matching/describe-likeness.ts";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Explains why two workouts are the same, with their score. The plan shows it, and `explain` shows it later. */
export function describePair(likeness: Likeness): string {
  return `the same workout (${describeLikeness(likeness)})`;
}

/** How much a clock is to be set, in whole quarters of an hour where it is so to the minute: `60 min later`. @param ms milliseconds */
export function offsetInWords(ms: number): string {
  const quarters = Math.round(Math.abs(ms) / QUARTER_MS) * QUARTER_MS;
  // A table that leaves seconds out is half a minute early. That is no 61 minutes.
  const isQuarters = quarters > 0 && Math.abs(Math.abs(ms) - quarters) < MINUTE_MS;
  const minutes = (isQuarters ? quarters : Math.abs(ms)) / MINUTE_MS;
  const span = minutes < 5 ? `${Math.round(Math.abs(ms) / 1_000)} s` : `${Math.round(minutes)} min`;
  return `${span} ${ms < 0 ? "earlier" : "later"}`;
}
