/** Finds a column `min` that has the lowest of something, and no minutes: beside `max`, whose numbers are not below it in any row. */
import { foldHeader, type HeaderMeaning } from "../words/header-words.ts";
import { isNumber, roughNumber } from "../words/values.ts";

/** Headers of the lowest, which are minutes as well, and of the highest, folded. */
const [LOWEST, HIGHEST] = [/^min\.?$/, /^(?:max|maks|maxi|mass)\.?$/];

/** Fewer rows show nothing. */
const LEAST_ROWS = 3;

/** A column, as far as it may be such. */
interface Column {
  readonly name: string;
  readonly meaning: HeaderMeaning;
  readonly cells: readonly string[];
}

/** Takes the minutes from such a header: nobody knows of what it is the lowest. */
export function withExtremes<T extends Column>(columns: readonly T[]): readonly T[] {
  const highest = columns.filter(({ name }) => HIGHEST.test(foldHeader(name)));
  return columns.map((column) => {
    const isLowest = LOWEST.test(foldHeader(column.name)) && highest.some((other) => isBelow(column, other));
    return isLowest ? { ...column, meaning: { ...column.meaning, roles: [], unit: undefined } } : column;
  });
}

function isBelow({ cells }: Column, other: Column): boolean {
  const rows = cells.flatMap((cell, row) => {
    const highest = other.cells[row] ?? "";
    return isNumber(cell) && isNumber(highest) ? [roughNumber(cell) <= roughNumber(highest)] : [];
  });
  return rows.length >= LEAST_ROWS && rows.every(Boolean);
}
