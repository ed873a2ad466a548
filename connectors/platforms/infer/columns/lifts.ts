/** Tells the weights that somebody lifted from the weight of the body. */
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";

/** Columns of a log of strength training. */
const OF_LIFTS =
  /^(?:exercises?|sets?|reps?|repetitions?|sets? ?(?:x|\/) ?reps?|ubung|ubungen|satze|wiederholungen|wdh|exercices?|series|repeticiones|ejercicios?|esercizi|esercizio|serie|ripetizioni|ovning|ovningar|oefening)$/;
/** The columns of exercises among them that count something. */
const OF_SETS =
  /^(?:sets?|reps?|repetitions?|sets? ?(?:x|\/) ?reps?|satze|wiederholungen|wdh|series|repeticiones|serie|ripetizioni)$/;

/** The column with the numbers of sets or repetitions; undefined if a table has none. */
export function setsColumn<T extends ColumnSample>(columns: readonly T[]): T | undefined {
  return columns.find(({ name, filled }) => filled.length > 0 && OF_SETS.test(foldHeader(name)));
}

/** Words for the weight of a body. */
const OF_BODY = /body|korper|corporel|corporal|corporeo|lichaam|kropp|krop|masse|体重/;

/** Whether a column of weights is what somebody lifted: it stands beside exercises, sets or repetitions, and names no body. */
export function isLifted({ name, meaning }: ColumnSample, columns: readonly ColumnSample[]): boolean {
  return (
    meaning.roles.includes("weight") &&
    !OF_BODY.test(foldHeader(name)) &&
    columns.some((other) => OF_LIFTS.test(foldHeader(other.name)))
  );
}
