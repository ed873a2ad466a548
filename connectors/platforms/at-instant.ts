/** A local time and an instant of the same moment, put together. */
import { asIfUtc } from "../../transforms/calendar.ts";
import type { Start } from "../../transforms/model/workout.ts";

/** Offsets of clocks are whole quarters of an hour, from -12 to +14 h. */
const QUARTER = 15;
const OFFSETS = { least: -12 * 60, most: 14 * 60 } as const;

/**
 * The start with the instant, and the distance of its local time from UTC. The local time stands as it is.
 *
 * @param slackMinutes how far the two may be from a quarter of an hour apart, where they are of two clocks
 * @returns the start as it was where no clock can be so far from UTC: then the two are not the same moment
 */
export function atInstant(start: Start, instant: number, slackMinutes: number): Start {
  const { date, time } = start;
  if (date === undefined || time === undefined) return start;
  const local = asIfUtc({ date, time });
  const apart = (local - instant) / 60_000;
  const offsetMinutes = Math.round(apart / QUARTER) * QUARTER + 0;
  const isOffset = offsetMinutes >= OFFSETS.least && offsetMinutes <= OFFSETS.most;
  // Devices write fractions of a second, tables don't.
  if (!isOffset || Math.abs(apart - offsetMinutes) > slackMinutes + 1 / 60) return start;
  return { ...start, instant: local - offsetMinutes * 60_000, offsetMinutes };
}
