/** Holds a column of weeks against the dates of its table. Only weeks that follow from the dates may stay out: below `Woche` may as well stand kilometres or kilos. */
import { utcDay } from "../../../../transforms/calendar.ts";
import { type AssignedColumn, fieldPlace } from "../columns/roles.ts";
import { areTexts } from "../sample/column.ts";
import { foldHeader, wholeHeader } from "../words/header-words.ts";
import { isDateText, isErrorCell, isNothing } from "../words/values.ts";
import { daysOf } from "./dates.ts";

/** What a column is that doesn't follow from the dates: words, which become notes, or numbers that nobody knows. */
export type OddWeek = "words" | "numbers";

/** What the dates of a table say. */
export interface DatedRows {
  readonly days: readonly (string | undefined)[];
  /** The rows that are workouts. */
  readonly kept: readonly number[];
  /** How the dates are written. */
  readonly order: string;
}

/** This share may be slips of the keyboard. */
const SLIPS = 0.1;

/** At most this share of the rows begins to count anew: a month has four weeks. */
const ANEW = 1 / 3;

const MS_OF_DAY = 86_400_000;
const DAYS_OF_WEEK = 7;

/** No training plan and no year has more weeks. */
const MOST_WEEKS = 53;

/** A week with a number, beside its day since 1970. */
interface Week {
  readonly day: number;
  readonly number: number;
}

/** The columns of weeks that don't follow from the dates, by their names. A person's answer stands. */
export function oddWeeks(
  columns: readonly AssignedColumn[],
  rows: DatedRows,
  isAnswered: (place: string) => boolean,
): ReadonlyMap<string, OddWeek> {
  return new Map(
    columns.flatMap((column): (readonly [string, OddWeek])[] => {
      if (column.role !== "week" || column.filled.length === 0 || isAnswered(fieldPlace(column))) return [];
      const odd = oddWeek(column, rows);
      return odd === undefined ? [] : [[column.name, odd]];
    }),
  );
}

function oddWeek(column: AssignedColumn, { days, kept, order }: DatedRows): OddWeek | undefined {
  const cells = kept.flatMap((row) => {
    const [day, cell = ""] = [days[row], column.cells[row]];
    return day === undefined || isNothing(cell) || isErrorCell(cell) ? [] : [{ day: dayNumber(day), cell }];
  });
  // A date within its week says nothing else than the date of the workout.
  const others = cells.filter(({ day, cell }) => !isNearby(cell, day, order));
  const weeks = others.flatMap(({ day, cell }) => {
    const number = weekIn(cell, day);
    return number === undefined ? [] : [{ day, number }];
  });
  if (!follow(weeks)) return areTexts(column) ? "words" : "numbers";
  if (weeks.length === others.length) return undefined;
  return weeks.length < others.length / 2 && !areTexts(column) ? "numbers" : "words";
}

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / MS_OF_DAY;

/** Whether a cell is a date of the same week as a day. */
function isNearby(cell: string, day: number, order: string): boolean {
  if (!isDateText(cell)) return false;
  const [date] = daysOf([cell], order as "iso", "local");
  return date !== undefined && Math.abs(dayNumber(date) - day) < DAYS_OF_WEEK;
}

/** The number in `12`, `W12`, `KW 12`, `Week #12`, `2014-W12`, `2014/12` and `201412`; undefined for other words. */
function weekIn(cell: string, day: number): number | undefined {
  const [, year, word = "", digits] =
    /^(?:(\d{4})[-/. ]?)?(\p{L}{0,12})[-. #]{0,2}(\d{1,3})(?:[.,]0{1,2}|\.)?$/u.exec(cell) ?? [];
  if (digits === undefined || !isWordOfWeek(word)) return undefined;
  // The first days of January may be of the last week of the year before.
  if (year !== undefined && Math.abs(Number(year) - yearOf(day)) > 1) return undefined;
  return Number(digits);
}

/** A week has its letter in each language: W, S, V, U, T. */
const isWordOfWeek = (word: string) =>
  word.length <= 1 ||
  /^(?:sem|sett|tyd)$/i.test(word) ||
  (wholeHeader(foldHeader(word))?.roles.includes("week") ?? false);

const yearOf = (day: number) => Number(utcDay(day * MS_OF_DAY).slice(0, 4));

/** Whether numbers of weeks are those of their days in a calendar, or count the weeks of a training plan. */
function follow(weeks: readonly Week[]): boolean {
  const most = weeks.length * SLIPS;
  const isOf = (calendar: (day: number) => number) =>
    weeks.filter(({ day, number }) => calendar(day) !== number).length <= most;
  return CALENDARS.some(isOf) || isCount(weeks, 1) || isCount(weeks, -1);
}

/** The days since the last Monday, for a day since 1970, which began on a Thursday. */
const weekday = (day: number) => (((day + 3) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
const newYear = (day: number) => dayNumber(`${yearOf(day)}-01-01`);
const weeksSince = (from: number, day: number) => Math.floor((day - from) / DAYS_OF_WEEK) + 1;

/** The week of a day as people count it in a year. */
const CALENDARS: readonly ((day: number) => number)[] = [
  // ISO 8601: the week of the first Thursday.
  (day) => {
    const thursday = day - weekday(day) + 3;
    return weeksSince(newYear(thursday), thursday);
  },
  // As a spreadsheet counts: the week of January 1, which begins on Monday, Sunday or Saturday.
  ...[0, 1, 2].map((before) => (day: number) => {
    const first = newYear(day);
    return weeksSince(first - ((weekday(first) + before) % DAYS_OF_WEEK), day);
  }),
  // Seven days each from January 1 on.
  (day) => weeksSince(newYear(day), day),
];

/**
 * Whether numbers count weeks from any weekday on. Weeks without a workout may not be counted, and another plan begins with 1.
 *
 * @param step -1 for the weeks that are left until a race
 */
function isCount(weeks: readonly Week[], step: 1 | -1): boolean {
  const [first, ...rest] = weeks.toSorted((a, b) => a.day - b.day);
  if (first === undefined) return true;
  let [last, starts] = [first, startsOf(first, step)];
  let [wrong, anew] = [first.number > MOST_WEEKS ? 1 : 0, 0];
  for (const week of rest) {
    const same = startsOf(week, step).map((start, from) => (starts[from] === start ? start : undefined));
    const isSame = same.some((start) => start !== undefined);
    const isNext = week.number === last.number + step && week.day - last.day >= DAYS_OF_WEEK;
    const isAnew = step > 0 ? week.number <= 1 : last.number <= 1 && week.number <= MOST_WEEKS;
    if (!isSame && !isNext && !isAnew) {
      wrong++;
      continue;
    }
    if (!isSame && !isNext) anew++;
    [last, starts] = [week, isSame ? same : startsOf(week, step)];
  }
  return wrong <= weeks.length * SLIPS && anew <= weeks.length * ANEW;
}

/** The number that a count would have in the week of day 0, if its weeks begin on each of the seven weekdays. */
function startsOf({ day, number }: Week, step: 1 | -1): readonly (number | undefined)[] {
  return Array.from({ length: DAYS_OF_WEEK }, (_, from) => number - step * Math.floor((day - from) / DAYS_OF_WEEK));
}
