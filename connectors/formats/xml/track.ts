/**
 * A track that is read point after point: its totals, and at depth `decode` the points themselves. At depth `scan` no point
 * is kept, so memory doesn't grow with the track.
 */
import { haversine, type Position } from "../../../transforms/geo.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { HEART_RATE, isHeartRate } from "../../../transforms/plausibility/heart-rates.ts";
import type { Depth, Point } from "../recording.ts";
import { XML_CAPS, type XmlCaps } from "./reader.ts";

/** The most that a file of tracks may hold. The rest is not read. */
export interface TrackCaps extends XmlCaps {
  /** Points of all its tracks together. */
  readonly points: number;
}

/** The usual caps: 2,000,000 points are 23 days with a point each second. */
export const TRACK_CAPS: TrackCaps = { ...XML_CAPS, points: 2_000_000 };

const DAY_MS = 86_400_000;

/** Metres that the points of an athlete who stands still may wander. */
const STANDING_METRES = 100;

/** The first time of GPS. If a recording is older, its clock was never set. */
const FIRST_SATELLITE_FIX = Date.UTC(1980, 0, 6);

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
  /** The first time in file order, in milliseconds since 1970 UTC. */
  start: number | undefined;
  /** The time after it. */
  second: number | undefined;
  maxHR: number | undefined;
  /** The count of impossible heart rates. Totals leave them out. A 0 is a device's "not measured" and isn't counted here. */
  impossibleHeartRates = 0;
  /** Metres between neighbouring positions, breaks left out. */
  metres = 0;
  /** Points with a time that can't be read, an empty one included. */
  badTimes = 0;
  /** Whether such a time stands before the first one that can be read. */
  beginsBadly = false;

  /** Times that show another time of day than the first one. */
  private otherClocks = 0;
  private earliest = Number.POSITIVE_INFINITY;
  private latest = Number.NEGATIVE_INFINITY;
  /** The times without the first one. */
  private earliestOfRest = Number.POSITIVE_INFINITY;
  private latestOfRest = Number.NEGATIVE_INFINITY;
  private lastInstant: number | undefined;
  private firstBadTime: string | undefined;
  private hasOtherBadTimes = false;
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
      if (this.start === undefined) this.start = instant;
      else {
        this.second ??= instant;
        this.earliestOfRest = Math.min(this.earliestOfRest, instant);
        this.latestOfRest = Math.max(this.latestOfRest, instant);
      }
      if ((instant - this.start) % DAY_MS !== 0) this.otherClocks++;
      if (this.lastInstant !== undefined && instant < this.lastInstant) this.backwards++;
      this.lastInstant = instant;
      if (instant < this.earliest) this.earliest = instant;
      if (instant > this.latest) this.latest = instant;
    }
    if (heartRate !== undefined && heartRate !== 0 && !isHeartRate(heartRate)) this.impossibleHeartRates++;
    if (isHeartRate(heartRate)) {
      this.heartRates++;
      this.heartbeats += heartRate;
      if (this.maxHR === undefined || heartRate > this.maxHR) this.maxHR = heartRate;
    }
  }

  /** Counts a time that can't be read. */
  addBadTime(text: string): void {
    this.badTimes++;
    this.beginsBadly ||= this.start === undefined;
    this.firstBadTime ??= text;
    if (text !== this.firstBadTime) this.hasOtherBadTimes = true;
  }

  /**
   * Whether a recording has no time that can be believed, as from a watch whose clock was never set. A program that draws routes writes one text for
   * all times, or none, and no heart rates.
   */
  get lostItsTimes(): boolean {
    if (this.timeCount > 0) return this.hasPlaceholderTimes && this.heartRates > 0;
    return this.badTimes > 0 && (this.heartRates > 0 || this.hasOtherBadTimes);
  }

  /** Whether a program wrote the points from the end to the beginning: each time is earlier than the one before. */
  get isReversed(): boolean {
    return this.timeCount > 2 && this.backwards === this.timeCount - 1;
  }

  /** The first moment: the first time in file order, or the earliest of a reversed track. */
  get begin(): number | undefined {
    return this.isReversed ? this.earliest : this.start;
  }

  /** The position at that moment. */
  get beginPosition(): Position | undefined {
    return this.isReversed ? this.lastPosition : this.firstPosition;
  }

  /**
   * Whether a program without times filled them in. Then all times show one time of day (the moment of the export, midnight) although the
   * points lie apart, or all times are older than GPS. A single time may be true.
   */
  get hasPlaceholderTimes(): boolean {
    if (this.timeCount === 0) return false;
    const isElsewhereAtOnce = this.timeCount > 1 && this.otherClocks === 0 && this.metres > STANDING_METRES;
    return isElsewhereAtOnce || this.latest < FIRST_SATELLITE_FIX;
  }

  /** Whether the first time is more than a day away from all the others, which lie within a day. */
  get isFirstElsewhere(): boolean {
    if (this.start === undefined || this.timeCount < 3 || this.latestOfRest - this.earliestOfRest > DAY_MS)
      return false;
    return this.start < this.earliestOfRest - DAY_MS || this.start > this.latestOfRest + DAY_MS;
  }

  /** Leaves out a first time that is elsewhere, and keeps its point. @returns whether there was such a time */
  forgetFirstElsewhere(): boolean {
    if (!this.isFirstElsewhere) return false;
    const point: { instant?: number } | undefined = this.points?.find(({ instant }) => instant !== undefined);
    if (point !== undefined) delete point.instant;
    this.earliest = this.earliestOfRest;
    this.latest = this.latestOfRest;
    return true;
  }

  /** Seconds from the earliest to the latest time, breaks included. */
  get elapsed(): number | undefined {
    return this.timeCount === 0 ? undefined : (this.latest - this.earliest) / 1000;
  }

  /** The issue about times that go back; undefined if there are none. */
  backwardsIssue(format: "gpx" | "tcx"): Issue | undefined {
    if (this.backwards === 0) return undefined;
    return {
      severity: "warning",
      rule: `${format}/time-backwards`,
      field: format === "gpx" ? "time" : "Time",
      found: `${this.backwards} of ${this.timeCount} times`,
      expected: "each time later than the one before",
    };
  }

  /** The issue about impossible heart rates; undefined if there are none. */
  heartRateIssue(format: "gpx" | "tcx" | "kml"): Issue | undefined {
    const impossible = this.impossibleHeartRates;
    if (impossible === 0) return undefined;
    return {
      severity: "warning",
      rule: `${format}/impossible-heart-rate`,
      found: `${impossible} of ${this.heartRates + impossible} heart rates`,
      expected: `${HEART_RATE.least} to ${HEART_RATE.most} beats a minute; the others make the average and the maximum`,
    };
  }

  /** The mean over the points that have a heart rate. Each point counts the same. */
  get avgHR(): number | undefined {
    return this.heartRates === 0 ? undefined : this.heartbeats / this.heartRates;
  }
}
