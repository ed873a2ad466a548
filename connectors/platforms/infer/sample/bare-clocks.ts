/** Times of the day without their colon, as in the army and on many schedules: 0630 and 1815. */

import type { HeaderMeaning } from "../words/header-words.ts";
import { namesStart } from "../words/start-words.ts";
import { isDurationText } from "../words/values.ts";

/** Four digits, and three where a spreadsheet dropped the zero in front. */
const [WHOLE, CUT] = [/^(?:[01]\d|2[0-3])[0-5]\d$/, /^(?:[01]?\d|2[0-3])[0-5]\d$/];

/** Fewer cells are so by chance. */
const LEAST_CELLS = 3;

/** This share of the cells of another column must be durations with colons or words. */
const DURATIONS = 0.8;

/** A column, as far as it may be such. */
interface Column {
  readonly name: string;
  readonly meaning: HeaderMeaning;
  readonly cells: readonly string[];
  readonly filled: readonly string[];
}

/** The columns, where such times have their colon. Numbers are such times only where a zero in front, the header or another column of durations shows it. */
export function withBareClocks<T extends Column>(columns: readonly T[]): readonly T[] {
  return columns.map((column) =>
    areClocks(column, columns)
      ? { ...column, cells: column.cells.map(withColon), filled: column.filled.map(withColon) }
      : column,
  );
}

function areClocks(column: Column, columns: readonly Column[]): boolean {
  const { name, meaning, filled } = column;
  if (!meaning.roles.includes("time") || filled.length < LEAST_CELLS || !filled.every((cell) => CUT.test(cell)))
    return false;
  const isWhole = filled.every((cell) => WHOLE.test(cell));
  if (isWhole && filled.some((cell) => cell.startsWith("0"))) return true;
  return namesStart(name) || columns.some((other) => other !== column && areDurations(other));
}

function areDurations({ meaning, filled }: Column): boolean {
  const isNamed = meaning.roles.includes("duration") && filled.length > 0;
  return isNamed && filled.filter(isDurationText).length >= filled.length * DURATIONS;
}

function withColon(cell: string): string {
  return CUT.test(cell) ? `${cell.slice(0, -2).padStart(2, "0")}:${cell.slice(-2)}` : cell;
}
