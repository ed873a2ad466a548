/** Converts floating dates and times into the numbers that binary formats use. */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";

const DAY_MS = 86_400_000;

/** Days from 1 January 1970 to a calendar day, without any time zone. */
export function daysFrom1970(date: LocalDate): number {
  // JavaScript reads a date alone as UTC. It would read a date and time without a zone letter in the machine's zone.
  return Date.parse(date) / DAY_MS;
}

/** Seconds since midnight. */
export function secondsOfDay(time: LocalTime): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
