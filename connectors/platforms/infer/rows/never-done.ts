/** Finds rows that a column says never took place: by a state, by a tick, by a mark for what was missed, or as a plan beside what was done. */
import type { Answers } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { type ColumnSample, countTexts } from "../sample/column.ts";
import { notTicked } from "../words/ticked.ts";
import { isNothing, isZero } from "../words/values.ts";
import { foldHeader } from "../words/words-of-headers.ts";
import { missedIn } from "./missed.ts";
import { isStatus, notDoneChoice, saysNotDone } from "./not-done.ts";
import { plannedIn } from "./plan-or-done.ts";
import { WORKOUTS } from "./sum-rules.ts";

/** What is known before rows that never took place are found. */
interface NeverDoneTask {
  /** The number of the next rule. */
  readonly at: number;
  readonly days: readonly (string | undefined)[];
  readonly answers: Answers;
  readonly isSkipped: (row: number) => boolean;
}

/** Rows of which a column says that they never took place, with the question about them. A table in which nothing took place is another kind of table. */
export function neverDone(columns: readonly AssignedColumn[], { at, days, answers, isSkipped }: NeverDoneTask) {
  const measuring = columns.filter(({ role }) => role !== undefined && MEASURED.has(role));
  return columns
    .filter((column) => !measuring.includes(column))
    .flatMap((column) => {
      const { cells } = column;
      const saysNever = neverIn(column, columns);
      const rows = [...cells.keys()].filter(
        (row) => days[row] !== undefined && !isSkipped(row) && saysNever?.(cells[row] ?? "") === true,
      );
      return [{ column, rows, texts: countTexts(rows.map((row) => cells[row] ?? "")).map(([text]) => text) }];
    })
    .filter(({ rows }) => rows.length > 0)
    .slice(0, 1)
    .map((found) => {
      const choice = notDoneChoice(`rows.${at}`, found.column, found.rows);
      return { ...found, choice, isWorkouts: answers.get(choice.place) === WORKOUTS };
    });
}

/** The roles of columns that no word of a state stands in. */
const MEASURED: ReadonlySet<string> = new Set([
  "date",
  "datetime",
  "distance",
  "duration",
  "hours",
  "minutes",
  "seconds",
]);

/** Whether a cell of a column says that its row never took place; undefined for a column that says nothing of it. */
function neverIn(column: AssignedColumn, columns: readonly AssignedColumn[]): ((cell: string) => boolean) | undefined {
  const { name, filled, split } = column;
  // In a text with distances, a word of a state alone is no workout: `DNS` among `8.2 km / 44:10`.
  if (split !== undefined) return (cell) => saysNotDone(cell) || /^dnf$/i.test(cell.trim());
  const other = notTicked(name, filled) ?? missedIn(column) ?? plannedIn(column);
  if (other !== undefined || !isStatus(name) || filled.every(saysNotDone)) return other;
  const untimed = untimedStates(column, columns);
  return (cell) => saysNotDone(cell) || untimed.has(foldHeader(cell));
}

/** In so many rows of the other states a duration must be there, so that its absence says something. */
const USUAL = 0.9;

const TIMED: ReadonlySet<string> = new Set(["duration", "hours", "minutes", "seconds"]);

/** States without a duration in any of their rows, folded, where nearly all rows of the others have one: `verschoben` beside `ok`. */
function untimedStates({ cells }: ColumnSample, columns: readonly AssignedColumn[]): ReadonlySet<string> {
  const timed = columns.filter(({ role }) => role !== undefined && TIMED.has(role));
  const isTimed = (row: number) =>
    timed.some((one) => !isNothing(one.cells[row] ?? "") && !isZero(one.cells[row] ?? ""));
  const rows = [...cells.keys()].filter((row) => cells[row] !== "");
  const states = Map.groupBy(rows, (row) => foldHeader(cells[row] ?? ""));
  const untimed = new Set([...states].flatMap(([state, own]) => (own.some(isTimed) ? [] : [state])));
  const others = rows.filter((row) => !untimed.has(foldHeader(cells[row] ?? "")));
  return others.length > 0 && others.filter(isTimed).length >= others.length * USUAL ? untimed : new Set();
}
