/** Makes a point of every record of a part. */
import type { Point } from "../recording.ts";
import { heartRate, instantOf, SCALE } from "./profile.ts";
import { positionOf, type RecordRow, ROW } from "./record.ts";

/** A point to which a strap's heart rate and a break can still be added. */
export interface FitPoint extends Point {
  heartRate?: number;
  breakBefore?: true;
}

/** The points of a part, in file order. Its times are the device's own: raw seconds, also if they are no calendar date. */
export interface PartPoints {
  readonly points: FitPoint[];
  readonly times: (number | undefined)[];
}

/** A part before its first record. */
export function noPoints(): PartPoints {
  return { points: [], times: [] };
}

/** Adds the next record of a part. */
export function keepPoint({ points, times }: PartPoints, row: RecordRow, time: number | undefined): void {
  points.push(pointOf(row, time));
  times.push(time);
}

/**
 * A value that the record lacks is there as undefined, so that all points have one shape. V8 makes and reads such points
 * twice as fast as points that only have the members they need.
 */
function pointOf(row: RecordRow, time: number | undefined): FitPoint {
  const position = positionOf(row[ROW.lat], row[ROW.lon]);
  const altitude = either(row[ROW.enhancedAltitude], row[ROW.altitude]);
  const distance = row[ROW.distance] as number;
  const bpm = row[ROW.heartRate] as number;
  const cadence = row[ROW.cadence] as number;
  const fraction = row[ROW.fractionalCadence] as number;
  const power = row[ROW.power] as number;
  const temperature = row[ROW.temperature] as number;
  const speed = either(row[ROW.enhancedSpeed], row[ROW.speed]);
  const point: { [name in keyof FitPoint]: FitPoint[name] | undefined } = {
    instant: instantOf(time),
    position: typeof position === "string" ? undefined : position,
    elevation: Number.isNaN(altitude) ? undefined : altitude / SCALE.altitude - SCALE.altitudeShift,
    distance: Number.isNaN(distance) ? undefined : { unit: "m", value: distance / SCALE.distance },
    heartRate: Number.isNaN(bpm) ? undefined : heartRate(bpm),
    cadence: Number.isNaN(cadence)
      ? undefined
      : cadence + (Number.isNaN(fraction) ? 0 : fraction / SCALE.fractionalCadence),
    power: Number.isNaN(power) ? undefined : power,
    temperature: Number.isNaN(temperature) ? undefined : { unit: "C", value: temperature },
    speed: Number.isNaN(speed) ? undefined : speed / SCALE.speed,
  };
  return point as FitPoint;
}

function either(first = Number.NaN, second = Number.NaN): number {
  return Number.isNaN(first) ? second : first;
}
