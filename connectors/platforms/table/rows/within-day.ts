/** The day of a row that has an instant of UTC beside it, and no time of day. */
import { atOffset, type LocalDate } from "../../../../transforms/calendar.ts";
import type { Start } from "../../../../transforms/model/workout.ts";

/** The clocks furthest behind UTC and furthest ahead of it, in minutes. */
const [EARLIEST, LATEST] = [-12 * 60, 14 * 60];

/** A day with its instant. A zone gives it a time of day later. An instant that is on another day on every clock is left out. */
export function withinDay(date: LocalDate, instant: number | undefined): Start {
  if (instant === undefined) return { date };
  const isPossible = date >= atOffset(instant, EARLIEST).date && date <= atOffset(instant, LATEST).date;
  return isPossible ? { date, instant } : { date };
}
