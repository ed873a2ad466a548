/**
 * A track as it is read, point after point: what can be said of it as a whole, and the points themselves where they are
 * wanted. Nothing is kept at depth `scan`, so memory doesn't grow with the track.
 */
import type { Position } from "../../../transforms/model/workout.ts";
import type { Depth, Point } from "../recording.ts";
import { XML_CAPS, type XmlCaps } from "./reader.ts";

/** What a file of tracks may hold; more is not read. */
export interface TrackCaps extends XmlCaps {
  /** Points of all its tracks together. */
  readonly points: number;
}

export const TRACK_CAPS: TrackCaps = { ...XML_CAPS, points: 2_000_000 };

/** Metres. The mean radius of the IUGG; GPX has no distances, so every reader chooses a figure of the earth. */
const EARTH_RADIUS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/**
 * Metres along the great circle between two positions, on a sphere. Up to 0.6 % off the ellipsoid; on the tracks of the
 * corpus within 0.2 % of gpxpy, which uses an ellipsoidal approximation.
 */
export function haversine(from: Position, to: Position): number {
  const halfLat = Math.sin(((to.lat - from.lat) * RADIANS) / 2);
  const halfLon = Math.sin(((to.lon - from.lon) * RADIANS) / 2);
  const a = halfLat * halfLat + Math.cos(from.lat * RADIANS) * Math.cos(to.lat * RADIANS) * halfLon * halfLon;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** The track of one recording or route. */
export class Track {
  /** Present at depth `decode`. */
  readonly points: Point[] | undefined;
  pointCount = 0;
  positionCount = 0;
  /** Points that have a time. */
  timeCount = 0;
  /** Times earlier than the one before. */
  backwards = 0;
  firstPosition: Position | undefined;
  /** The first time met, in milliseconds since 1970 UTC. */
  start: number | undefined;
  maxHR: number | undefined;
  /** Metres between neighbouring positions, breaks left out. */
  metres = 0;

  private earliest = Number.POSITIVE_INFINITY;
  private latest = Number.NEGATIVE_INFINITY;
  private lastInstant: number | undefined;
  private lastPosition: Position | undefined;
  private heartbeats = 0;
  private heartRates = 0;

  constructor(depth: Depth) {
    this.points = depth === "decode" ? [] : undefined;
  }

  add(point: Point): void {
    this.pointCount++;
    this.points?.push(point);
    const { instant, position, heartRate } = point;
    if (point.breakBefore) this.lastPosition = undefined;
    if (position !== undefined) {
      this.positionCount++;
      this.firstPosition ??= position;
      if (this.lastPosition !== undefined) this.metres += haversine(this.lastPosition, position);
      this.lastPosition = position;
    }
    if (instant !== undefined) {
      this.timeCount++;
      this.start ??= instant;
      if (this.lastInstant !== undefined && instant < this.lastInstant) this.backwards++;
      this.lastInstant = instant;
      if (instant < this.earliest) this.earliest = instant;
      if (instant > this.latest) this.latest = instant;
    }
    if (heartRate !== undefined) {
      this.heartRates++;
      this.heartbeats += heartRate;
      if (this.maxHR === undefined || heartRate > this.maxHR) this.maxHR = heartRate;
    }
  }

  /** Seconds from the earliest to the latest time, breaks included. */
  get elapsed(): number | undefined {
    return this.timeCount === 0 ? undefined : (this.latest - this.earliest) / 1000;
  }

  /** The mean over the points that have one, each counting the same. */
  get avgHR(): number | undefined {
    return this.heartRates === 0 ? undefined : this.heartbeats / this.heartRates;
  }
}

/** A record without the keys whose value is undefined, so that what is absent is absent. */
export function present<T extends object>(record: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) if (value !== undefined) kept[key] = value;
  return kept as Present<T>;
}

/** The type `present` gives: a key that could be undefined can be missing instead. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
