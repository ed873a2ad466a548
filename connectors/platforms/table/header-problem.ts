/** Says which word of a mapping the header of a table does not fit. */

/** A word of a mapping that the header of its table doesn't fit. */
export interface HeaderProblem {
  /** The place in the mapping file, by its keys. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The error for a column that is not there. */
export function noColumn(path: readonly string[], name: string): HeaderProblem {
  return { path, message: `${path.join(".")}: there is no column ${JSON.stringify(name)}` };
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
