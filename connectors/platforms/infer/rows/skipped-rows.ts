/** Finds rows that are no workouts: totals, and days of rest. The mapping file then says so by a rule for each. */

import { totalIn } from "../../table/shapes/totals.ts";
import type { Answers, Choice } from "../choices/choice.ts";
import { type AssignedColumn, staysOut } from "../columns/roles.ts";
import { countTexts } from "../sample/column.ts";
import { repeatsHeader } from "../sample/other-header.ts";
import { foldHeader } from "../words/header-words.ts";
import { isTotalRemark } from "../words/total-remarks.ts";
import { isNothing, isZero } from "../words/values.ts";
import { REST_WORDS } from "../words/words.ts";
import { datedTotals } from "./dated-totals.ts";
import { escaped } from "./escaped.ts";
import { neverDone } from "./never-done.ts";
import { NOT_DONE } from "./not-done.ts";
import { sumRules, WORKOUTS } from "./sum-rules.ts";
import { NOTHING_DONE, sportsOf, unmeasuredChoice, withoutSport } from "./unmeasured-rows.ts";

/** What a cell must be: a text that fits a pattern, or another text than a name. */
type Condition =
  | { readonly column: string; readonly matches: string }
  /** @param place where a person chooses the name */
  | { readonly column: string; readonly isNot: string; readonly place: string };

/** A rule of the mapping file. */
export interface SkipRule {
  /** The conditions: a row meets each of them. */
  readonly when: readonly Condition[];
  readonly skip: string;
  /** The rows wait for a person, and are not left out for good. */
  readonly holds?: true;
  /** Where a person chooses whether these rows are left out. */
  readonly place?: string;
}

/** The rules, the choices behind them, and which rows they leave out. */
export interface SkippedRows {
  readonly rules: readonly SkipRule[];
  readonly choices: readonly Choice[];
  readonly isSkipped: (row: number) => boolean;
}

/** What a rule says besides its column. */
interface Rule {
  readonly skip: string;
  /** Whether the texts are only the beginnings of cells. */
  readonly isStart?: boolean;
  /** More evidence. */
  readonly more?: string;
  readonly and?: SkipRule["when"];
  /** Where a person chooses whether these rows are left out. */
  readonly place?: string;
}

/** Finds the rules. */
export function findSkippedRows(
  columns: readonly AssignedColumn[],
  days: readonly (string | undefined)[],
  units: readonly string[] | undefined,
  answers: Answers,
): SkippedRows {
  const [rules, choices]: [SkipRule[], Choice[]] = [[], []];
  const skipped = new Set<number>();
  const add = (
    column: AssignedColumn,
    texts: readonly string[],
    rows: readonly number[],
    { skip, isStart = false, more = "", and = [], place }: Rule,
  ) => {
    const matches = `^(?:${texts.map(escaped).join("|")})${isStart ? "" : "$"}`;
    rules.push({ when: [{ column: column.name, matches }, ...and], skip, ...(place !== undefined && { place }) });
    for (const row of rows) skipped.add(row);
    const why = `${rows.length} ${rows.length === 1 ? "row" : "rows"} such as ${JSON.stringify(texts[0])} in the column ${JSON.stringify(column.name)}${more}`;
    choices.push({ place: `rows.${rules.length - 1}`, value: skip, why, contradicting: 0, rows: rows.length });
  };
  const unit = units?.findIndex((cell) => cell !== "") ?? -1;
  const named = columns[unit];
  const isUndated = (row: number) => days[row] === undefined && !(row === 0 && named !== undefined);
  // The cell as it stands, `(km)`: a rule sees its brackets. It comes first, because `avg` among units is no word for a total.
  if (named !== undefined) add(named, [named.cells[0] ?? ""], [0], { skip: "units" });
  for (const { column, texts, rows, and } of repeatedHeaders(columns, days))
    add(column, texts, rows, { skip: "header", and });
  for (const column of columns) {
    const isRemark = column.role === "notes" || column.role === "name";
    const totals = rowsWith(column, (cell, row) => isUndated(row) && !isRemark && isTotal(cell));
    if (totals.rows.length > 0)
      add(
        column,
        totals.texts.map(firstWords),
        totals.rows.filter((row) => !skipped.has(row)),
        { skip: "total", isStart: true },
      );
    const said = totalRemarks(column, days, (row) => skipped.has(row));
    if (said.rows.length > 0) add(column, said.texts, said.rows, { skip: "total" });
  }
  const dated = datedTotals(columns, days);
  if (dated !== undefined) {
    const { texts, rows } = rowsWith(dated.column, (_, row) => dated.rows.includes(row));
    add(dated.column, texts, rows, {
      skip: "total",
      more: ", and the distance is the sum of the rows above",
    });
  }
  const sums = sumRules({ columns, days, isSkipped: (row) => skipped.has(row) }, rules.length, answers);
  rules.push(...sums.rules);
  choices.push(...sums.choices);
  for (const row of sums.rows) skipped.add(row);
  const measured = columns.filter(isMeasured);
  const isEmpty = (row: number) => measured.every(({ cells }) => isNone(cells[row] ?? ""));
  for (const column of columns) {
    const rests = rowsWith(
      column,
      (cell, row) => REST_WORDS.has(foldHeader(cell)) && !skipped.has(row) && isEmpty(row),
    );
    // With a distance or a duration, a row with this word is a workout, also one that is written later.
    const others = measured.filter(({ name }) => name !== column.name);
    if (rests.rows.length > 0)
      add(column, rests.texts, rests.rows, { skip: "rest day", and: nothingIn(others, rests.rows) });
  }
  for (const never of neverDone(columns, { at: rules.length, days, answers, isSkipped: (row) => skipped.has(row) })) {
    if (!never.isWorkouts) add(never.column, never.texts, never.rows, { skip: NOT_DONE, place: never.choice.place });
    choices.splice(never.isWorkouts ? choices.length : -1, 1, never.choice);
  }
  const isSkipped = (row: number) => skipped.has(row);
  const without = daysWithout({ columns, measured, days }, { at: rules.length, answers, isSkipped, isEmpty });
  rules.push(...without.rules);
  choices.push(...without.choices);
  for (const row of without.rows) skipped.add(row);
  return { rules, choices, isSkipped: (row) => skipped.has(row) };
}

/** Whether a column measures a workout, or is added up to what does. */
function isMeasured({ role, addends, split }: AssignedColumn): boolean {
  const isInText = split?.patterns.some((pattern) => pattern.includes("(?P<distance>")) === true;
  return isInText || addends !== undefined || (role !== undefined && MEASURED.has(role));
}

/** Rows that are the header once more, as above each month. The rule asks for each of its cells: another header is none of them. */
function repeatedHeaders(columns: readonly AssignedColumn[], days: readonly (string | undefined)[]) {
  const header = columns.map(({ name }) => name);
  const rows = [...days.keys()].filter((row) =>
    repeatsHeader(
      header,
      columns.map(({ cells }) => cells[row] ?? ""),
    ),
  );
  const isFull = ({ cells }: AssignedColumn) => rows.length > 0 && rows.every((row) => cells[row] !== "");
  const [column, ...others] = columns.filter(isFull);
  if (column === undefined) return [];
  const textsOf = (one: AssignedColumn) => rowsWith(one, (_, row) => rows.includes(row)).texts;
  const and = others.map((other) => ({
    column: other.name,
    matches: `^(?:${textsOf(other).map(escaped).join("|")})$`,
  }));
  return [{ column, texts: textsOf(column), rows, and }];
}

/** What is said of days without training. @param at the number of their rule */
function idleChoice(at: number, rows: number): Choice {
  const why = `${rows === 1 ? "a day has" : `${rows} days have`} no distance and no duration`;
  return { place: `rows.${at}`, value: NOTHING_DONE, why, contradicting: 0, rows };
}

/** Remarks of nothing but words for a total, in rows without a date. Where a dated row has the same remark, it says nothing. */
function totalRemarks(
  column: AssignedColumn,
  days: readonly (string | undefined)[],
  isSkipped: (row: number) => boolean,
) {
  const dated = new Set(column.cells.flatMap((cell, row) => (days[row] === undefined ? [] : [foldHeader(cell)])));
  return rowsWith(
    column,
    (cell, row) => days[row] === undefined && !isSkipped(row) && isTotalRemark(cell) && !dated.has(foldHeader(cell)),
  );
}

/** A table, as far as days without training are concerned. */
interface Days {
  readonly columns: readonly AssignedColumn[];
  readonly measured: readonly AssignedColumn[];
  readonly days: readonly (string | undefined)[];
}

/** Days with a zero or nothing in every column that measures; none if the table doesn't show that they are days of rest. */
function idleRows(
  { columns, measured, days }: Days,
  isSkipped: (row: number) => boolean,
  isEmpty: (row: number) => boolean,
): readonly number[] {
  // Where nothing is measured, a row without a measure is no day of rest.
  if (measured.length === 0) return [];
  const distance = measured.find(({ role }) => role === "distance");
  const idle = [...days.keys()].filter((row) => days[row] !== undefined && !isSkipped(row) && isEmpty(row));
  const hasOthers = distance?.cells.some((cell, row) => isNone(cell) && !isEmpty(row) && !isSkipped(row)) ?? true;
  // A table in which nobody ever did anything is another kind of table.
  if (idle.length >= days.length * MOST_IDLE) return [];
  // Where a workout may have no distance, an empty row may be one. A row of zeros is none.
  const rests = hasOthers ? idle.filter((row) => measured.every(({ cells }) => isZero(cells[row] ?? ""))) : idle;
  // A value in a column that nobody reads is a workout all the same.
  const unread = columns.filter(({ role, left, isGuess }) => (role === undefined && left === undefined) || isGuess);
  return rests.some((row) => unread.some(({ cells }) => /[1-9]/.test(cells[row] ?? ""))) ? [] : rests;
}

/** What is known before days without a workout are found. */
interface DaysTask {
  /** The number of the next rule. */
  readonly at: number;
  readonly answers: Answers;
  readonly isSkipped: (row: number) => boolean;
  readonly isEmpty: (row: number) => boolean;
}

/** The rules that leave out days without a workout, the choices behind them, and the rows. */
function daysWithout(table: Days, { at, answers, isSkipped, isEmpty }: DaysTask) {
  const idle = idleRows(table, isSkipped, isEmpty);
  const rules = idle.length === 0 ? [] : [nothingDone(table.measured, idle)];
  const choices = idle.length === 0 ? [] : [idleChoice(at, idle.length)];
  const known = new Set(idle);
  const asked = askedRows(table, (row) => isSkipped(row) || known.has(row), isEmpty);
  if (asked.length === 0) return { rules, choices, rows: idle };
  const choice = unmeasuredChoice(`rows.${at + rules.length}`, table.columns, asked);
  if (answers.get(choice.place) === WORKOUTS) return { rules, choices: [...choices, choice], rows: idle };
  const blank = sportsOf(table.columns).map(({ name }) => ({ column: name, matches: "^$" }));
  const rule = { when: [...nothingIn(table.measured, asked), ...blank], skip: NOTHING_DONE, place: choice.place };
  return { rules: [...rules, rule], choices: [...choices, choice], rows: [...idle, ...asked] };
}

/** Dated rows without a sport and with nothing in every column that measures, beside others with a distance and a duration. */
function askedRows(
  { columns, measured, days }: Days,
  isSkipped: (row: number) => boolean,
  isEmpty: (row: number) => boolean,
): readonly number[] {
  const hasBoth =
    measured.some(({ split }) => split !== undefined) ||
    (measured.some(({ role }) => role === "distance") && measured.some(({ role }) => role !== "distance"));
  if (!hasBoth) return [];
  const open = [...days.keys()].filter((row) => days[row] !== undefined && !isSkipped(row));
  const full = open.filter((row) => measured.every(({ cells }) => !isNone(cells[row] ?? "")));
  const idle = open.filter(isEmpty);
  if (full.length < idle.length * LEAST_FULL) return [];
  // Of a column that nobody reads, a value which the others lack may be a workout of another sport.
  const isMore = ({ role, left, isGuess, cells }: AssignedColumn) =>
    ((role === undefined && left === undefined) || isGuess) &&
    full.filter((row) => /[1-9]/.test(cells[row] ?? "")).length < full.length * LEAST_FULL;
  const more = columns.filter((column) => isMore(column) && !staysOut(column));
  return withoutSport(columns, idle).filter((row) => !more.some(({ cells }) => isBareValue(cells[row] ?? "")));
}

/** Whether a cell has a number alone. Words with it, `swim 30 min`, never become the distance or the time of a row, so a person must see them. */
const isBareValue = (cell: string) => /[1-9]/.test(cell) && !/\p{L}{2}/u.test(cell);

/** So many rows with all measures stand beside each row without any, and so large a share of them has what is no workout of its own. */
const LEAST_FULL = 0.5;

/** The largest share of days without training in a log of training. */
const MOST_IDLE = 0.9;

const MEASURED: ReadonlySet<string> = new Set(["distance", "duration", "hours", "minutes", "seconds"]);

/** How people write that there was nothing. */
const NONE = /^(?:0+(?:[.,:]0*)*|[-–—/?.]*|n\/?a)$/i;
/** The same inside a pattern of a mapping file. */
const NONE_INSIDE = NONE.source.slice("^(?:".length, -")$".length).replaceAll("\\/", "/");

/** A pattern for cells that say so, also in words of their own. */
function patternOfNothing(cells: readonly string[]): string {
  const others = [...new Set(cells.filter((cell) => !NONE.test(cell)))].slice(0, MOST_WORDS);
  return `^(?:${[NONE_INSIDE, ...others.map(escaped)].join("|")})$`;
}

/** The rule for rows with nothing in every column that measures. */
function nothingDone(measured: readonly AssignedColumn[], idle: readonly number[]): SkipRule {
  return { when: nothingIn(measured, idle), skip: NOTHING_DONE };
}

/** The conditions that columns have nothing in a row. @param rows rows that meet them */
function nothingIn(columns: readonly AssignedColumn[], rows: readonly number[]): SkipRule["when"] {
  const isZeros = columns.every(({ cells }) => rows.every((row) => isZero(cells[row] ?? "")));
  return columns.map(({ name, cells }) => ({
    column: name,
    matches: isZeros ? ZEROS : patternOfNothing(rows.map((row) => cells[row] ?? "")),
  }));
}

/** A pattern for numbers and durations of nothing. It leaves an empty cell to be a workout. */
const ZEROS = "^0+(?:[.,:]0*)*$";

/** Words for nothing in one column. */
const MOST_WORDS = 5;

/** Whether a cell that measures something says that there was nothing. */
function isNone(cell: string): boolean {
  return isNothing(cell) || isZero(cell) || REST_WORDS.has(foldHeader(cell));
}

/** Whether a cell is the first of a row that sums up others. */
export function isTotal(cell: string): boolean {
  return totalIn(firstWords(cell)) !== undefined;
}

/** The words of a cell before a number or a mark: `Total` of `Total: 42 km`, `Week total` of `Week total 12`. */
function firstWords(cell: string): string {
  return /^[\p{L}\s]+/u.exec(cell.trim())?.[0].trim() ?? "";
}

function rowsWith({ cells }: AssignedColumn, isIt: (cell: string, row: number) => boolean) {
  const rows = [...cells.keys()].filter((row) => cells[row] !== "" && isIt(cells[row] ?? "", row));
  return {
    rows,
    texts: countTexts(rows.map((row) => cells[row] ?? ""))
      .map(([text]) => text)
      .slice(0, 20),
  };
}
