/**
 * Floating local dates and times, and the conversion of an instant into them. The log holds dates and times without a zone. logferry keeps
 * them as strings and never passes them through a `Date`, so the machine's zone has no effect.
 */
import tzLookup from "@photostructure/tz-lookup";
import type { Position } from "./geo.ts";

/** `YYYY-MM-DD`, a real day of the Gregorian calendar. */
export type LocalDate = string;

/** `HH:MM:SS`, 00:00:00 to 23:59:59. */
export type LocalTime = string;

/** The reading of a wall clock. */
export interface LocalDateTime {
  readonly date: LocalDate;
  readonly time: LocalTime;
}

/**
 * The source of a local time, best first: the order of `resolveLocalTime`. "other source": the instant is the source's own, and another source of the plan
 * shows its distance from UTC.
 */
export type LocalTimeBasis = "source" | "device" | "position" | "other source" | "named zone" | "utcOffset";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a LocalDate: it has the right form, and the day exists. */
export function isLocalDate(text: string): boolean {
  const match = DATE.exec(text);
  return match !== null && dayExists(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Whether a text is a LocalTime. */
export function isLocalTime(text: string): boolean {
  return TIME.test(text);
}

/** The LocalDate of three numbers; undefined for a day that doesn't exist (31 February, month 13). */
export function localDate(year: number, month: number, day: number): LocalDate | undefined {
  if (!dayExists(year, month, day)) return undefined;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** The LocalTime of three numbers; undefined for a time that a clock can't show. A fraction of the seconds is cut off. */
export function localTime(hour: number, minute: number, second: number): LocalTime | undefined {
  const text = `${pad(hour, 2)}:${pad(minute, 2)}:${pad(Math.floor(second), 2)}`;
  return isLocalTime(text) ? text : undefined;
}

/**
 * The wall clock at an instant, at a fixed offset from UTC.
 *
 * @param instant milliseconds since 1970 UTC; must lie between the years 1 and 9999
 * @param offsetMinutes minutes east of UTC
 */
export function atOffset(instant: number, offsetMinutes: number): LocalDateTime {
  const shifted = new Date(instant + offsetMinutes * 60_000).toISOString();
  return { date: shifted.slice(0, 10), time: shifted.slice(11, 19) };
}

/** The UTC day of a time in milliseconds since 1970. */
export function utcDay(at: number): LocalDate {
  return new Date(at).toISOString().slice(0, 10);
}

/** The latest date on Earth at an instant: 14 hours ahead of UTC, in the Line Islands. */
export function lastDayOnEarth(instant: number): LocalDate {
  return atOffset(instant, 14 * 60).date;
}

/**
 * The wall clock at an instant in a zone, including daylight saving.
 *
 * @param zone an IANA name, `Europe/Vienna`
 * @throws RangeError for a zone that the runtime doesn't know (check with `isZone` first)
 */
export function inZone(instant: number, zone: string): LocalDateTime {
  const parts: Record<string, string> = {};
  for (const part of formatterOf(zone).formatToParts(instant)) parts[part.type] = part.value;
  return {
    date: `${(parts.year ?? "").padStart(4, "0")}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}:${parts.second}`,
  };
}

/**
 * The offset of a zone's clocks at an instant, in minutes east of UTC, including daylight saving.
 *
 * @param instant milliseconds since 1970 UTC
 * @throws RangeError for a zone that the runtime doesn't know
 */
export function offsetInZone(instant: number, zone: string): number {
  return Math.round((asIfUtc(inZone(instant, zone)) - instant) / 60_000);
}

/**
 * The instant at which the clocks of a zone show a time. Of a time that they show twice it is one of both, and of a time that they leap over one
 * that is an hour beside it.
 *
 * @param local milliseconds since 1970, counted as if the clock was in UTC
 * @throws RangeError for a zone that the runtime doesn't know
 */
export function instantInZone(local: number, zone: string): number {
  const about = local - offsetInZone(local, zone) * 60_000;
  return local - offsetInZone(about, zone) * 60_000;
}

/** Whether the runtime knows a zone. */
export function isZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether a zone shows a local time at an instant. */
export function showsAt(zone: string, instant: number, local: LocalDateTime): boolean {
  return isZone(zone) && asIfUtc(inZone(instant, zone)) === asIfUtc(local);
}

/** The zone at a position, or undefined for a position off the globe. At sea it is a nautical zone, `Etc/GMT+3`. */
export function zoneAt(position: Position): string | undefined {
  const { lat, lon } = position;
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return undefined;
  return tzLookup(lat, lon);
}

/**
 * Whether a device's own offset from UTC can be right: -12 h to +14 h in steps of 15 minutes. Real files hold -160 h (an old FR70) and the
 * epoch itself (Zwift writes `local_timestamp` 0).
 */
export function isPlausibleOffset(offsetMinutes: number): boolean {
  return offsetMinutes >= -12 * 60 && offsetMinutes <= 14 * 60 && offsetMinutes % 15 === 0;
}

/**
 * Seconds between two wall clocks, as if both were in one place. Use it to compare records, and never to compute times. A missing time
 * counts as midnight.
 */
export function secondsBetween(
  from: Partial<LocalDateTime> & { date: LocalDate },
  to: Partial<LocalDateTime> & { date: LocalDate },
): number {
  return (asIfUtc(to) - asIfUtc(from)) / 1000;
}

/** A wall clock time read as if it were UTC, in milliseconds. Use this number to sort and to compare. It is not an instant. */
export function asIfUtc(local: { date: LocalDate; time?: LocalTime | undefined }): number {
  return Date.parse(`${local.date}T${local.time ?? "00:00:00"}Z`);
}

/** An offset from UTC for people: `UTC+1`, `UTC-3:30`. */
export function utcText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

/** The day `days` after a date (negative for before). */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The weekday of a date: 0 for Monday. */
export function weekdayOf(date: LocalDate): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The last day of a month that a date runs past: 28 for 31 February 2021. Undefined for a date that exists, and for one with no such month. */
export function lastDayBefore(year: number, month: number, day: number): number | undefined {
  const isPast = !dayExists(year, month, day) && dayExists(year, month, 1) && day > 28 && day <= 31;
  return isPast ? ([30, 29, 28] as const).find((last) => dayExists(year, month, last)) : undefined;
}

function dayExists(year: number, month: number, day: number): boolean {
  if (!(Number.isInteger(year) && year >= 1 && year <= 9999)) return false;
  const days = month === 2 && isLeapYear(year) ? 29 : DAYS_IN_MONTH[month - 1];
  return days !== undefined && Number.isInteger(day) && day >= 1 && day <= days;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

// Making a formatter costs 50 to 100 times as much as using one, and a log has few zones.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}
