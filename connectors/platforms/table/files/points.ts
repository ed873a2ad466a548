/** Joins the series of a record into points. Each series has its own times. */
import type { Point } from "../../../formats/recording.ts";

/** A value of a series: its time (milliseconds since 1970 UTC), and the part of a point that it gives. */
export type Measured = readonly [instant: number, part: Omit<Point, "instant">];

/** Joins values into points, at most one a second. If one second has two values of a kind, the first one counts. */
export function joinedPoints(values: Iterable<Measured>): readonly Point[] {
  const points = new Map<number, Point>();
  for (const [instant, part] of values) {
    if (!Number.isFinite(instant)) continue;
    const second = Math.floor(instant / 1000);
    const known = points.get(second);
    points.set(second, known === undefined ? { instant, ...part } : { ...part, ...known });
  }
  return [...points].sort(([a], [b]) => a - b).map(([, point]) => point);
}

/** A position on the earth; undefined for any other values. 0, 0 gives undefined too, because devices write it before they know their position. */
export function positionOf(lat: unknown, lon: unknown): Point["position"] {
  if (typeof lat !== "number" || typeof lon !== "number" || (lat === 0 && lon === 0)) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

/** A number above 0; undefined for any other value. Devices write 0 for a heart rate or a cadence that they didn't measure. */
export function aboveZero(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
