/**
 * Turns the text of a cell into a value, as the mapping says it is written. Text in any other form gives undefined, even if it could mean
 * something. The row decides how to handle that. Each function takes time linear in its cell.
 */
import {
  asIfUtc,
  type LocalDate,
  type LocalTime,
  lastDayBefore,
  localDate,
  localTime,
} from "../../../../transforms/calendar.ts";
import type { Start } from "../../../../transforms/model/workout.ts";
import { type Dimension, type Measure, type UnitOf, unitSpelt } from "../../../../transforms/units.ts";
import { monthNamed } from "../../../formats/month-names.ts";
import { timeOfMatch } from "../../clock.ts";
import type { Decimal } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { withoutDateWords } from "./date-words.ts";
import { withDecimals } from "./fractions.ts";
import { narrow } from "./narrow.ts";
import { namedKilometres } from "./race-names.ts";
import { parseShownDate } from "./shown-dates.ts";
import { parseFloatText, parseShownNumber } from "./shown-numbers.ts";

/** The way dates are written. */
export type Dates = Conventions["dates"];

/** Longest cell that is read, in characters. */
const LONGEST = 100;

/** A mark between thousands must form groups of three digits: `12,4,1` is not a number in any country. */
const NUMBER: Readonly<Record<"." | ",", RegExp>> = {
  ".": /^([-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,15}))(?:\.(\d{1,20}))?$/,
  ",": /^([-+]?(?:\d{1,3}(?:\.\d{3})+|\d{1,15}))(?:,(\d{1,20}))?$/,
};

/** Reads a number: `1,234.5` or `1.234,5`. With `float`, it also reads `1.2345e3`. With `shown`, it reads either of the first two. */
export function parseNumber(text: string, decimal: Decimal): number | undefined {
  if (text.length > LONGEST) return undefined;
  if (decimal === "float") return parseFloatText(text.trim());
  if (decimal === "shown") return parseShownNumber(text.trim(), undefined);
  const match = NUMBER[decimal].exec(withDecimals(plainNumber(text), decimal));
  if (match === null) return undefined;
  const [, whole = "", fraction = "0"] = match;
  return Number(`${whole.replace(/[.,]/g, "")}.${fraction}`);
}

/** Thousands as the Swiss write them: `2'400`, also with a curved mark. A mark that forms no groups of three digits stays. */
const SWISS = /^[-+]?\d{1,3}(?:['\u2019]\d{3}){1,4}(?!\d)/;

/** Thousands with a blank, as in France and Poland: `3 250`. Programs write a blank that doesn't break the line, or a narrow one (U+202F). */
const BLANK = /^[-+]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}){1,4}(?!\d)/;

/**
 * A text in narrow characters, with a plain hyphen for the minus sign (U+2212) of spreadsheets and pages, and without Swiss marks or blanks between
 * thousands.
 */
function plainNumber(text: string): string {
  return narrow(text)
    .trim()
    .replace(/^\u2212/, "-")
    .replace(SWISS, (number) => number.replaceAll(/['\u2019]/g, ""))
    .replace(BLANK, (number) => number.replaceAll(/\s/g, ""));
}

/** Reads a whole number. `72.0` counts, because spreadsheets write it. */
export function parseWhole(text: string, decimal: Decimal): number | undefined {
  const value = parseNumber(text, decimal);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}

/**
 * Reads a number with its unit. A unit in the cell replaces the column's (`5 mi` among kilometres). `Marathon` is a distance with
 * its unit, too. In a column of yards, `2k` is 2000 yards. `-5°` has the column's unit. In a column of miles, `5m` is 5 miles. In one of kilometres it
 * may be miles or metres, so it isn't read. `10M` is a race of 10 miles in both, and so is `50M`. A unit may stand in brackets: `17.5 [km]`.
 *
 * @param unit the column's; undefined if only the cell can have one
 */
export function parseMeasure<D extends Dimension>(
  dimension: D,
  text: string,
  unit: UnitOf<D> | undefined,
  decimal: Decimal,
): Measure<D> | undefined {
  if (text.length > LONGEST) return undefined;
  if (decimal === "float" || decimal === "shown") {
    const withUnit = decimal === "shown" ? shownWithUnit(dimension, text) : undefined;
    if (withUnit !== undefined) return withUnit;
    const bare = decimal === "float" ? parseFloatText(text.trim()) : parseShownNumber(text.trim(), unit);
    return bare === undefined || unit === undefined ? undefined : { unit, value: bare };
  }
  const named = dimension === "distance" ? namedKilometres(text) : undefined;
  if (named !== undefined) return { unit: "km" as UnitOf<D>, value: named };
  const [, digits = "", behind = ""] =
    /^([-+\d.,]+)\s*([^\d\s.,+-][^\d]*)?$/.exec(withDecimals(plainNumber(text), decimal)) ?? [];
  const word = /^[([]([^()[\]]*)[)\]]$/.exec(behind)?.[1]?.trim() ?? behind;
  const value = parseNumber(digits, decimal);
  if (value === undefined) return undefined;
  const thousands = dimension === "distance" ? thousandsOfYards(word, unit) : undefined;
  if (thousands !== undefined) return { unit: "yd" as UnitOf<D>, value: withoutNoise(value * thousands) };
  const isFew = dimension === "distance" && word === "m" && isTooFewMetres(value);
  if (isFew && unit === "km") return undefined;
  if (isFew && unit === "mi") return { unit, value };
  if (isShortMile(dimension, word, unit) && value > 0 && value <= MOST_SHORT_MILES)
    return { unit: "mi" as UnitOf<D>, value };
  const isBare = word === "" || (dimension === "temperature" && word === "°");
  const said = isBare ? unit : unitSpelt(dimension, isShortYard(text, word) ? "yd" : word);
  return said === undefined ? undefined : { unit: said, value };
}

/** A number with either mark and its own unit: `10,5 Km` among `10.5`. Undefined for one without a unit. */
function shownWithUnit<D extends Dimension>(dimension: D, text: string): Measure<D> | undefined {
  const [, number = "", word = ""] = /^([\d.,]{1,20})\s?(\p{L}{1,12})$/u.exec(plainNumber(text)) ?? [];
  const unit = unitSpelt(dimension, word);
  const value = unit === undefined ? undefined : parseShownNumber(number, unit);
  return unit === undefined || value === undefined ? undefined : { unit, value };
}

/** No workout has fewer metres: a smaller number before `m`, in a column of kilometres or miles, is how people write miles. */
const LEAST_METRES = 50;

/** The longest race of which people write `M` for miles: a `100M` is a sprint as well. */
const MOST_SHORT_MILES = 50;

/** Whether a number before `m` is too small for metres. */
export const isTooFewMetres = (value: number) => value > 0 && value < LEAST_METRES;

/** Whether a word is the `M` of `10M`, as British races write miles beside `10K`. In a column of metres or yards, `25M` is a length of a pool. */
const isShortMile = (dimension: Dimension, word: string, unit: string | undefined) =>
  dimension === "distance" && word === "M" && unit !== "m" && unit !== "yd";

/** Whether a text such as `5m` may be miles as well as metres. */
export function mayBeMiles(text: string): boolean {
  const [, digits = ""] = /^([\d.]{1,10})\s*m$/.exec(text.trim()) ?? [];
  return isTooFewMetres(Number(digits));
}

/** Swimmers write `2k` for 2000 yards. 1000 if a word says so, in a column of yards or with `yd` behind it; undefined for any other word. */
function thousandsOfYards(word: string, unit: string | undefined): number | undefined {
  if (!/^k/i.test(word)) return undefined;
  const own = word.slice(1).trim();
  const said = own === "" ? unit : unitSpelt("distance", own);
  return said === "yd" ? 1000 : undefined;
}

/** Whether a word is the `y` of `1800y`. With a blank before it, it may be the Spanish word for "and". */
function isShortYard(text: string, word: string): boolean {
  return word.toLowerCase() === "y" && /\dy\s*$/i.test(text);
}

/** 2.3 * 1000 as a person computes it. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/** Reads a date. Excel's numbers are days since 1899-12-30, or since 1904-01-01 in workbooks of old Macs. */
export function parseDate(text: string, dates: Dates, decimal: Decimal): LocalDate | undefined {
  const split = splitDate(text, dates, decimal);
  return split !== undefined && isMidnight(split.rest) && split.fraction === 0 ? split.date : undefined;
}

/** Whether the text behind a date is no time: nothing, or the midnight that programs write behind a date without a time. */
function isMidnight(rest: string): boolean {
  return rest === "" || /^(?:T|,?\s+)00?:00(?::00(?:\.0{1,9})?)?$/.test(rest);
}

/** An ISO time with its distance from UTC: `2024-01-15T10:00:00Z`. */
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(?:Z|[-+]\d{2}:?\d{2})$/;

/** Reads a date and, if the cell has one, a time. Among dates as a platform shows them, an ISO time says itself how far from UTC it is. */
export function parseDateTime(text: string, dates: Dates, decimal: Decimal): Start | undefined {
  if (dates.order === "shown" && WITH_OFFSET.test(text.trim()))
    return parseDateTime(text.trim(), { ...dates, order: "iso", zone: "offset" }, decimal);
  if (dates.order === "shown") return shownStart(parseShownDate(text), dates);
  const split = splitDate(text, dates, decimal);
  if (split === undefined) return undefined;
  const { date, rest, fraction } = split;
  if (isExcel(dates)) return rest === "" ? { date, time: timeOfFraction(fraction) } : undefined;
  const zone = /(?:Z|[-+]\d{2}:?\d{2})$/.exec(rest)?.[0];
  const clock = rest
    .slice(0, rest.length - (zone?.length ?? 0))
    .replace(/^[T,\s]+/, "")
    .trimEnd();
  if (clock === "") return zone === undefined ? { date } : undefined;
  const time = parseClock(clock);
  return time === undefined ? undefined : toStart(date, time, zone, dates);
}

function shownStart(millis: number | undefined, dates: Dates): Start | undefined {
  if (millis === undefined) return undefined;
  const [date = "", time = ""] = new Date(millis).toISOString().slice(0, 19).split("T");
  return toStart(date, time, undefined, dates);
}

/**
 * Interprets a date and a time in the mapping's zone. `local` is the local time of the workout. `utc` is an instant. With `offset`, each cell gives
 * its distance from UTC. A cell with `Z` is an instant without a local time.
 */
export function toStart(date: LocalDate, time: LocalTime, zone: string | undefined, dates: Dates): Start | undefined {
  const asUtc = asIfUtc({ date, time });
  switch (dates.zone) {
    case "local":
      return zone === undefined ? { date, time } : undefined;
    case "utc":
      return zone === undefined || zone === "Z" ? { instant: asUtc } : undefined;
    case "offset": {
      if (zone === undefined) return undefined;
      if (zone === "Z") return { instant: asUtc };
      const [, sign, hours, minutes] = /^([-+])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
      const offsetMinutes = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
      return { date, time, instant: asUtc - offsetMinutes * 60_000, offsetMinutes };
    }
  }
}

/** Reads a time of day: `18:05`, `6:05:30 PM`, `18.05 Uhr`, `18h05`, `1805`, `午後6:05`. With Excel's dates, it also reads a fraction of a day. */
export function parseTimeOfDay(text: string, dates: Dates, decimal: Decimal): LocalTime | undefined {
  const plain = narrow(text).trim();
  if (isExcel(dates)) {
    const fraction = parseNumber(plain, decimal);
    if (fraction !== undefined) return fraction >= 0 && fraction < 1 ? timeOfFraction(fraction) : undefined;
  }
  const bare = BARE_CLOCK.exec(plain);
  return bare === null ? parseClock(plain) : timeOfMatch(bare);
}

/** `0630`, and `630` where a spreadsheet dropped the zero. */
const BARE_CLOCK = /^(\d{1,2})(\d{2})$/;

const CLOCK = /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?\s*(?:([ap])\.?\s?m?\.?|uhr|h)?$/i;

function parseClock(text: string): LocalTime | undefined {
  const match = text.length > LONGEST ? null : CLOCK.exec(withHalfBehind(text));
  return match === null ? undefined : timeOfMatch(match);
}

/** `午後6:24`, as Japanese spreadsheets show 6:24 in the afternoon, is `6:24 pm`. They count the hour after noon as 0 or as 12. */
function withHalfBehind(text: string): string {
  const [whole = "", half] = /^(午前|午後)\s?(?=\d)/.exec(text) ?? [];
  if (half === undefined) return text;
  return `${text.slice(whole.length).replace(/^0{1,2}(?=:)/, "12")} ${half === "午前" ? "am" : "pm"}`;
}

/** Rounds to seconds. 0.53125 of a day is 12:45:00, and doubles can't hold most of these fractions. */
function timeOfFraction(fraction: number): LocalTime {
  const seconds = Math.min(Math.round(fraction * 86_400), 86_399);
  return localTime(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60) as LocalTime;
}

/** Day, month and year in the order that a mapping names, with the usual marks between them. */
const DATE_FORMS: Readonly<Record<"iso" | "ymd" | "dmy" | "mdy", { form: RegExp; order: readonly string[] }>> = {
  iso: {
    form: /^(\d{4})[-/.\s]\s?(\d{1,2}|\p{L}{3,12}\.?)[-/.\s]\s?(\d{1,2})(?!\d)/u,
    order: ["y", "m", "d"],
  },
  // An order of its own: 17-01-02 in a column of whole years is a mistake, and may as well be 17 January.
  ymd: {
    form: /^(\d{4}|\d{2})[-/.\s]\s?(\d{1,2}|\p{L}{3,12}\.?)[-/.\s]\s?(\d{1,2})(?!\d)/u,
    order: ["y", "m", "d"],
  },
  dmy: {
    form: /^(\d{1,2})(?:\.\s?|[/\-\s])(\d{1,2}|\p{L}{3,12}\.?)(?:\.\s?|[/\-\s])\s?(\d{4}|\d{2})(?!\d)/u,
    order: ["d", "m", "y"],
  },
  mdy: {
    form: /^(\d{1,2}|\p{L}{3,12}\.?)[/\-.\s](\d{1,2})(?:[/\-.]|,?\s)(\d{4}|\d{2})(?!\d)/u,
    order: ["m", "d", "y"],
  },
};

/** `20140301`, alone or before a time. */
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})(?=$|[T\s])/;

/** `180101`, in a column of such dates alone. */
const SHORT = /^(\d{2})(\d{2})(\d{2})(?=$|[T\s])/;

/** 1899-12-30 and 1904-01-01 as days since 1970, negative. Excel's day 60 is 29 February 1900, a date that never existed. */
const EPOCH_DAYS = { excel: -25_569, "excel-1904": -24_107 } as const;
const FIRST_SERIAL = 61;
const LAST_SERIAL = 2_958_465;

interface SplitDate {
  readonly date: LocalDate;
  /** The text after the date. */
  readonly rest: string;
  /** The fraction of the day, in Excel's numbers. */
  readonly fraction: number;
}

function splitDate(text: string, dates: Dates, decimal: Decimal): SplitDate | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = withoutDateWords(narrow(text).trim());
  if (dates.order === "excel" || dates.order === "excel-1904") {
    const serial = parseNumber(plain, decimal);
    if (serial === undefined || serial < FIRST_SERIAL || serial > LAST_SERIAL) return undefined;
    const day = Math.floor(serial);
    const date = new Date((day + EPOCH_DAYS[dates.order]) * 86_400_000).toISOString().slice(0, 10);
    return { date, rest: "", fraction: serial - day };
  }
  const parts = datePartsOf(plain, dates);
  const date = parts === undefined ? undefined : localDate(...parts.date);
  return parts === undefined || date === undefined ? undefined : { date, rest: parts.rest, fraction: 0 };
}

/** The last day of the month that a date runs past, such as `2021-02-28` for `2021-02-31`; undefined where a date exists, or isn't written as `dates` says. */
export function dayBeforeMissing(text: string, dates: Dates): LocalDate | undefined {
  if (text.length > LONGEST || isExcel(dates)) return undefined;
  const [year = 0, month = 0, day = 0] = datePartsOf(withoutDateWords(narrow(text).trim()), dates)?.date ?? [];
  const last = lastDayBefore(year, month, day);
  return last === undefined ? undefined : localDate(year, month, last);
}

/** The year, month and day that a text names, which may not exist, and the text behind them. */
function datePartsOf(
  plain: string,
  dates: Dates,
): { readonly date: readonly [year: number, month: number, day: number]; readonly rest: string } | undefined {
  // `shown` always has a time, so it is read elsewhere. Excel's numbers have no parts.
  if (dates.order === "shown" || dates.order === "excel" || dates.order === "excel-1904") return undefined;
  const compact = { iso: COMPACT, ymd: SHORT, dmy: undefined, mdy: undefined }[dates.order];
  const own = compact?.exec(plain) ?? DATE_FORMS[dates.order].form.exec(plain);
  const match = own ?? namedMonth(plain, dates.order);
  if (match === null) return undefined;
  const { order } = DATE_FORMS[own === null ? OTHER_WAY[dates.order] : dates.order];
  const part = (letter: string) => match[order.indexOf(letter) + 1] ?? "";
  const month = /^\d/.test(part("m")) ? Number(part("m")) : monthNamed(part("m"));
  if (month === undefined) return undefined;
  // Hungarian and Serbian dates end with a dot: `2015.03.02.`
  const rest = plain.slice(match[0].length).replace(/^\.(?=\s|$)/, "");
  return { date: [yearOf(part("y"), dates), month, Number(part("d"))], rest };
}

/** Where the day is written before the month, its opposite, and the other way round. */
const OTHER_WAY = { iso: "iso", ymd: "ymd", dmy: "mdy", mdy: "dmy" } as const;

/** A date in the other order with the name of its month, as `Jul 21, 2016` in a column of `20 Jul 2016`: the name leaves one reading. */
function namedMonth(plain: string, order: keyof typeof OTHER_WAY): RegExpExecArray | null {
  const match = order === "dmy" || order === "mdy" ? DATE_FORMS[OTHER_WAY[order]].form.exec(plain) : null;
  return match?.slice(1, 3).some((part) => monthNamed(part) !== undefined) ? match : null;
}

function yearOf(digits: string, { twoDigitYearPivot }: Dates): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < twoDigitYearPivot ? 2000 + year : 1900 + year;
}

function isExcel({ order }: Dates): boolean {
  return order === "excel" || order === "excel-1904";
}
