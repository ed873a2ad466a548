/**
 * A shape changes the rows of a table before they are read: one row becomes several workouts, several rows one, or columns are added. A shape knows
 * the columns of the header that it gets, and gives the header of the rows that it makes.
 */

import type { SheetRow } from "../cells/sheet-row.ts";
import { fold, namesOf } from "../columns/columns.ts";
import type { HeaderProblem } from "../mapping/header-problem.ts";

/** A row with cells. */
export type FilledRow = Extract<SheetRow, { readonly fields: readonly string[] }>;

/** Rows in another form. */
export interface Shaped {
  readonly header: readonly string[];
  readonly rows: (rows: AsyncIterable<SheetRow>) => AsyncIterable<SheetRow>;
}

/** Makes rows of another form, or names what the header lacks: `layout.week.km: there is no column "Mon"`. */
export type Shape = (header: readonly string[]) => Shaped | { readonly errors: readonly HeaderProblem[] };

/** Applies shapes one after another. */
export function shapedBy(header: readonly string[], shapes: readonly Shape[]): ReturnType<Shape> {
  let shaped: Shaped = { header, rows: (rows) => rows };
  for (const shape of shapes) {
    const next = shape(shaped.header);
    if ("errors" in next) return next;
    const before = shaped.rows;
    shaped = { header: next.header, rows: (rows) => next.rows(before(rows)) };
  }
  return shaped;
}

/** Gives the place of a column by its name. Case and surrounding blanks don't count, and the second column of a name is `name#2`. */
export function indexesOf(header: readonly string[]): (name: string) => number | undefined {
  const indexes = new Map(namesOf(header).map((name, index) => [fold(name), index]));
  return (name) => indexes.get(fold(name));
}

/** Makes a function of rows from a function of one row. Faulty rows stay as they are. */
export function eachRow(
  make: (row: FilledRow) => readonly SheetRow[],
): (rows: AsyncIterable<SheetRow>) => AsyncIterable<SheetRow> {
  return async function* (rows) {
    for await (const row of rows) {
      if ("fields" in row) yield* make(row);
      else yield row;
    }
  };
}
