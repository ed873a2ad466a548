/** Says which word of a mapping the header of a table does not fit. */
import { printable } from "../../../../transforms/text/printable.ts";
import { didYouMean } from "../../../../transforms/text/suggestions.ts";
import { fold } from "./fold.ts";

/** A word of a mapping that the header of its table doesn't fit. */
export interface HeaderProblem {
  /** The place in the mapping file, by its keys. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The error for a column that is not there. @param header the columns that are there; the nearest is suggested */
export function noColumn(path: readonly string[], name: string, header: readonly string[]): HeaderProblem {
  const known = new Map(header.map((column) => [fold(column), printable(column.trim(), 40)]));
  const near = didYouMean(fold(name), [...known.keys()], (column) => known.get(column) ?? column);
  return { path, message: `${path.join(".")}: there is no column ${JSON.stringify(name)}${near}` };
}

/** The error for a new column that has the name of another one; none if it has a name of its own. */
export function alreadyThere(
  path: readonly string[],
  name: string,
  indexOf: (name: string) => number | undefined,
): readonly HeaderProblem[] {
  if (indexOf(name) === undefined) return [];
  const where = [...path, name];
  return [{ path: where, message: `${where.join(".")}: the table has a column of this name already` }];
}
