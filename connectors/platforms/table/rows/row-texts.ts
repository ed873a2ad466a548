/** The kind of training and the notes of a row. */
import { WORKOUT_TYPES } from "../../../../transforms/activities.ts";
import type { UnsupportedValue, Workout } from "../../../../transforms/model/workout.ts";
import { fold } from "../columns/columns.ts";
import type { RowCells } from "../columns/row-cells.ts";
import type { Words } from "../lists/things.ts";

/** The kind of training, and a word for it that the log has none for: a line of the notes where its column has a label, and else a lost value. */
export interface KindOfTraining {
  readonly type: Workout["type"];
  readonly line: string | undefined;
  readonly lost: readonly UnsupportedValue[];
}

/** Reads the kind of training. */
export function typeOf(row: RowCells, words: Words): KindOfTraining {
  const cell = row.cell("type");
  if (cell === undefined) return { type: undefined, line: undefined, lost: [] };
  const { text: word, spec } = cell;
  const type = words.type.get(fold(word)) ?? WORKOUT_TYPES.find((each) => each === fold(word));
  if (type !== undefined) return { type, line: undefined, lost: [] };
  return spec?.label === undefined
    ? { type, line: undefined, lost: [{ field: "workout type", value: word }] }
    : { type, line: `${spec.label}: ${word}`, lost: [] };
}

/** The name of the course. A dash is none. */
export function courseOf(row: RowCells): string | undefined {
  const name = row.text("course");
  return name !== undefined && /[\p{L}\p{N}\p{S}]/u.test(name) ? name : undefined;
}

/**
 * Joins all columns of notes in the mapping's order. A column with a label becomes a line `Label: text`. A separator stands before its
 * column.
 *
 * @param line a last line of the notes
 */
export function notesOf(row: RowCells, line: string | undefined): string | undefined {
  const parts = row.cells("notes").map(({ text, spec }) => ({
    between: spec?.separator ?? "\n",
    text: spec?.label === undefined ? text : `${spec.label}: ${text}`,
  }));
  const all = line === undefined ? parts : [...parts, { between: "\n", text: line }];
  return all.reduce<string | undefined>(
    (before, { between, text }) => (before === undefined ? text : `${before}${between}${text}`),
    undefined,
  );
}
