/** Columns that no description has, and that show themselves only while the rows are read. Their values are lost, so each row counts its own. */
import type { UnsupportedValue } from "../../../../transforms/model/workout.ts";
import { printable } from "../../../../transforms/text/printable.ts";

/** A column, and the path of the first file that has it. */
export interface NewColumn {
  readonly name: string;
  readonly path: string;
}

/** Most columns that are named: a table that isn't the platform's may have thousands. */
const MOST_NAMED = 100;

/** Most characters of a column's name. */
const LONGEST_NAME = 80;

/** Collects the columns of all files of a table. */
export class NewColumns {
  readonly #paths = new Map<string, string>();

  /** Takes the column of a file. @returns whether its values count: those of the first hundred columns do */
  add(name: string, path: string): boolean {
    if (this.#paths.has(name)) return true;
    if (this.#paths.size >= MOST_NAMED) return false;
    this.#paths.set(name, path);
    return true;
  }

  /** The columns, in the order of their names. */
  all(): readonly NewColumn[] {
    return [...this.#paths].map(([name, path]) => ({ name, path })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** The value of such a column in a row. */
export function addedValue(name: string, value: string): UnsupportedValue {
  return { field: printable(name, LONGEST_NAME), value };
}
