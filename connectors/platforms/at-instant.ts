/** Joins a local time and an instant of the same moment. */
import { asIfUtc } from "../../transforms/calendar.ts";
import type { Start } from "../../transforms/model/workout.ts";

/** Offsets of clocks are whole quarters of an hour, from -12 to +14 h. */
const QUARTER = 15;
const OFFSETS = { least: -12 * 60, most: 14 * 60 } as const;

/** The beginning of 1990. A device without a date counts from 1970 or from the last day of 1989, and its instant says nothing. */
const FIRST_INSTANT = Date.UTC(1990, 0, 1);

/** Whether a local time is so far from an instant that no clock shows it. Then the instant counts, if it is of 1990 or later. */
export function isOnNoClock({ date, time }: Start, instant: number): boolean {
  if (date === undefined || time === undefined || instant < FIRST_INSTANT) return false;
  const apart = (asIfUtc({ date, time }) - instant) / 60_000;
  return apart < OFFSETS.least - 1 || apart > OFFSETS.most + 1;
}

/**
 * Adds the instant to a start, and the distance of its local time from UTC. The local time stays unchanged.
 *
 * @param slackMinutes how far the two may miss a multiple of a quarter of an hour, if they come from two clocks
 * @returns the start; unchanged if no clock can be so far from UTC, because the two are then different moments
 */
export function atInstant(start: Start, instant: number, slackMinutes: number): Start {
  const { date, time } = start;
  if (date === undefined || time === undefined) return start;
  const local = asIfUtc({ date, time });
  const apart = (local - instant) / 60_000;
  const offsetMinutes = Math.round(apart / QUARTER) * QUARTER + 0;
  const isOffset = offsetMinutes >= OFFSETS.least && offsetMinutes <= OFFSETS.most;
  // Devices write fractions of a second. Tables don't.
  if (!isOffset || Math.abs(apart - offsetMinutes) > slackMinutes + 1 / 60) return start;
  return { ...start, instant: local - offsetMinutes * 60_000, offsetMinutes };
}
