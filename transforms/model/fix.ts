/**
 * What a person says in the place of what a source has: for a record that was rejected because something in it can't be
 * read. A fix says values, with their units; it is applied before anything is decided about the record.
 */

import type { Activity } from "../activities.ts";
import type { LocalDate, LocalTime } from "../calendar.ts";
import type { Measure } from "../units.ts";
import { defined } from "./defined.ts";
import type { Seconds, Workout } from "./workout.ts";

/** Members of a workout that a person said. */
export interface Fix {
  readonly date?: LocalDate;
  readonly time?: LocalTime;
  readonly activity?: Activity;
  readonly distance?: Measure<"distance">;
  readonly duration?: Seconds;
  readonly name?: string;
  readonly notes?: string;
  /** The record is right as it is, however implausible. */
  readonly implausible?: "allowed";
}

/**
 * The workout as the person says it is. A date that was said stands for the day on the wall, whatever instant the source holds
 * (which is then left out); a time alone goes with the source's own date.
 */
export function withFix(workout: Workout, fix: Fix): Workout {
  const { date, time, implausible: _, ...others } = fix;
  const { doubts, ...rest } = workout;
  const left = doubts?.filter(({ about }) => !about.some((field) => fix[field] !== undefined)) ?? [];
  return {
    ...rest,
    ...others,
    ...((date ?? time) !== undefined && { start: startWith(workout.start, fix) }),
    ...(left.length > 0 && { doubts: left }),
  };
}

function startWith(start: Workout["start"], { date = start.date, time }: Fix): Workout["start"] {
  const clock = time ?? (date === start.date ? start.time : undefined);
  return {
    ...defined({ position: start.position }),
    ...(date !== undefined && { date, basis: "source" as const }),
    ...defined({ time: clock }),
  };
}
