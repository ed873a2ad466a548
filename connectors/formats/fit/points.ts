/**
 * Our own reader of the points of one part. It reads files that fit-file-parser refuses, and the tests compare it with
 * fit-file-parser.
 */
import type { Point } from "../recording.ts";
import { MESSAGE } from "./profile.ts";
import { pointAt, recordLayouts } from "./record.ts";
import type { Part } from "./structure.ts";
import type { Source } from "./values.ts";
import { walk } from "./walk.ts";

/** A point and the device's own time: raw seconds, also if they are no calendar date. */
export interface TimedPoint {
  readonly time: number | undefined;
  readonly point: Point;
}

/** The records of a part as points, in file order. */
export function readPoints(source: Source, part: Part): readonly TimedPoint[] {
  const points: TimedPoint[] = [];
  const layoutOf = recordLayouts(source);
  const visitor = {
    message(definition: Parameters<typeof layoutOf>[0], at: number, time: number | undefined) {
      if (definition.global !== MESSAGE.record) return;
      points.push({ time, point: pointAt(source, definition, layoutOf(definition), at, time) });
    },
  };
  walk(source, part.from, part.to, visitor, { maxMessages: Number.POSITIVE_INFINITY });
  return points;
}
