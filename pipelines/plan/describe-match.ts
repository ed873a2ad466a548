/** Says in words why two workouts count as one. */
import type { Likeness } from "../../transforms/matching/compare-facts.ts";
import { describeLikeness } from "../../transforms/matching/describe-likeness.ts";

/** Explains why two workouts are the same, with their score. The plan shows it, and `explain` shows it later. */
export function describePair(likeness: Likeness): string {
  return `the same workout (${describeLikeness(likeness)})`;
}
