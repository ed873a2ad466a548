/** Makes a point of every record of a part. */
import type { Measure } from "../../../transforms/units.ts";
import type { Point } from "../recording.ts";
import { DEGREES, heartRate, instantOf, MESSAGE, SCALE } from "./profile.ts";
import { type RecordRow, ROW } from "./record.ts";
import type { Part } from "./structure.ts";
import type { Source } from "./values.ts";
import { type Visitor, walk } from "./walk.ts";

/** A point to which a strap's heart rate and a break can still be added. */
export interface FitPoint extends Point {
  heartRate?: number;
  breakBefore?: true;
}

/**
 * A record as a point.
 *
 * A value that the record lacks is there as undefined, so that all points have one shape. V8 makes and reads such points
 * twice as fast as points that only have the members they need.
 */
export function pointOf(row: RecordRow, time: number | undefined): FitPoint {
  const enhancedAltitude = row[ROW.enhancedAltitude] as number;
  const altitude = Number.isNaN(enhancedAltitude) ? (row[ROW.altitude] as number) : enhancedAltitude;
  const enhancedSpeed = row[ROW.enhancedSpeed] as number;
  const speed = Number.isNaN(enhancedSpeed) ? (row[ROW.speed] as number) : enhancedSpeed;
  const lat = (row[ROW.lat] as number) * DEGREES;
  const lon = (row[ROW.lon] as number) * DEGREES;
  const distance = row[ROW.distance] as number;
  const bpm = row[ROW.heartRate] as number;
  const cadence = row[ROW.cadence] as number;
  const fraction = row[ROW.fractionalCadence] as number;
  const power = row[ROW.power] as number;
  const temperature = row[ROW.temperature] as number;
  const point: { [name in keyof FitPoint]: FitPoint[name] | undefined } = {
    instant: instantOf(time),
    // A comparison with NaN is false.
    position: Math.abs(lat) <= 90 && !Number.isNaN(lon) ? { lat, lon } : undefined,
    elevation: Number.isNaN(altitude) ? undefined : altitude / SCALE.altitude - SCALE.altitudeShift,
    distance: Number.isNaN(distance) ? undefined : { unit: "m", value: distance / SCALE.distance },
    heartRate: Number.isNaN(bpm) ? undefined : heartRate(bpm),
    cadence: Number.isNaN(fraction) ? present(cadence) : present(cadence + fraction / SCALE.fractionalCadence),
    power: present(power),
    temperature: Number.isNaN(temperature) ? undefined : celsius(temperature),
    speed: Number.isNaN(speed) ? undefined : speed / SCALE.speed,
  };
  return point as FitPoint;
}

/** The temperatures that a record can hold in its one byte. Thousands of points have the same one, so they share it. */
const CELSIUS: readonly Measure<"temperature">[] = Array.from({ length: 256 }, (_, index) => ({
  unit: "C",
  value: index - 128,
}));

function celsius(value: number): Measure<"temperature"> {
  return CELSIUS[value + 128] ?? { unit: "C", value };
}

function present(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** The device's own time of every record of a part: raw seconds, also if they are no calendar date. */
export function recordTimes(source: Source, part: Part): readonly (number | undefined)[] {
  const times: (number | undefined)[] = [];
  const visitor: Visitor = {
    message({ global }, _, time) {
      if (global === MESSAGE.record) times.push(time);
    },
  };
  walk(source, part.from, part.to, visitor, { maxMessages: Number.POSITIVE_INFINITY });
  return times;
}
