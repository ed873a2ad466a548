/** What is known of a table once its dates are. */
import type { Answers } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";

/** A table with the day of each row, and the answers that a person gave. */
export interface DatedTable {
  readonly columns: readonly AssignedColumn[];
  /** The days of the rows; undefined for a cell that is no date. */
  readonly days: readonly (string | undefined)[];
  readonly answers: Answers;
}
