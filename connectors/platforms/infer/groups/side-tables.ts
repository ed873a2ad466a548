/**
 * Finds a small table beside the one of the workouts, such as the sums of each month or a list of shoes behind an empty column. Its rows belong to no
 * workout.
 */
import { monthNamed } from "../../../formats/month-names.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { type ColumnSample, fits } from "../sample/column.ts";

/** Fewer columns may be remarks of the first workouts. */
const LEAST_COLUMNS = 2;

/** The small table ends before this share of the rows. */
const SHARE = 0.5;

/** Headers of what such a table sums up by. */
const PERIOD =
  /^(?:months?|weeks?|years?|monate?|wochen?|jahre?|mois|semaines?|mes|meses|mese|mesi|maand|maanden|miesiac|月)$/i;

/** The columns, where those of such a table are left. */
export function withoutSideTables(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const side = new Set(sideTable(columns).map(({ index }) => index));
  const left = "a table of its own beside the workouts";
  return columns.map((column) =>
    side.has(column.index) ? { ...column, role: undefined, isGuess: false, left } : column,
  );
}

/** The columns of such a table; none where there isn't one. */
export function sideTable<T extends ColumnSample>(columns: readonly T[]): readonly T[] {
  const gap = columns.findIndex(({ name, filled }, at) => at > 0 && /^(?:#\d+)?$/.test(name) && filled.length === 0);
  const side = gap === -1 ? [] : columns.slice(gap + 1).filter(({ filled }) => filled.length > 0);
  const [first] = side;
  if (first === undefined || side.length < LEAST_COLUMNS) return [];
  const isOwn = PERIOD.test(first.name) || first.filled.every(isMonth) || hasDays(side);
  if (!isOwn && !isAgain(side, columns.slice(0, gap))) return [];
  const end = first.cells.indexOf("");
  const isShort = end > 0 && end <= first.cells.length * SHARE;
  return isShort && side.every(({ cells }) => cells.slice(end).every((cell) => cell === "")) ? side : [];
}

/** Whether a column behind the gap is what one before it is, such as `Shoe` beside `Shoes`: a workout has one of each. */
function isAgain(side: readonly ColumnSample[], log: readonly ColumnSample[]): boolean {
  const known = new Set(log.flatMap(({ meaning }) => meaning.roles));
  return side.some(({ meaning }) => meaning.roles.some((role) => known.has(role)));
}

/** Whether one of the columns has days of its own, as best times have: `PB, PB time, PB date`. */
function hasDays(side: readonly ColumnSample[]): boolean {
  return side.some((column) => fits("date", column));
}

/** Whether a cell is a month, such as `Jan 2022`, with or without its year. */
function isMonth(cell: string): boolean {
  const [, name = ""] = /^(\p{L}{3,})\.?[\s'’-]*(?:\d{4}|\d{2})?$/u.exec(cell) ?? [];
  return monthNamed(name) !== undefined;
}
