/** Finds columns that say the same in each row, perhaps in two units: the kilometres of a run, and its miles. */
import type { ColumnSample } from "../sample/column.ts";
import { isNothing, roughNumber } from "../words/values.ts";

/** Lengths of one unit in another: miles in kilometres, kilometres in metres. */
const FACTORS = [1, 1.609344, 1 / 1.609344, 1000, 0.001] as const;

/** So many of the rows must say the same, each within this part of it. */
const [SAME, TOLERANCE] = [0.95, 0.02];

/** Two columns of workouts that are all alike say the same by chance. So many different values are no chance. */
const LEAST_VALUES = 3;

/** Whether two columns say the same in each row, perhaps in two units. */
export function repeats(column: ColumnSample, holder: ColumnSample): boolean {
  const both = column.cells.flatMap((cell, row) => {
    const other = holder.cells[row] ?? "";
    return isNothing(cell) || isNothing(other) ? [] : [[cell, other] as const];
  });
  if (both.length < column.filled.length * SAME) return false;
  const isSame = (factor: number) =>
    both.filter(([cell, other]) => {
      const [one, two] = [roughNumber(cell) * factor, roughNumber(other)];
      return cell === other || Math.abs(one - two) <= TOLERANCE * Math.abs(two);
    }).length >=
    both.length * SAME;
  return FACTORS.some(isSame);
}

/** Whether one of several columns repeats the first of them, with enough different values to show it. */
export function repeatsFirst([first, ...others]: readonly ColumnSample[]): boolean {
  return (
    first !== undefined && new Set(first.filled).size >= LEAST_VALUES && others.some((other) => repeats(other, first))
  );
}
