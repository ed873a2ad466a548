/**
 * A person's values in the place of the source's values, for a record that was rejected because part of it can't be read. A fix holds
 * values with their units. logferry applies it before it decides anything about the record.
 */

import type { Activity } from "../activities.ts";
import { inZone, type LocalDate, type LocalTime, zoneAt } from "../calendar.ts";
import type { Measure } from "../units.ts";
import { defined } from "./defined.ts";
import type { Seconds, Workout } from "./workout.ts";

/** The values of a workout that a person gave. */
export interface Fix {
  readonly date?: LocalDate;
  readonly time?: LocalTime;
  /** The time zone of a workout whose source knows the instant alone: `Europe/Vienna`. */
  readonly zone?: string;
  readonly activity?: Activity;
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
  readonly name?: string;
  readonly notes?: string;
  /** The person says that the record is right, however implausible it is. */
  readonly implausible?: "allowed";
}

/**
 * The workout with the person's values. A given date is the day on the wall clock, and replaces the source's instant, unless that is of this day. The
 * time of day of a table stays. That of an instant on another day doesn't: its clock was wrong. A given time without a date goes with the source's own date.
 */
export function withFix(workout: Workout, fix: Fix): Workout {
  const { date, time, zone, implausible: _, ...others } = fix;
  const { doubts, ...rest } = workout;
  const left = doubts?.filter(({ about }) => !about.some((field) => fix[field] !== undefined)) ?? [];
  return {
    ...rest,
    ...others,
    ...((date ?? time ?? zone) !== undefined && { start: startWith(workout.start, fix) }),
    ...(left.length > 0 && { doubts: left }),
  };
}

/** The local time of an instant in a typed zone, or at its position; undefined where neither is known. */
function localOf({ instant, position }: Workout["start"], zone: string | undefined) {
  const where = zone ?? (position && zoneAt(position));
  if (instant === undefined || where === undefined) return undefined;
  return { ...inZone(instant, where), basis: zone === undefined ? "position" : "named zone" } as const;
}

function startWith(start: Workout["start"], { date: day, time, zone }: Fix): Workout["start"] {
  const isTyped = true;
  if (zone !== undefined && day === undefined && start.instant !== undefined) {
    const { offsetMinutes: _, ...rest } = start;
    const local = inZone(start.instant, zone);
    return { ...rest, ...local, ...(time !== undefined && { time, isTyped }), basis: "named zone" };
  }
  const local = day === undefined ? undefined : localOf(start, zone);
  if (local !== undefined && local.date === day) {
    const { offsetMinutes: _, ...rest } = start;
    return { ...rest, ...local, ...(time !== undefined && { time, isTyped }) };
  }
  const date = day ?? start.date;
  const isOwn = date === start.date || start.instant === undefined;
  const clock = time ?? (isOwn ? start.time : undefined);
  return {
    ...defined({ position: start.position }),
    ...(date !== undefined && { date, basis: "source" as const }),
    ...defined({ time: clock }),
    ...(time !== undefined && { isTyped }),
  };
}
