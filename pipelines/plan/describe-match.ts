import type { DuplicateMatch } from "../../transforms/duplicates.ts";

/** Why two workouts are one, in words: for the plan, and for whoever asks later. */
export function describeMatch(evidence: DuplicateMatch): string {
  const seconds =
    evidence.secondsApart === undefined ? undefined : `starts ${Math.round(evidence.secondsApart)} s apart`;
  const distance =
    evidence.distanceApart === undefined ? undefined : `distances ${(evidence.distanceApart * 100).toFixed(1)} % apart`;
  return `the same workout (${[evidence.rule, seconds, distance].filter((part) => part !== undefined).join(", ")})`;
}
