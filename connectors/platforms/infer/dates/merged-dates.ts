/**
 * Finds tables with the date in the first row of a day only, as merged cells leave it. An empty date then stands for the one above. It may as well be
 * a date that somebody forgot, so the days around these rows decide, and without a clear answer a person does.
 */
import { weekdayOf } from "../../../../transforms/calendar.ts";
import { weekdaysNamed } from "../../../formats/weekday-names.ts";
import type { Choice } from "../choices/choice.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { isTotal } from "../rows/skipped-rows.ts";
import type { SumTask } from "../rows/summed-rows.ts";
import { isNothing } from "../words/values.ts";

/** Rows without a date that belong to the day above. */
interface MergedDates {
  readonly choice: Choice;
  /** The columns as the mapping will read them: each empty date with the one above. */
  readonly columns: readonly AssignedColumn[];
}

/** Fewer rows without a date are slips of the hand. */
const LEAST_ROWS = 3;

/** In a table of fewer days, several workouts of the last one are usual. */
const LEAST_DAYS = 5;

/** Days with several rows are no further from the next day than other days. A forgotten date would leave a hole. */
const WIDEST = 1.5;

/** The answer that leaves the rows to wait. */
export const NONE_ABOVE = "none";

/** The place of the choice. */
export const AS_ABOVE = "layout.asAbove";

/** Whether a choice says that an empty date stands for the one above. */
export function isAsAbove(choice: Choice | undefined): choice is Choice {
  return choice !== undefined && choice.value !== NONE_ABOVE;
}

/** Finds them; undefined for a table with a date in nearly each row. */
export function mergedDates({ columns, days, isSkipped }: SumTask): MergedDates | undefined {
  const dates = columns.find(({ role }) => role === "date" || role === "datetime");
  const first = days.findIndex((day) => day !== undefined);
  if (dates === undefined || first === -1) return undefined;
  const undated = [...days.keys()].filter(
    (row) => row > first && days[row] === undefined && isNothing(dates.cells[row] ?? "") && !isSkipped(row),
  );
  const measured = columns.filter(({ role }) => role !== undefined && MEASURED.has(role));
  const own = undated.filter((row) => measured.some(({ cells }) => !isNothing(cells[row] ?? "")));
  if (own.length < LEAST_ROWS) return undefined;
  const { withRows, plain, repeated } = gapsOf(days, new Set(own), isSkipped);
  const isNear = mean(withRows) <= WIDEST * Math.max(1, mean(plain));
  const [near, far] = [round(mean(withRows)), round(mean(plain))];
  // A row that may be a total would be loaded as a workout.
  const totals = own.filter((row) => columns.some(({ cells }) => isTotal(cells[row] ?? ""))).length;
  const others = otherWeekdays(columns, days, own);
  // Below the last date, people write totals and means, too. With such rows elsewhere, they are the table's way to write a second workout.
  const isAtEnd = (own[0] ?? 0) > days.findLastIndex((day) => day !== undefined) && new Set(days).size > LEAST_DAYS;
  const isPlan = dates.meaning.purpose === "actual";
  const why = [
    `${own.length} rows below a date have none, and values of their own`,
    ...(withRows.length === 0 || plain.length === 0
      ? []
      : [`the next date is ${near} days later there, and ${far} days elsewhere`]),
    ...(repeated === 0 ? [] : [`${repeated} ${repeated === 1 ? "date stands" : "dates stand"} in two rows`]),
    ...(isAtEnd ? ["all of them stand below the last date, where totals and means may stand"] : []),
    ...(totals === 0 ? [] : [`${totals} of them may be totals, and need a rule`]),
    ...(others === 0
      ? []
      : [
          `the weekday of ${others} of them isn't that of the date above: write each row its own date, and propose again`,
        ]),
    ...(isPlan
      ? ["the header says that it is the day on which something was done, so an empty cell may say not done"]
      : []),
    ...(own.length === undated.length ? [] : [`${undated.length - own.length} more rows have only texts`]),
  ].join("; ");
  const decided = { place: AS_ABOVE, value: dates.name, why, contradicting: 0, rows: own.length };
  const isDenied = isPlan || others > own.length / 2;
  const isSure =
    !isDenied && !isAtEnd && others === 0 && isNear && repeated === 0 && totals === 0 && own.length === undated.length;
  return {
    choice: isSure
      ? decided
      : {
          ...decided,
          ...asking(dates.name, isDenied),
          value: isDenied ? NONE_ABOVE : dates.name,
          ...(isAtEnd && { isUnproven: true as const }),
        },
    columns: columns.map((column) => (column === dates ? { ...column, cells: filledFromAbove(column.cells) } : column)),
  };
}

/** The question. @param isDenied whether the table speaks against the day above */
function asking(name: string, isDenied: boolean): Required<Pick<Choice, "options" | "question">> {
  const options = [
    { value: name, means: "the workout was on the day above" },
    { value: NONE_ABOVE, means: "the date is missing, and these rows wait: remove this line" },
  ];
  return {
    question: `What does an empty cell of the column ${JSON.stringify(name)} say?`,
    options: isDenied ? options.toReversed() : options,
  };
}

/** The rows without a date whose weekday isn't that of the date above. */
function otherWeekdays(columns: readonly AssignedColumn[], days: SumTask["days"], own: readonly number[]): number {
  const weekdays = columns.find(({ role }) => role === "weekday");
  if (weekdays === undefined) return 0;
  const isOwn = new Set(own);
  let above: string | undefined;
  let count = 0;
  for (const [row, day] of days.entries()) {
    above = day ?? above;
    const names = isOwn.has(row) ? weekdaysNamed(weekdays.cells[row] ?? "") : undefined;
    if (above !== undefined && names !== undefined && names.size > 0 && !names.has(weekdayOf(above))) count++;
  }
  return count;
}

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/** The cells of a column, each empty one with the text above it. */
export function filledFromAbove(cells: readonly string[]): readonly string[] {
  let above = "";
  return cells.map((cell) => {
    if (!isNothing(cell)) above = cell;
    return isNothing(cell) ? above : cell;
  });
}

/** The days from one date to the next: with rows without a date between them, and without; and how often a date stands in two rows. */
function gapsOf(days: SumTask["days"], own: ReadonlySet<number>, isSkipped: (row: number) => boolean) {
  const [withRows, plain]: [number[], number[]] = [[], []];
  let before: string | undefined;
  let isBetween = false;
  let repeated = 0;
  for (const [row, day] of days.entries()) {
    if (own.has(row)) isBetween = true;
    if (day === undefined || isSkipped(row)) continue;
    if (before === day) repeated++;
    else if (before !== undefined)
      (isBetween ? withRows : plain).push(Math.abs(Date.parse(day) - Date.parse(before)) / DAY);
    before = day;
    isBetween = false;
  }
  return { withRows, plain, repeated };
}

/** A day in milliseconds. */
const DAY = 86_400_000;

function mean(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0) / Math.max(1, values.length);
}

const round = (value: number) => Math.round(value * 10) / 10;
