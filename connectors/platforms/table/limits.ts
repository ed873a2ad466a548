/**
 * Limits and words of a description that reading a table needs. The code that checks a description is large, so it is loaded only for a
 * mapping file.
 */
import type { WorkoutType } from "../../../transforms/activities.ts";

/** The training types of the model, for checking `values.type`. */
export const WORKOUT_TYPES = [
  "easy",
  "fartlek",
  "hill",
  "interval",
  "long",
  "race",
  "tempo",
] as const satisfies readonly WorkoutType[];

/** Longest pattern of a rule, in characters; also the number of characters of a cell that a pattern sees. */
export const PATTERN_CHARACTERS = 200;
