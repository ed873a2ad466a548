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
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

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
