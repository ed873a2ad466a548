/** Finds columns that are the sum of other columns in the same row: the kilometres of the day beside those of each workout. */

import { numbersOf } from "../columns/numbers-of-columns.ts";
import type { ColumnSample } from "../sample/column.ts";

/** Fewer rows in which several parts add up show nothing. */
const LEAST_ROWS = 3;

/** This share of the rows with a sum must be right. The others are mistakes of the sheet. */
const SHARE = 0.9;

/**
 * The evidence that a column is the sum of others, row by row; undefined if it isn't.
 *
 * @param parts the columns that may add up to it
 */
export function rowSum(sum: ColumnSample, parts: readonly ColumnSample[]): string | undefined {
  const total = numbersOf(sum);
  const numbers = parts.flatMap((part) => numbersOf(part) ?? []);
  if (total === undefined || numbers.length < parts.length || parts.length < 2) return undefined;
  const tolerance = toleranceOf(
    total.step,
    numbers.map(({ step }) => step),
    sum,
  );
  let [right, several, wrong] = [0, 0, 0];
  const sums = new Set<number>();
  for (const [row, value] of total.values.entries()) {
    if (value === undefined) continue;
    const own = numbers.map(({ values }) => values[row] ?? 0).filter((one) => one > 0);
    const added = own.reduce((all, one) => all + one, 0);
    // A day without training shows nothing.
    if (value === 0 && added === 0) continue;
    if (Math.abs(value - added) > tolerance) wrong++;
    else {
      right++;
      if (own.length > 1) {
        several++;
        sums.add(value);
      }
    }
  }
  if (several < LEAST_ROWS || sums.size < 2 || right < (right + wrong) * SHARE) return undefined;
  const names = parts.map(({ name }) => name);
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `the sum of ${all}, in ${right} of ${right + wrong} rows`;
}

/** How far a sum may be from its parts: a spreadsheet rounds what it shows. Whole numbers are exact. */
function toleranceOf(sum: number, parts: readonly number[], { filled }: ColumnSample): number {
  const step = Math.max(sum, ...parts);
  const isWhole = step === 1 && !filled.some((cell) => cell.includes(":"));
  if (!isWhole) return step * 1.01;
  return Math.min(sum, ...parts) < 1 ? 0.51 : 1e-6;
}
