import type { DuplicateMatch } from "../../transforms/duplicates.ts";

/** Explains why two workouts are the same, in words. The plan shows it, and `explain` shows it later. */
export function describeMatch(evidence: DuplicateMatch): string {
  const seconds =
    evidence.secondsApart === undefined ? undefined : `starts ${Math.round(evidence.secondsApart)} s apart`;
  const distance =
    evidence.distanceApart === undefined ? undefined : `distances ${(evidence.distanceApart * 100).toFixed(1)} % apart`;
  return `the same workout (${[evidence.rule, seconds, distance].filter((part) => part !== undefined).join(", ")})`;
}
