/** Finds a small table beside the one of the workouts, such as the sums of each month behind an empty column. Its rows belong to no workout. */
import type { AssignedColumn } from "./roles.ts";

/** Fewer columns may be remarks of the first workouts. */
const LEAST_COLUMNS = 2;

/** The small table ends before this share of the rows. */
const SHARE = 0.5;

/** Headers of what such a table sums up by. */
const PERIOD =
  /^(?:months?|weeks?|years?|monate?|wochen?|jahre?|mois|semaines?|mes|meses|mese|mesi|maand|maanden|miesiac|月)$/i;

/** The columns, where those of such a table are left. */
export function withoutSideTables(columns: readonly AssignedColumn[]): readonly AssignedColumn[] {
  const gap = columns.findIndex(({ name, filled }, at) => at > 0 && /^(?:#\d+)?$/.test(name) && filled.length === 0);
  const side = gap === -1 ? [] : columns.slice(gap + 1).filter(({ filled }) => filled.length > 0);
  const [first] = side;
  if (first === undefined || side.length < LEAST_COLUMNS || !PERIOD.test(first.name)) return columns;
  const end = first.cells.indexOf("");
  const isShort = end > 0 && end <= first.cells.length * SHARE;
  if (!isShort || side.some(({ cells }) => cells.slice(end).some((cell) => cell !== ""))) return columns;
  const left = "a table of its own beside the workouts";
  return columns.map((column) =>
    side.includes(column) ? { ...column, role: undefined, isGuess: false, left } : column,
  );
}
