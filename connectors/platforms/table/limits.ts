/** What a description may say, as far as reading a table needs it: what checks it, which is heavy, is loaded for a mapping file only. */
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

/** Longest pattern of a rule, in characters, and how much of a cell it is shown. */
export const PATTERN_CHARACTERS = 200;
