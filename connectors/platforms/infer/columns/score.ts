/** How well a table's rows make workouts when its distances and durations are read in one way. */
import type { Activity } from "../../../../transforms/activities.ts";
import { judge } from "../../../../transforms/plausibility/judge.ts";
import { findLimits } from "../../../../transforms/plausibility/limits.ts";
import { inMetres, type Measure, type UnitOf } from "../../../../transforms/units.ts";
import { parseMeasure } from "../../table/cells/cells.ts";
import { parseDuration } from "../../table/cells/durations.ts";
import { isNothing, plainly } from "../words/values.ts";
import type { Formats } from "./durations.ts";

/** A row, as far as its speed is concerned. */
export interface SpeedRow {
  readonly distance: string | undefined;
  /** The cell of the duration; or the seconds that follow from columns of hours, minutes and seconds. */
  readonly duration: string | number | undefined;
  /** Undefined if nobody knows it. */
  readonly activity: Activity | undefined;
  /** The cell of its pace. */
  readonly pace?: string | undefined;
  /** The cell of its date. */
  readonly day?: string | undefined;
  /** The number of the row in its table. */
  readonly at?: number;
}

/** A way to read distances and durations. */
export interface Reading {
  readonly unit: UnitOf<"distance">;
  readonly formats: Formats;
  readonly decimal: "." | ",";
}

/** What comes of a reading. */
export interface Score {
  readonly reading: Reading;
  /** Rows with a distance or a duration. */
  readonly all: number;
  /** Those in which everything could be read. */
  readonly complete: number;
  /** Rows with a distance or a duration that could be read. */
  readonly rows: number;
  /** Rows that can't be true. */
  readonly impossible: number;
  /** An impossible row's arithmetic, for people. */
  readonly example: string | undefined;
  /** Rows with a speed, and those whose speed is ordinary for their sport. */
  readonly rated: number;
  readonly usual: number;
  /** Rows with a duration, and those that last as long as workouts usually do. */
  readonly timed: number;
  readonly usualTimes: number;
  /** Rows with a distance, and those as long as workouts of their sport usually are. */
  readonly measured: number;
  readonly usualDistances: number;
  /** Speeds in metres a second, by known activity. */
  readonly speeds: ReadonlyMap<Activity, readonly number[]>;
}

/** Most rows that are scored. More don't make a choice surer. */
const MOST_SCORED = 2_000;

/** Workouts usually last this many seconds. */
const USUAL_SECONDS = [240, 8 * 3600] as const;

/** Reads every row in one way, and judges what comes of it. */
export function score(rows: readonly SpeedRow[], reading: Reading): Score {
  const step = Math.max(1, Math.floor(rows.length / MOST_SCORED));
  const count = {
    all: 0,
    complete: 0,
    rows: 0,
    impossible: 0,
    rated: 0,
    usual: 0,
    timed: 0,
    usualTimes: 0,
    measured: 0,
    usualDistances: 0,
  };
  const speeds = new Map<Activity, number[]>();
  let example: string | undefined;
  for (let at = 0; at < rows.length; at += step) {
    const { activity, ...row } = rows[at] as SpeedRow;
    const { distance, duration } = valuesOf(row, reading);
    const wanted = [holds(row.distance), holds(row.duration)];
    if (wanted.includes(true)) count.all++;
    if (distance === undefined && duration === undefined) continue;
    count.rows++;
    if ((distance !== undefined || !wanted[0]) && (duration !== undefined || !wanted[1])) count.complete++;
    const verdict = judge(
      { start: {}, ...(distance && { distance }), ...(duration !== undefined && { duration }) },
      activity,
    );
    if (verdict !== undefined) {
      count.impossible++;
      example ??= verdict.found;
    }
    const { usual, usualMetres } = findLimits(activity);
    const metres = distance === undefined ? undefined : inMetres(distance);
    if (duration !== undefined) {
      count.timed++;
      if (isWithin(duration, USUAL_SECONDS)) count.usualTimes++;
    }
    if (metres !== undefined) {
      count.measured++;
      if (isWithin(metres, usualMetres ?? [100, 200_000])) count.usualDistances++;
    }
    if (metres === undefined || duration === undefined || duration === 0) continue;
    count.rated++;
    if (isWithin(metres / duration, usual ?? [0.3, 15])) count.usual++;
    if (activity !== undefined) speeds.set(activity, [...(speeds.get(activity) ?? []), metres / duration]);
  }
  return { reading, ...count, example, speeds };
}

function valuesOf(
  row: Omit<SpeedRow, "activity">,
  reading: Reading,
): {
  readonly distance: Measure<"distance"> | undefined;
  readonly duration: number | undefined;
} {
  const { distance } = row;
  const length =
    distance === undefined ? undefined : parseMeasure("distance", plainly(distance), reading.unit, reading.decimal);
  return {
    // A distance of nothing is how people write that there was none.
    distance: length === undefined || length.value <= 0 ? undefined : length,
    duration: secondsOf(row, reading),
  };
}

/** How long a row lasted in a reading; undefined if it doesn't say. */
export function secondsOf({ duration }: Pick<SpeedRow, "duration">, { formats, decimal }: Reading): number | undefined {
  const seconds = typeof duration === "string" ? parseDuration(duration, formats, decimal) : duration;
  return seconds === undefined || seconds <= 0 ? undefined : seconds;
}

/** Whether a cell has a value other than zero. */
function holds(cell: string | number | undefined): boolean {
  return typeof cell === "string" ? !isNothing(cell) && /[1-9]/.test(cell) : (cell ?? 0) > 0;
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most;
}

/** How ordinary a reading makes the table, from 0 to 1: the share of usual speeds; without speeds, of usual durations and distances. */
export function usualShare({ rated, usual, timed, usualTimes, measured, usualDistances }: Score): number {
  if (rated > 0) return (usual / rated) * (timed === 0 ? 1 : 0.5 + (0.5 * usualTimes) / timed);
  if (timed + measured === 0) return 0;
  return (usualTimes + usualDistances) / (timed + measured);
}

/** How good a reading is: rows that can't be true, or can't be read, say more than usual ones. */
export function merit(score: Score): number {
  const unread = score.all === 0 ? 0 : 1 - score.complete / score.all;
  return usualShare(score) - 3 * impossibleShare(score) - 2 * unread;
}

/** The share of rows that can't be true. */
export function impossibleShare({ rows, impossible }: Score): number {
  return rows === 0 ? 0 : impossible / rows;
}
