/** What second columns of one name are, as the rows of a table show it: `Distance (mi)` and, at the end of the header, `Distance (mi)` once more. */

/** The name of a second or third column of one name. */
const IS_SECOND = /#[23]$/;

/** Whether a column is the second or third one of its name. */
export function isSecond(name: string): boolean {
  return IS_SECOND.test(name);
}

/** The name that a second column has in the file. */
export function firstName(name: string): string {
  return name.replace(IS_SECOND, "");
}

/**
 * Remembers which second columns contradict the first one. Where they never do, a table may have its values in either. One other value shows that the
 * second column is something else: a sum, or what a person wrote beside the table. Then it fills no row.
 */
export class SecondColumns {
  readonly #others = new Set<string>();

  /** A row has a value in both columns, and they differ. */
  contradict(name: string): void {
    this.#others.add(name);
  }

  /** Whether a row that was read so far contradicts the column. The first pass over a table reads all rows. */
  isOther(name: string): boolean {
    return this.#others.has(name);
  }
}
