/** Joins the series of a record, each with times of its own, into points. */
import type { Point } from "../../formats/recording.ts";

/** A value of a series: when it was measured (milliseconds since 1970 UTC), and the part of a point that it is. */
export type Measured = readonly [instant: number, part: Omit<Point, "instant">];

/** Joins values into points, one a second at the most. Of two values of a kind in one second, the first counts. */
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

/** A position on the earth; undefined for anything else, and for 0, 0, which devices write before they know where they are. */
export function positionOf(lat: unknown, lon: unknown): Point["position"] {
  if (typeof lat !== "number" || typeof lon !== "number" || (lat === 0 && lon === 0)) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

/** The number, if it is one and above 0: devices write 0 for a heart rate or a cadence that they didn't measure. */
export function aboveZero(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
