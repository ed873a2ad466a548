/** Floating dates and times as the numbers that binary formats keep them in. */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";

const DAY_MS = 86_400_000;

/** Days from 1 January 1970 to a day of the calendar; no zone is asked. */
export function daysFrom1970(date: LocalDate): number {
  // ISO text without a zone's letter would be taken in the machine's zone; a date alone is not.
  return Date.parse(date) / DAY_MS;
}

/** Seconds since midnight. */
export function secondsOfDay(time: LocalTime): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
