/**
 * Finds rows that sum up the rows beside them and have no word for it: the kilometres of a week on each Sunday, those of a month below the name of
 * the month. Their values show it. Read as workouts, they would double the distance of the log.
 */
import { addDays, weekdayOf } from "../../../../transforms/calendar.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { type Numbers, numbersOf } from "../columns/numbers-of-columns.ts";
import type { AssignedColumn } from "../columns/roles.ts";
import { MOST_ROWS } from "../sample/sample.ts";
import { isNothing } from "../words/values.ts";

/** Rows that are sums, and the evidence. */
export interface SummedRows {
  readonly rows: readonly number[];
  /** Candidates that are no sum. */
  readonly contradicting: number;
  /** `each Sunday`, for people. */
  readonly when: string;
  /** Whether this is no chance. Three runs of whole miles add up to a long run now and then. */
  readonly isSure: boolean;
}

/** A table whose rows may be sums of others. */
export interface SumTask {
  readonly columns: readonly AssignedColumn[];
  /** The day of each row; undefined for a row without a date. */
  readonly days: readonly (string | undefined)[];
  readonly isSkipped: (row: number) => boolean;
}

/** A table in which rows with an empty date have the day above. */
interface FilledTask extends SumTask {
  /** The days as the rows have them. */
  readonly own: SumTask["days"];
}

/** Fewer sums of several rows are chance. */
const LEAST_SUMS = 3;

/** This share of the rows that look like sums must be sums. The others are workouts, or mistakes of the sheet. */
const SHARE = 0.9;

/** A sum may begin behind the last row that looks like one, or behind the one before: a week without a sum. */
const MARKS = 2;

/** Rows that may be sums, in the order of the table or the other way round. */
interface Candidates {
  readonly when: string;
  readonly order: readonly number[];
  readonly rows: ReadonlySet<number>;
}

/** Finds the rows with a date, or with nothing in its place, that sum up others; undefined if the table shows none. */
export function summedRows(plain: SumTask, dates: AssignedColumn): SummedRows | undefined {
  const task = { ...plain, days: daysFromAbove(plain.days, dates), own: plain.days };
  const measures = measuresOf(task.columns);
  if (measures.length === 0) return undefined;
  const order = rowsWithValues(task, measures);
  const all = [order, order.toReversed()].flatMap((some) => candidatesIn(some, task));
  const found = all.flatMap((some) => sumsAmong(some, measures, task.own) ?? []);
  return found.toSorted((a, b) => b.rows.length - a.rows.length || a.contradicting - b.contradicting)[0];
}

/** The days of rows, where an empty date stands for the one above, filled in or not. */
function daysFromAbove(days: SumTask["days"], { cells }: AssignedColumn): SumTask["days"] {
  let above: string | undefined;
  return days.map((day, row) => {
    const isSame = day === undefined && (isNothing(cells[row] ?? "") || cells[row] === cells[row - 1]);
    if (day !== undefined) above = day;
    return isSame ? above : day;
  });
}

/** Finds the rows with the name of a month in the place of the date, that sum up the rows of this month. */
export function monthSums(column: AssignedColumn, task: SumTask): SummedRows | undefined {
  const measures = measuresOf(task.columns);
  const order = [...task.days.keys()].filter((row) => !task.isSkipped(row));
  const named = order.filter((row) => task.days[row] === undefined && monthIn(column.cells[row] ?? "") !== undefined);
  if (measures.length === 0 || named.length === 0) return undefined;
  const isOfMonth = (row: number, before: number | undefined) =>
    before !== undefined && monthIn(column.cells[row] ?? "") === Number(task.days[before]?.slice(5, 7));
  for (const some of [order, order.toReversed()]) {
    const { sums, right } = walk({ when: "", order: some, rows: new Set(named) }, measures, isOfMonth);
    if (sums.length > 0 && right.length >= named.length * SHARE)
      return {
        ...{ rows: right, contradicting: named.length - right.length },
        ...{ when: "at the name of a month", isSure: true },
      };
  }
  return undefined;
}

/** The month that a cell names, with or without its year; undefined for any other text. */
function monthIn(cell: string): number | undefined {
  const [, name = ""] = /^(\p{L}{3,})\.?[\s,'’-]*(?:\d{4}|\d{2})?$/u.exec(cell) ?? [];
  return monthNamed(name);
}

/** The distances and durations of a table as numbers, whose sums can be compared. */
export function measuresOf(columns: readonly AssignedColumn[]): readonly Numbers[] {
  return columns
    .filter(({ role, filled }) => (role === "distance" || role === "duration") && filled.length > 0)
    .flatMap((column) => {
      const numbers = numbersOf(column, MOST_ROWS);
      // Whole numbers are exact. A duration may be rounded to its second.
      const isWhole = numbers?.step === 1 && !column.filled.some((cell) => cell.includes(":"));
      return numbers === undefined ? [] : [isWhole ? { ...numbers, step: 0 } : numbers];
    });
}

function rowsWithValues({ days, isSkipped }: SumTask, measures: readonly Numbers[]): readonly number[] {
  return [...days.keys()].filter((row) => !isSkipped(row) && measures.some(({ values }) => (values[row] ?? 0) > 0));
}

const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Where people put their sums: the first or the last row of a certain day of the week, of a week or of a month, or rows without a date or a value. */
function candidatesIn(order: readonly number[], { columns, days, own }: FilledTask): readonly Candidates[] {
  const dated = order.filter((row) => days[row] !== undefined);
  const dayOf = (row: number) => days[row] ?? "";
  const last = (key: (row: number) => string) => [...new Map(dated.map((row) => [key(row), row])).values()];
  const first = [...new Map(dated.toReversed().map((row) => [dayOf(row), row])).values()].toReversed();
  const onWeekday = (rows: readonly number[], at: number) =>
    rows.filter((row) => new Date(dayOf(row)).getUTCDay() === at);
  const lists: readonly (readonly [when: string, rows: readonly number[]])[] = [
    ...WEEKDAYS.flatMap((name, at) =>
      [last(dayOf), first].map((rows) => [`each ${name}`, onWeekday(rows, at)] as const),
    ),
    ["at the end of each week", last((row) => weekOf(dayOf(row)))],
    ["at the end of each month", last((row) => dayOf(row).slice(0, 7))],
    ...columns.flatMap(({ name, role, cells }) => {
      const isEmpty = (row: number) =>
        role === "date" ? own[row] === undefined : days[row] !== undefined && isNothing(cells[row] ?? "");
      const empty = order.filter(isEmpty);
      const isMeasure = role === "duration" || role === "date";
      return isMeasure ? [[`with nothing in the column ${JSON.stringify(name)}`, empty] as const] : [];
    }),
  ];
  return lists
    .filter(([, rows]) => rows.length >= LEAST_SUMS)
    .map(([when, rows]) => ({ when, order, rows: new Set(rows) }));
}

/** The Monday of a day's week. */
function weekOf(day: string): string {
  return addDays(day, -weekdayOf(day));
}

function sumsAmong(
  candidates: Candidates,
  measures: readonly Numbers[],
  days: SumTask["days"],
): SummedRows | undefined {
  const { sums, right, several, telling } = walk(candidates, measures, () => true);
  const [first] = measures;
  const distinct = new Set(sums.map((row) => first?.values[row] ?? row));
  if (sums.length < LEAST_SUMS || distinct.size < 2 || sums.length < several * SHARE) return undefined;
  const isSure = telling >= LEAST_SUMS && !haveOwnDays(right, candidates.order, days);
  return { rows: right, contradicting: several - sums.length, when: candidates.when, isSure };
}

/**
 * Whether each of some rows has a day on which no other row is. A long run that is twice as far as both runs of its week looks like a sum of them, in
 * miles and in minutes. A sum mostly stands at a day with a run, or has no date.
 */
function haveOwnDays(rows: readonly number[], order: readonly number[], days: SumTask["days"]): boolean {
  const counts = new Map<string | undefined, number>();
  for (const row of order) counts.set(days[row], (counts.get(days[row]) ?? 0) + 1);
  return rows.every((row) => days[row] !== undefined && counts.get(days[row]) === 1);
}

/** What a walk through the rows shows. */
interface Walked {
  /** The candidates that are the sum of several rows. */
  readonly sums: readonly number[];
  /** These, and those that repeat a single row. */
  readonly right: readonly number[];
  /** The candidates behind several rows. */
  readonly several: number;
  /** Sums that are no chance: of two values, or of three rows with a fraction. */
  readonly telling: number;
}

/** Adds up the rows between the candidates. */
function walk(
  { order, rows }: Candidates,
  measures: readonly Numbers[],
  isPossible: (row: number, before: number | undefined) => boolean,
): Walked {
  const sums: number[] = [];
  const right: number[] = [];
  let [several, telling] = [0, 0];
  let before: number | undefined;
  /** The rows behind each of the last marks. */
  let marks: readonly (readonly number[])[] = [[]];
  for (const row of order) {
    if (!rows.has(row)) {
      marks = marks.map((added) => [...added, row]);
      before = row;
      continue;
    }
    const [since = []] = marks;
    if (since.length > 1) several++;
    const fitting = isPossible(row, before) ? marks.find((added) => isSum(row, added, measures)) : undefined;
    if (fitting !== undefined) right.push(row);
    if (fitting !== undefined && fitting.length > 1) {
      sums.push(row);
      if (isTelling(row, fitting, measures)) telling++;
    }
    const behind = fitting === undefined ? marks.map((added) => [...added, row]) : marks;
    marks = [[], ...behind].slice(0, MARKS);
  }
  return { sums, right, several, telling };
}

function isTelling(row: number, added: readonly number[], measures: readonly Numbers[]): boolean {
  const known = measures.filter(({ values }) => (values[row] ?? 0) > 0);
  const hasFraction = known.some(({ values }) => !Number.isInteger(values[row]));
  return known.length > 1 || (hasFraction && added.length > 2);
}

/** Whether each value of a row is the sum of those in other rows. */
function isSum(row: number, added: readonly number[], measures: readonly Numbers[]): boolean {
  if (added.length === 0 || added.length > MOST_ADDED) return false;
  const known = measures.filter(({ values }) => (values[row] ?? 0) > 0);
  return (
    known.length > 0 &&
    known.every(({ values, step }) => {
      const sum = added.reduce((all, one) => all + (values[one] ?? 0), 0);
      return Math.abs(sum - (values[row] ?? 0)) <= step * 1.01 + 1e-6;
    })
  );
}

/** The most workouts that a sum of a month has. */
const MOST_ADDED = 100;
