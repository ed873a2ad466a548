/**
 * Numbers and times as XML formats write them. The whole token must fit: `47,123` is not 47.
 */

// Each digit can match in one way only, so a text of a million digits takes a millisecond.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * A number.
 *
 * @param text trimmed
 * @returns undefined for anything that isn't one finite decimal number: `47,123`, `NaN`, `0x10`, `1e999`, nothing
 */
export function parseDecimal(text: string): number | undefined {
  return plainDecimal(text) ?? anyDecimal(text);
}

/** A number of up to this many digits is exact, and so is each power of ten below. Their quotient is then what `Number` reads (IEEE 754, division). */
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

/** A number as nearly every point has it: `-16.372510`. Undefined for any other form. A track has a million of them, and this is twice as fast as `Number`. */
function plainDecimal(text: string): number | undefined {
  const { length } = text;
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (length === first || length > EXACT_DIGITS) return undefined;
  let digits = 0;
  let point = -1;
  for (let at = first; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) digits = digits * 10 + code - ZERO;
    else if (code === POINT && point === -1 && at > first) point = at;
    else return undefined;
  }
  const value = point === -1 ? digits : digits / (POWERS_OF_TEN[length - point - 1] as number);
  return first === 1 ? -value : value;
}

function anyDecimal(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const ZERO = 48;
const NINE = 57;
const POINT = 46;
const MINUS = 45;

/** An instant as a file writes it. */
export interface Time {
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
  /** Minutes east of UTC. Absent for `Z` and `+00:00`, which only mean UTC. */
  readonly offsetMinutes?: number;
  /** False when the text names no zone. It was then read as UTC. */
  readonly zoned: boolean;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?\s?(?:(Z|z)|([+-])(\d\d):?(\d\d)?)?$/;
const MINUTE = 60_000;
/** Device files are from 1970 (a clock never set) to 2099. A year such as 9999 is a mistake. */
const EARLIEST = 0;
const LATEST = Date.UTC(2100, 0, 1);

/**
 * A time in the form of XML Schema's dateTime: `2012-11-05T11:52:21.500+01:00`, with or without fraction and zone. A time
 * without a zone is read as UTC, because GPX 1.1 and TCX both say that times are UTC.
 *
 * @param text trimmed
 * @returns undefined for other text, for days and hours that don't exist (24:00:00 does, as the end of the day), and
 *   for years before 1970 and after 2099
 */
export function parseTime(text: string): Time | undefined {
  const plain = plainTime(text);
  return plain === undefined ? anyTime(text) : { instant: plain, zoned: true };
}

/** Lengths of `2012-11-05T11:52:21Z`, and of the same with milliseconds. */
const PLAIN_LENGTH = 20;
const WITH_MILLISECONDS = 24;

/** A time as nearly every point has it. Undefined for any other form, and for a time that doesn't exist. A regular expression takes four times as long. */
function plainTime(text: string): number | undefined {
  const { length } = text;
  if (length !== PLAIN_LENGTH && length !== WITH_MILLISECONDS) return undefined;
  const hasMarks = text[4] === "-" && text[7] === "-" && text[10] === "T" && text[13] === ":" && text[16] === ":";
  if (!hasMarks || text[length - 1] !== "Z" || (length === WITH_MILLISECONDS && text[19] !== ".")) return undefined;
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const millisecond = length === WITH_MILLISECONDS ? digitsAt(text, 20, 3) : 0;
  const date = midnight(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2));
  const isWithinDay = hour < 24 && minute < 60 && second < 60 && millisecond < 1000;
  if (date === undefined || !isWithinDay) return undefined;
  const instant = date + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
  return instant >= EARLIEST && instant < LATEST ? instant : undefined;
}

/** The number of some digits; NaN where other characters stand. */
function digitsAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function anyTime(text: string): Time | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offsetHours, offsetMinutes] = match;
  const date = midnight(Number(year), Number(month), Number(day));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  // A leap second has the number 60.
  const timeExists = Number(minute) < 60 && Number(second) <= 60 && seconds <= 86_400;
  if (date === undefined || !timeExists) return undefined;
  const offset =
    sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes ?? 0));
  const milliseconds = fraction === undefined ? 0 : Math.round(Number(`0.${fraction}`) * 1000);
  const instant = date + seconds * 1000 + milliseconds - offset * MINUTE;
  if (!(instant >= EARLIEST && instant < LATEST) || Math.abs(offset) > 14 * 60) return undefined;
  const zoned = utc !== undefined || sign !== undefined;
  return offset === 0 ? { instant, zoned } : { instant, zoned, offsetMinutes: offset };
}

/** The last day asked for. Nearly all points of a track are of one day, and a hundred MB hold 300,000 points. */
let lastDay = { key: 0, instant: undefined as number | undefined };

/** Midnight UTC of a day in milliseconds since 1970, or undefined if the day doesn't exist. */
function midnight(year: number, month: number, day: number): number | undefined {
  const key = (year * 100 + month) * 100 + day;
  if (key !== lastDay.key) {
    const instant = Date.UTC(year, month - 1, day);
    const exists = month >= 1 && month <= 12 && new Date(instant).getUTCDate() === day;
    lastDay = { key, instant: exists ? instant : undefined };
  }
  return lastDay.instant;
}
