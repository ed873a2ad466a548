/** Reads times of day in the forms of platforms and spreadsheets. */
import { type LocalTime, localTime } from "../../transforms/calendar.ts";

/**
 * Reads the time of day in a match.
 *
 * @param match of an expression with these groups: the hour, the minute, the second (0 if there is none), and the `a` or `p` of AM and PM
 * @returns undefined for a time that no clock shows: 25:00, 13:00 PM
 */
export function timeOfMatch(match: RegExpExecArray): LocalTime | undefined {
  const [, hours, minutes, seconds = "0", half] = match;
  let hour = Number(hours);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  }
  return localTime(hour, Number(minutes), Number(seconds));
}
