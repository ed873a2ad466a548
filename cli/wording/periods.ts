/** Periods as people write them: a year, a month, a day. */
import { addDays, isLocalDate, type LocalDate } from "../../transforms/calendar.ts";

/** The first day of `2023`, `2023-07` or `2023-07-15`; undefined for any other text, and for undefined. */
export function firstDay(text: string | undefined): LocalDate | undefined {
  return boundsOf(text)?.first;
}

/** The last day of `2023`, `2023-07` or `2023-07-15`; undefined for any other text, and for undefined. */
export function lastDay(text: string | undefined): LocalDate | undefined {
  return boundsOf(text)?.last;
}

/** True for a year, a month or a day of the calendar. */
export function isPeriod(text: string): boolean {
  return boundsOf(text) !== undefined;
}

function boundsOf(text = ""): { first: LocalDate; last: LocalDate } | undefined {
  if (/^\d{4}$/.test(text) && text !== "0000") return { first: `${text}-01-01`, last: `${text}-12-31` };
  if (/^\d{4}-\d{2}$/.test(text) && isLocalDate(`${text}-01`)) {
    // Four days after the 28th is always in the next month. The last day is one day before the first day of that month.
    const next = addDays(`${text}-28`, 4).slice(0, 7);
    return { first: `${text}-01`, last: addDays(`${next}-01`, -1) };
  }
  return isLocalDate(text) ? { first: text, last: text } : undefined;
}
