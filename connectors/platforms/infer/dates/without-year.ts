/** Completes dates without a year: by the title, the name of the sheet or of the file, the names of weekdays, or a person's answer. */
import { weekdayOf } from "../../../../transforms/calendar.ts";
import { shellWord } from "../../../../transforms/text/shell.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { isWeekday, weekdaysNamed } from "../../../formats/weekday-names.ts";
import { withoutDateWords } from "../../table/cells/date-words.ts";
import { parseTitle } from "../../table/shapes/complete-dates.ts";
import type { Answers, Choice, Option } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import type { ColumnSample } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";
import { isNumber } from "../words/values.ts";

/** The place of the year of the first row. */
export const YEAR = "dates.year";

/** A table whose dates are completed. */
export interface CompletedSheet {
  readonly sample: SheetSample;
  /** The year of the first row, and whether the years go up or down at New Year. */
  readonly choices: readonly Choice[];
  /** The order of day and month, if names of months show it. */
  readonly order: Choice | undefined;
}

/** A date without a year. */
export interface DayAndMonth {
  readonly text: string;
  readonly parts: readonly [number, number];
  /** The place of the month where it is a name. */
  readonly named: 0 | 1 | undefined;
  /** The weekdays that the cell or the column beside it names. */
  readonly weekdays: ReadonlySet<number>;
}

/** What is known besides the table. */
export interface YearEvidence {
  readonly answers: Answers;
  /** No workout is later. */
  readonly today: string;
  /** The weekdays that the dates can be, if a row is a week. */
  readonly ends?: readonly number[] | undefined;
}

/** Completes the dates of a table; undefined if no column has dates without a year. */
export function withYears(
  sample: SheetSample,
  columns: readonly ColumnSample[],
  known: YearEvidence,
): CompletedSheet | NoProposal | undefined {
  const column = yearlessColumn(columns);
  if (column === undefined) return undefined;
  const beside = columns.find((one) => one !== column && one.filled.length > 0 && one.filled.every(isWeekday));
  const cells = column.cells.map((cell, row) => dayAndMonth(cell, beside?.cells[row]));
  const says = `the dates in the column ${JSON.stringify(column.name)} have no year, such as ${JSON.stringify(column.filled[0])}`;
  const { sheetNames = [] } = sample;
  if (sheetNames.length > 1)
    return {
      problem: `${says}, and each sheet may be of another year`,
      next: `Propose for one sheet at a time, as in --sheet ${shellWord(sheetNames[0] ?? "")} with --out, and name the year of each`,
    };
  const place = placeOfMonth(cells);
  const months = cells.map((cell) => cell?.parts[place]);
  const turn = turnOf(months);
  if (turn === "unclear")
    return {
      problem: `${says}, and the order of the rows doesn't say which year each is of: the month jumps both ways`,
      next: "Sort the rows, or write the year into each date, and propose again",
    };
  const table = { cells, place, offsets: offsetsOf(months, turn), turn, says, ends: known.ends };
  const year = yearChoice(sample, table, known);
  const isNamed = cells.some((cell) => cell?.named !== undefined);
  const rows = sample.rows.map((row, at) => {
    const cell = cells[at];
    if (cell === undefined) return row;
    const whole = withYear(cell, Number(year.value) + (table.offsets[at] ?? 0));
    return { ...row, fields: row.fields.map((text, index) => (index === column.index ? whole : text)) };
  });
  const base = { contradicting: 0, rows: column.filled.length };
  return {
    sample: { ...sample, rows },
    choices: [year, ...(turn === "none" ? [] : [{ ...base, place: "dates.newYear", value: turn, why: TURNS[turn] }])],
    order: isNamed
      ? { ...base, place: "dates.order", value: place === 1 ? "dmy" : "mdy", why: "the months have names" }
      : undefined,
  };
}

/** The column with dates that have no year. */
function yearlessColumn(columns: readonly ColumnSample[]): ColumnSample | undefined {
  const possible = columns.filter(
    ({ filled }) =>
      filled.length > 0 && filled.filter((cell) => dayAndMonth(cell) !== undefined).length >= filled.length / 2,
  );
  // `5.5` below `Miles` looks like a day and a month, too.
  return (
    possible.find(({ meaning }) => meaning.roles.includes("date")) ??
    possible.find(({ filled }) => !filled.every(isNumber))
  );
}

/** `13/3`, `13. März`, `3 Nov`, `Nov 3`. */
const DAY_AND_MONTH = /^(\d{1,2}|\p{L}{3,10}\.?)(?:[./-]\s?|\s)(\d{1,2}|\p{L}{3,10})\.?$/u;

/** The day and the month of a cell without a year; undefined for any other text. @param weekday the cell beside it that names its weekday */
export function dayAndMonth(cell: string, weekday = ""): DayAndMonth | undefined {
  const text = withoutDateWords(cell);
  const [whole, ...found] = DAY_AND_MONTH.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const months = found.map(monthNamed);
  const [first = Number.NaN, second = Number.NaN] = found.map((part, at) => months[at] ?? Number(part));
  const named = months[1] !== undefined ? 1 : months[0] !== undefined ? 0 : undefined;
  const [least, most] = [Math.min(first, second), Math.max(first, second)];
  const isDate = least >= 1 && (named === undefined ? least <= 12 && most <= 31 : most <= 31);
  if (!isDate || (months[0] !== undefined && months[1] !== undefined)) return undefined;
  const own = cell.split(/[\s,]+/).find((word) => isWeekday(word) && monthNamed(word) === undefined);
  return { text, parts: [first, second], named, weekdays: weekdaysNamed(own ?? weekday) };
}

/** The same date with its year, as a person would write it. */
export function withYear({ text, named }: DayAndMonth, year: number): string {
  const bare = text.replace(/(?<=\d)\.$/, "");
  const mark = named === undefined ? (/[./-]/.exec(bare)?.[0] ?? "/") : " ";
  return `${bare}${mark}${year}`;
}

/** The place of the month: where it is a name, where no number is past the 12th, or where the number repeats from row to row. */
function placeOfMonth(cells: readonly (DayAndMonth | undefined)[]): 0 | 1 {
  const known = cells.filter((cell) => cell !== undefined);
  const named = known.find((cell) => cell.named !== undefined)?.named;
  if (named !== undefined) return named;
  if (known.some(({ parts }) => parts[0] > 12)) return 1;
  if (known.some(({ parts }) => parts[1] > 12)) return 0;
  const changes = (place: 0 | 1) =>
    known.filter(({ parts }, row) => row > 0 && parts[place] !== known[row - 1]?.parts[place]).length;
  return changes(0) <= changes(1) ? 0 : 1;
}

/** What the order of the rows says of the years: the evidence. */
const TURNS = {
  up: "the rows cross New Year: the month falls from the end of a year to its beginning",
  down: "the rows cross New Year, the newest row first",
} as const;

type Turn = keyof typeof TURNS | "none" | "unclear";

/** Months between neighbours that lie on two sides of New Year. */
const ACROSS = 6;

/** How much the month goes up from one dated row to the next. */
function jumpsOf(months: readonly (number | undefined)[]): readonly number[] {
  const known = months.filter((month) => month !== undefined);
  return known.slice(1).map((month, row) => month - (known[row] ?? 0));
}

/** How dates without a year cross New Year in the order of their rows. */
function turnOf(months: readonly (number | undefined)[]): Turn {
  const jumps = jumpsOf(months);
  const [up, down] = [jumps.some((jump) => jump <= -ACROSS), jumps.some((jump) => jump >= ACROSS)];
  if (up && down) return "unclear";
  return up ? "up" : down ? "down" : "none";
}

/** The years of the rows, counted from that of the first row. */
function offsetsOf(months: readonly (number | undefined)[], turn: Turn): readonly number[] {
  let [offset, last]: [number, number | undefined] = [0, undefined];
  return months.map((month) => {
    if (month === undefined) return offset;
    const jump = month - (last ?? month);
    if (turn === "up" && jump <= -ACROSS) offset++;
    if (turn === "down" && jump >= ACROSS) offset--;
    last = month;
    return offset;
  });
}

/** The dates of a table, as far as the choice of a year is concerned. */
interface YearlessTable {
  readonly cells: readonly (DayAndMonth | undefined)[];
  readonly place: 0 | 1;
  readonly offsets: readonly number[];
  readonly turn: Turn;
  readonly says: string;
  readonly ends: readonly number[] | undefined;
}

/** The year of the first row. The names and the weekdays decide, if they agree on one year. */
function yearChoice(sample: SheetSample, table: YearlessTable, { answers, today }: YearEvidence): Choice {
  const base = { place: YEAR, contradicting: 0, rows: table.cells.filter((cell) => cell !== undefined).length };
  const answer = answers.get(YEAR);
  if (answer !== undefined && isYear(answer)) return { ...base, value: answer, why: "your answer" };
  const said = saidYears(sample, table.turn);
  const isPast = (year: number) => daysIn(table, year).every(({ day }) => day <= today);
  const latest = Number(today.slice(0, 4)) + (table.turn === "down" ? 1 : 0);
  const recent = Array.from({ length: YEARS_BACK }, (_, at) => latest - at).filter(isPast);
  const named = table.ends ? base.rows : table.cells.filter((cell) => (cell?.weekdays.size ?? 0) > 0).length;
  const fits = (year: number) => weekdaysFit(table, year) >= named * SHARE;
  const isShown = named >= (table.ends ? LEAST_WEEKS : LEAST_WEEKDAYS);
  const byDay = isShown ? recent.filter(fits) : [];
  const fitting = said.years.filter((year) => isPast(year) && (!isShown || fits(year)));
  const [only, ...others] = fitting;
  const shown = alternatives(
    [...new Set(said.texts)].map((text) => JSON.stringify(text)),
    "and",
  );
  const names = said.texts.length === 0 ? "" : `. The title or the name says ${shown}`;
  const beside = !isShown
    ? ""
    : table.ends
      ? ". Each date begins or ends a week"
      : `. ${named} rows name their weekday`;
  if (only !== undefined && others.length === 0 && (said.isPlain || isShown))
    return { ...base, value: String(only), why: `the title or the name says ${shown}${beside}` };
  const possible = fitting.length > 0 ? fitting : byDay.length > 0 ? byDay : [...said.years, ...recent];
  const options = [...new Set(possible)].slice(0, MOST_YEARS).map((year) => optionOf(year, table));
  const value = options[0]?.value ?? today.slice(0, 4);
  return {
    ...{ ...base, value, options, why: `${table.says}${names}${beside}` },
    question: "Which year is the first row of?",
    ...((said.texts.length > 1 || (fitting.length === 0 && byDay.length === 0 && said.years.length === 0)) && {
      isUnproven: true as const,
    }),
  };
}

/** Most years among the answers to a question, and how far back they go. A person may name any other one. */
const [MOST_YEARS, YEARS_BACK] = [25, 40];

/** This share of the weekdays must fit a year, and fewer weekdays show nothing. */
const [SHARE, LEAST_WEEKDAYS, LEAST_WEEKS] = [0.9, 5, 2];

/** Whether a text is a year of workouts. */
export const isYear = (text: string) => /^(?:19|20)\d{2}$/.test(text);

function optionOf(year: number, { cells, offsets }: YearlessTable): Option {
  const first = cells.find((cell) => cell !== undefined);
  const last = year + (offsets.at(-1) ?? 0);
  const means = first === undefined ? String(year) : `${first.text.replace(/\.$/, "")} is in ${year}`;
  return { value: String(year), means: last === year ? means : `${means}, and the last row in ${last}` };
}

/** The days of the rows, if the first one is of a year; none for a 29 February that the year doesn't have. */
function daysIn({ cells, place, offsets }: YearlessTable, year: number) {
  return cells.flatMap((cell, row) => {
    if (cell === undefined) return [];
    const two = (value: number) => String(value).padStart(2, "0");
    const own = year + (offsets[row] ?? 0);
    const [month, date] = [cell.parts[place], cell.parts[1 - place] ?? 0];
    const isLeap = new Date(Date.UTC(own, month - 1, date)).getUTCDate() === date;
    return isLeap ? [{ day: `${own}-${two(month)}-${two(date)}`, weekdays: cell.weekdays }] : [];
  });
}

function weekdaysFit(table: YearlessTable, year: number): number {
  const days = daysIn(table, year);
  if (table.ends === undefined) return days.filter(({ day, weekdays }) => weekdays.has(weekdayOf(day))).length;
  return Math.max(...table.ends.map((end) => days.filter(({ day }) => weekdayOf(day) === end).length));
}

/** `2013/14`, `2013-2014`: a season over New Year. */
const SEASON = /(?<!\d)((?:19|20)\d{2}) ?[/–-] ?((?:19|20)?\d{2})(?!\d)/;

/** What names say of the year of the first row. */
interface SaidYears {
  readonly texts: readonly string[];
  readonly years: readonly number[];
  /** Whether they say one year and the rows stay in it. */
  readonly isPlain: boolean;
}

/** The years in the title of a table, in the name of its sheet and in that of its file. A title may be copied from the year before, or name the year of a club, so names that contradict it count, too. */
function saidYears({ title, path, sheetNames = [] }: SheetSample, turn: Turn): SaidYears {
  const stem = (path.split("/").at(-1) ?? "").replace(/\.[a-z]{2,5}$/i, "");
  const texts = [title, ...sheetNames, stem];
  const all = texts.flatMap((text) => yearsIn(text, turn) ?? []);
  const [first] = all;
  const yearsOf = (text: string) => [...text.matchAll(ANY_YEAR)].map(([year]) => Number(year));
  if (first === undefined) {
    const years = [...new Set(texts.flatMap(yearsOf))];
    return { texts: years.map(String), years, isPlain: false };
  }
  const others = texts.flatMap((text) => {
    const named = yearsOf(text);
    const isBetween = (year: number) => year >= Math.min(...named) && year <= Math.max(...named);
    return first.years.some(isBetween) ? [] : named;
  });
  if (others.length === 0) return first;
  return {
    texts: [...first.texts, ...new Set(others.map(String))],
    years: [...new Set([...first.years, ...others])],
    isPlain: false,
  };
}

/** A year anywhere in a name, that is old enough for a log and no part of a longer number. */
export const ANY_YEAR = /(?<!\d)(?:19[6-9]\d|20\d\d)(?!\d)/g;

/** Few logs are older. `TSV Waldheim 1921` names the year of a club. */
const FIRST_YEAR = 1960;

/** What one text says of the year of the first row. */
function yearsIn(text: string, turn: Turn): SaidYears | undefined {
  const [whole, first, second] = SEASON.exec(text) ?? [];
  if (whole !== undefined && Number(second) % 100 === (Number(first) + 1) % 100) {
    // The first row is of the first year, or of the second one if the newest stands first.
    const years = [Number(first), Number(first) + 1];
    const fitting = turn === "up" ? years.slice(0, 1) : turn === "down" ? years.slice(1) : years;
    return { texts: [whole], years: fitting, isPlain: fitting.length === 1 };
  }
  const year = parseTitle(text)?.year ?? onlyYear(text);
  if (year === undefined || year < FIRST_YEAR) return undefined;
  // Rows across New Year are of two years, and one of them is this.
  const years = turn === "none" ? [year] : turn === "up" ? [year, year - 1] : [year, year + 1];
  return { texts: [String(year)], years, isPlain: turn === "none" };
}

/** The year of a text in which no other number stands. */
function onlyYear(text: string): number | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  return numbers.length === 1 && isYear(numbers[0] ?? "") ? Number(numbers[0]) : undefined;
}
