/** Finds rows of totals that have a date as well. A cell says so, and the distance is the sum of the rows above. */
import { totalIn } from "../../table/shapes/totals.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { isNothing, roughNumber, splitAmount } from "../words/values.ts";

/** Rows of totals, by the column whose cells say it. */
export interface DatedTotals {
  readonly column: AssignedColumn;
  readonly rows: readonly number[];
}

/** Most rows of totals whose place is kept. A total may sum up the rows since any of these. */
const MOST_MARKS = 100;

/** A total may be rounded to a whole number. */
const TOLERANCE = 0.51;

/** Finds them, if every such row is the sum of rows above. A remark such as "Total wreck" is no total. */
export function datedTotals(
  columns: readonly AssignedColumn[],
  days: readonly (string | undefined)[],
): DatedTotals | undefined {
  const distance = columns.find(({ role }) => role === "distance");
  if (distance === undefined) return undefined;
  const numbers = distance.cells.map((cell) => (isNothing(cell) ? 0 : roughNumber(splitAmount(cell).number)));
  for (const column of columns) {
    const said = column.cells.flatMap((cell, row) => (days[row] !== undefined && saysTotal(cell) ? [row] : []));
    if (said.length > 0 && areSums(said, numbers, days)) return { column, rows: said };
  }
  return undefined;
}

function saysTotal(cell: string): boolean {
  return totalIn(/^[\p{L}\s]+/u.exec(cell)?.[0] ?? "") === "sum";
}

function areSums(
  totals: readonly number[],
  numbers: readonly number[],
  days: readonly (string | undefined)[],
): boolean {
  const isTotal = new Set(totals);
  const marks = [0];
  let sum = 0;
  let added = 0;
  for (const [row, number] of numbers.entries()) {
    if (days[row] === undefined || Number.isNaN(number)) continue;
    if (!isTotal.has(row)) {
      sum += number;
      added++;
      continue;
    }
    // The sum of a single row says nothing.
    if (added < 2 || !marks.some((mark) => Math.abs(sum - mark - number) <= TOLERANCE + number / 500)) return false;
    marks.push(sum);
    if (marks.length > MOST_MARKS) marks.shift();
    added = 0;
  }
  return true;
}
