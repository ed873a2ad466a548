/** The ways to write a duration. Only the formats that a column declares are tried. */
import type { Seconds } from "../../../../transforms/model/workout.ts";
import type { ColumnSpec, Decimal, DurationFormat } from "../mapping/fields.ts";
import { parseNumber } from "./cells.ts";
import { withDecimals } from "./fractions.ts";
import { narrow } from "./narrow.ts";

/** Seconds may have a fraction, after either mark, because races are timed to tenths. */
const THREE_PARTS = /^(\d{1,4}):([0-5]?\d):([0-5]?\d(?:[.,]\d{1,9})?)(?:\s?(?:h|hrs?|std|uur|godz)\.?)?$/i;
/** The days in front of a duration, as programs in Python write it: `0 days 01:02:30`, `1 day, 1:02:30`. */
const DAYS = /^(\d{1,3}) days?,? (?=\d{1,2}:\d{2}:)/;

const TWO_PARTS = /^(\d{1,4}):([0-5]\d(?:[.,]\d{1,9})?)(?:\s?(h|hrs?|std|uur|godz|min|mins|mn)\.?)?$/i;

/** Words and signs of hours, minutes and seconds in the languages of sheets. */
const HOURS =
  "h|u|t|g(?=\\s?\\d)|hrs?|hours?|std|stunden?|heures?|horas?|ora|ore|uur|uren|tim|timm?ar|timme|timer?|godz|godzin[ay]?|時間";
const MINUTES = "m|mn|mins?|minutes?|minuten|minuut|minuti|minuto|minutos|minuter|minut|minutter|minuty|分|'|′|’";
const SECONDS =
  "s|secs?|seconds?|sek|sekunden|secondes?|segundos?|seg|secondi|seconden|sekunder|sekund|sekundy|秒|\"|″|”|''";

/**
 * A duration in words: `1h 5m`, `1h05`, `45'30"`, `45 min`, `1 Std. 5 Min.`, `1 hora y 5 minutos`. At least one word must be there. A number without a word counts only
 * after a larger unit.
 */
const TEXT = new RegExp(
  `^(?:(\\d{1,4})\\s?(?:${HOURS})\\.?\\s?(?:(?:and|und|et|y|e|en|och|og|i)\\s)?)?(?:(\\d{1,5}(?:[.,]\\d{1,9})?)\\s?(?:(${MINUTES})\\.?\\s?|$))?(?:(\\d{1,5}(?:[.,]\\d{1,9})?)\\s?(?:(${SECONDS})\\.?)?)?$`,
  "i",
);

/** Hours with a fraction: `1.5h`, `0,75 Std`. Parts such as `1.30h` may be minutes, and are no duration. */
const PARTS_OF_HOURS = new RegExp(`^(\\d{1,3}[.,](?:\\d|[6-9]\\d))\\s?(?:${HOURS})\\.?$`, "i");

/** A fraction of hours in signs or with a stroke, and no hour more: `½ h`, `3/4 h`, `1 1/2 Std`. With `h` behind it, it is no day. */
const FRACTION_OF_HOURS = new RegExp(`^(?:(\\d{1,3}) )?([1-7])[/⁄]([2348])\\s?(?:${HOURS})\\.?$`, "i");
const SIGN_OF_HOURS = new RegExp(`^\\d{0,3} ?[½¼¾⅓⅔⅛⅜⅝⅞]\\s?(?:${HOURS})\\.?$`, "i");

/** `PT1H5M30S`, as ISO 8601 has it, in the groups of `TEXT`. */
const ISO = /^PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})(M))?(?:(\d{1,5}(?:\.\d{1,9})?)(S))?$/;

const DOTTED = /^(\d{1,4})[.,]([0-5]\d)$/;

/** Spreadsheets drop zeros at the end of a number: they make 45.3 of 45.30, and 45 of 45.00. */
function padded(text: string): string {
  if (/^\d{1,4}$/.test(text)) return `${text}.00`;
  return /^\d{1,4}[.,]\d$/.test(text) ? `${text}0` : text;
}

const READERS: Readonly<Record<DurationFormat, (text: string, decimal: Decimal) => Seconds | undefined>> = {
  "h:mm:ss": (text) => withDays(text, sum(THREE_PARTS.exec(text.replace(DAYS, "")), [3600, 60, 1])),
  "h:mm": (text) => (/[.,]\d|m/i.test(text) ? undefined : sum(TWO_PARTS.exec(text), [3600, 60])),
  "mm:ss": (text) => (/[hug]/i.test(text) ? undefined : sum(TWO_PARTS.exec(text), [60, 1])),
  "mm:ss:00": (text) => sum(/^(\d{1,4}):([0-5]\d):00$/.exec(text), [60, 1]),
  // 45.30 for 45 min 30 s. As minutes it would be 45 min 18 s, so a mapping must say which.
  "mm.ss": (text) => sum(DOTTED.exec(padded(text)), [60, 1]),
  "h.mm": (text) => sum(DOTTED.exec(padded(text)), [3600, 60]),
  "h.mm.ss": (text) => sum(/^(\d{1,3})\.([0-5]\d)\.([0-5]\d)$/.exec(text), [3600, 60, 1]),
  // 4530 for 45 min 30 s, and 10230 for 1 h 2 min 30 s, where a program dropped the colons and the zeros in front.
  hmmss: (text) =>
    /^\d{1,6}$/.test(text) ? sum(/^(\d\d)([0-5]\d)([0-5]\d)$/.exec(text.padStart(6, "0")), [3600, 60, 1]) : undefined,
  clock: (text) => onTheClock(text),
  "zero-day": (text) => onZeroDay(text),
  minutes: (text, decimal) => times(parseNumber(text, decimal), 60),
  hours: (text, decimal) => times(parseNumber(text, decimal), 3600),
  seconds: (text, decimal) => times(parseNumber(text, decimal), 1),
  milliseconds: (text, decimal) => times(parseNumber(text, decimal), 0.001),
  // A double holds a day's fraction to well under a millisecond. Smaller parts are noise of the spreadsheet.
  "day-fraction": (text, decimal) => times(parseNumber(text, decimal), 86_400),
  text: (text) => inWords(text),
};

/** Longest cell that is read as a duration, in characters. */
const LONGEST = 40;

/**
 * Reads a duration, with the first declared format that fits the cell.
 *
 * @returns seconds, 0 or more; undefined if no format fits
 */
export function parseDuration(text: string, formats: readonly DurationFormat[], decimal: Decimal): Seconds | undefined {
  const plain = narrow(text).trim();
  if (plain.length > LONGEST) return undefined;
  for (const format of inOrder(formats, plain)) {
    const seconds = READERS[format](plain, decimal);
    if (seconds !== undefined && seconds >= 0) return seconds;
  }
  return undefined;
}

/**
 * The formats of a column in the order in which a cell of it is tried. A column that mixes `h:mm` and `mm:ss` says by the number before the colon
 * which of them comes first. The letter in `45:30 min` still decides.
 */
export function formatsFor(
  text: string,
  { format = [], hoursBelow, hoursAreMinutes }: Pick<ColumnSpec, "format" | "hoursBelow" | "hoursAreMinutes">,
): readonly DurationFormat[] {
  // In 0:45:00 nothing but the minutes are minutes.
  if (hoursAreMinutes && !/^0*:/.test(text.trim()) && parseDuration(text, ["mm:ss:00"], ".") !== undefined)
    return ["mm:ss:00"];
  if (hoursBelow === undefined) return format;
  const first: DurationFormat = Number.parseInt(text, 10) < hoursBelow ? "h:mm" : "mm:ss";
  return [first, ...format.filter((one) => one !== first)];
}

/** From so many hours on, 45:30:00 among h:mm:ss is more likely 45 min 30 s, which a spreadsheet took for hours. */
const TOO_LONG_HOURS = 12;

/** The formats in the order in which they are tried. A cell of 12 hours or more is minutes and seconds first, if the mapping has both. */
function inOrder(formats: readonly DurationFormat[], text: string): readonly DurationFormat[] {
  if (!formats.includes("mm:ss:00") || !formats.includes("h:mm:ss")) return formats;
  return Number.parseInt(text, 10) >= TOO_LONG_HOURS
    ? ["mm:ss:00", ...formats]
    : formats.filter((one) => one !== "mm:ss:00");
}

/** The seconds of a duration with those of the days in front of it. */
function withDays(text: string, seconds: Seconds | undefined): Seconds | undefined {
  return seconds === undefined ? undefined : seconds + 86_400 * Number(DAYS.exec(text)?.[1] ?? 0);
}

function inWords(text: string): Seconds | undefined {
  const fraction = fractionOfHours(text);
  if (fraction !== undefined) return Math.round(fraction * 3600);
  const [, hours] = PARTS_OF_HOURS.exec(text) ?? [];
  return hours === undefined ? inParts(text) : Math.round(Number(hours.replace(",", ".")) * 3600);
}

/** The hours of `1½ h` and `1 1/2 h`; undefined for any other text. */
function fractionOfHours(text: string): number | undefined {
  if (SIGN_OF_HOURS.test(text)) return Number.parseFloat(withDecimals(text, "."));
  const [, whole = "0", above = "", below = ""] = FRACTION_OF_HOURS.exec(text) ?? [];
  return above === "" || Number(above) >= Number(below) ? undefined : Number(whole) + Number(above) / Number(below);
}

function inParts(text: string): Seconds | undefined {
  const match = TEXT.exec(text) ?? ISO.exec(text);
  if (match === null || text === "") return undefined;
  const [, hours, minutes, minuteWord, seconds, secondWord] = match;
  if (minutes !== undefined && minuteWord === undefined && hours === undefined) return undefined;
  if (seconds !== undefined && secondWord === undefined && minuteWord === undefined) return undefined;
  const [h = 0, m = 0, s = 0] = [hours, minutes, seconds].map((part) => Number((part ?? "0").replace(",", ".")));
  return h * 3600 + m * 60 + s;
}

/** A spreadsheet's time of day in the place of a duration: 12:45:30 AM is 45 min 30 s. */
function onTheClock(text: string): Seconds | undefined {
  const [, hours = "", minutes, seconds = "0", half] =
    /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?\s?([AP])\.?M\.?$/i.exec(text) ?? [];
  if (minutes === undefined || Number(hours) < 1 || Number(hours) > 12) return undefined;
  const afternoon = half?.toUpperCase() === "P" ? 12 : 0;
  return ((Number(hours) % 12) + afternoon) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/**
 * A duration as a date: spreadsheets count from 1899-12-30, so 45 min 30 s become `1899-12-30 00:45:30`, and 25 h `1899-12-31 01:00:00`. Some write the day
 * after the month, and the year with two digits.
 */
const ZERO_DAY =
  /^(?:1899-12-(3[01])|(3[01])[./]12[./](?:18)?99|12\/(3[01])\/(?:18)?99|\p{L}{3} Dec (3[01])(?: 1899)?)[ T,]+(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?: GMT[-+:\d]*)?(?: 1899)?$/u;

function onZeroDay(text: string): Seconds | undefined {
  const match = ZERO_DAY.exec(text);
  if (match === null) return undefined;
  const [day, hours, minutes, seconds = "0"] = [
    match[1] ?? match[2] ?? match[3] ?? match[4],
    match[5],
    match[6],
    match[7],
  ];
  return (Number(day) - 30) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function sum(match: RegExpExecArray | null, weights: readonly number[]): Seconds | undefined {
  if (match === null) return undefined;
  const total = weights.reduce(
    (sum, weight, index) => sum + weight * Number((match[index + 1] ?? "").replace(",", ".")),
    0,
  );
  return thousandths(total);
}

function times(value: number | undefined, weight: number): Seconds | undefined {
  return value === undefined ? undefined : thousandths(value * weight);
}

/** Rounds to the millisecond, so that 0.0315972222 of a day is 2730 s and not 2729.99999808. */
function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
