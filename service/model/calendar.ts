/** Local dates and times without a zone, as the log holds them. They are strings, and are compared as strings. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** `HH:MM:SS`, 00:00:00 to 23:59:59. */
export const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is `YYYY-MM-DD` and a day of the Gregorian calendar, from the year 1 on. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leapDay = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const days = DAYS[month - 1];
  return year >= 1 && days !== undefined && day >= 1 && day <= days + leapDay;
}

/** Whether a text is `HH:MM:SS`, 00:00:00 to 23:59:59. */
export function isTime(text: string): boolean {
  return TIME.test(text);
}

/**
 * The wall clock at an instant, with a fixed offset from UTC; undefined outside the years 1 to 9999.
 * @param instant milliseconds since 1970 UTC
 * @param offsetHours east of UTC, may have a fraction
 */
export function wallClock(instant: number, offsetHours: number): { date: string; time: string } | undefined {
  const shifted = new Date(instant + offsetHours * 3_600_000);
  if (Number.isNaN(shifted.getTime())) return undefined;
  const text = shifted.toISOString();
  const date = text.slice(0, 10);
  return isDate(date) ? { date, time: text.slice(11, 19) } : undefined;
}

/** The first day of the period that a day lies in. A week begins on `FIRST_DAY_OF_WEEK`. */
export function beginOf(period: "day" | "week" | "month" | "year", date: string): string {
  if (period === "day") return date;
  if (period === "month") return `${date.slice(0, 7)}-01`;
  if (period === "year") return `${date.slice(0, 4)}-01-01`;
  const day = new Date(`${date}T00:00:00Z`);
  const daysSinceMonday = (day.getUTCDay() + 6) % 7;
  day.setUTCDate(day.getUTCDate() - daysSinceMonday);
  return day.toISOString().slice(0, 10);
}
