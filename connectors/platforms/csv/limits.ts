/** What a mapping file may say, as far as reading a table needs it: the parser of the file, which is heavy, is loaded for one only. */
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

/** Largest mapping file that is read, in bytes: a long hand-written one has five thousand. */
export const MAPPING_BYTES = 64 * 1024;
