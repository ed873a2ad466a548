/**
 * Finds the session of each record, and adds up the records of each session. It uses only records and timer events.
 * Sessions stand at the end of a file. So several sessions need a second walk. One session needs only the first walk, and
 * nearly all files have one session. No point is kept.
 */
import type { Position } from "../../../transforms/geo.ts";
import { isHeartRate } from "../../../transforms/plausibility/heart-rates.ts";
import { type Message, messageReader } from "./message.ts";
import { FIELD, MESSAGE } from "./profile.ts";
import { FOR_TOTALS, positionOf, type RecordRow, ROW, recordReader } from "./record.ts";
import type { FitSession } from "./session.ts";
import type { Part } from "./structure.ts";
import type { Source } from "./values.ts";
import { type Visitor, walk } from "./walk.ts";

/** The sums over the records of one session. Times are raw seconds of the device. */
export interface SpanFacts {
  pointCount: number;
  positionCount: number;
  firstPosition: Position | undefined;
  /**
   * The time of its first record, or of the timer's start if that is earlier. The records of a pool swim can be minutes
   * apart.
   */
  firstTime: number | undefined;
  lastTime: number | undefined;
  /** The last count of the device, as stored: hundredths of a metre. A conversion to metres would make an object for each record. */
  distance: number | undefined;
  /** The count at the start of the session: 0, unless the device counts on through the legs of a triathlon. */
  distanceBefore: number;
  heartRateSum: number;
  heartRateCount: number;
  maxHeartRate: number | undefined;
  /** Seconds between a timer's stop and its next start. */
  pausedSeconds: number;
  /** The most seconds from one record to the next, and the most seconds back to an earlier time. */
  longestStep: number;
  longestStepBack: number;
}

/** The records of a part, by session. */
export interface PartSpans {
  /** In the order of the sessions given. */
  readonly spans: readonly SpanFacts[];
  /** Indexes in the part of the first records after a break of the timer, ascending. */
  readonly breaks: readonly number[];
  /** Records with a position that is no place on Earth. */
  readonly offGlobe: number;
  /** Records without a time. */
  readonly withoutTime: number;
}

/**
 * Gives the session of the next record. Call it for every record of a part, in file order.
 *
 * A record belongs to the last session that began at or before it. A record that is earlier than all sessions belongs to
 * the first. A record without a time belongs to the session of the record before it.
 *
 * @param starts the start of each session, raw seconds, in any order. There is at least one
 * @returns an index of `starts`
 */
export function sessionFinder(starts: readonly number[]): (time: number | undefined) => number {
  const order = starts.map((start, index) => ({ start, index })).sort((a, b) => a.start - b.start);
  let place = 0;
  return (time) => {
    if (time !== undefined) {
      while (place + 1 < order.length && (order[place + 1]?.start ?? 0) <= time) place++;
      while (place > 0 && (order[place]?.start ?? 0) > time) place--;
    }
    return order[place]?.index ?? 0;
  };
}

/** The start of each session: its own start, else its end less its length, else the end of the session before it. */
export function startsOf(sessions: readonly FitSession[]): number[] {
  let previousEnd = 0;
  return sessions.map((session) => {
    const { end, elapsed } = session;
    const counted = end === undefined || elapsed === undefined ? undefined : end - elapsed;
    const start = session.start ?? counted ?? previousEnd;
    previousEnd = end ?? start;
    return start;
  });
}

/** 90 degrees in semicircles. 2^31 semicircles are half a turn. */
const QUARTER_TURN = 2 ** 30;

const TIMER = 0;
const STARTED = 0;
/** `stop`, `stop_all`, `stop_disable`, `stop_disable_all`. */
const STOPPED: ReadonlySet<number | undefined> = new Set([1, 4, 8, 9]);

/** Adds up the records of a part during a walk, message by message. */
export interface SpanMeter {
  /** Call it for every record, in file order. The row has at least the fields of `FOR_TOTALS`. */
  record(row: RecordRow, time: number | undefined): void;
  /** Call it for every event, in its place among the records. */
  event(message: Message, time: number | undefined): void;
  /** The sums so far. */
  spans(): PartSpans;
}

/**
 * Adds up the records of a part.
 *
 * @param starts the start of each session, from `startsOf`. There is at least one
 */
export function measureSpans(source: Source, part: Part, starts: readonly number[]): PartSpans {
  const meter = spanMeter(starts);
  const rowAt = recordReader(source, FOR_TOTALS);
  const messageAt = messageReader(source);
  const visitor: Visitor = {
    message(definition, at, time) {
      if (definition.global === MESSAGE.record) meter.record(rowAt(definition, at), time);
      else if (definition.global === MESSAGE.event) meter.event(messageAt(definition, at), time);
    },
  };
  walk(source, part.from, part.to, visitor, { maxMessages: Number.POSITIVE_INFINITY });
  return meter.spans();
}

/**
 * Makes a meter for one part.
 *
 * @param starts as in `measureSpans`. The start of a single session doesn't matter: all records belong to it
 */
export function spanMeter(starts: readonly number[]): SpanMeter {
  const spans = starts.map(noSpan);
  const breaks: number[] = [];
  let index = 0;
  let offGlobe = 0;
  let withoutTime = 0;
  let span = spans[0] as SpanFacts;
  /** The device's count of distance at the last record that has one. */
  let counted = 0;
  let stoppedAt: number | undefined;
  let isBreak = false;
  const sessionOf = sessionFinder(starts);
  // Nearly all files have one session, and a search for each record takes a twentieth of the scan.
  const isOfSeveral = starts.length > 1;

  const record = (row: RecordRow, time: number | undefined) => {
    if (isOfSeveral) span = spans[sessionOf(time)] as SpanFacts;
    span.pointCount++;
    if (time === undefined) withoutTime++;
    else {
      span.firstTime ??= time;
      const step = time - (span.lastTime ?? time);
      if (step > span.longestStep) span.longestStep = step;
      else if (-step > span.longestStepBack) span.longestStepBack = -step;
      span.lastTime = time;
    }
    const lat = row[ROW.lat] as number;
    const lon = row[ROW.lon] as number;
    if (!(Number.isNaN(lat) || Number.isNaN(lon))) {
      // Only the first position is kept. An object for each of a file's thousands of positions costs more than reading them.
      if (Math.abs(lat) > QUARTER_TURN) offGlobe++;
      else {
        span.positionCount++;
        if (span.firstPosition === undefined) {
          const position = positionOf(lat, lon);
          if (typeof position !== "string") span.firstPosition = position;
        }
      }
    }
    const distance = row[ROW.distance] as number;
    if (!Number.isNaN(distance)) {
      if (span.distance === undefined && counted <= distance) span.distanceBefore = counted;
      span.distance = distance;
      counted = distance;
    }
    const bpm = row[ROW.heartRate] as number;
    if (isHeartRate(bpm)) {
      span.heartRateSum += bpm;
      span.heartRateCount++;
      if (span.maxHeartRate === undefined || bpm > span.maxHeartRate) span.maxHeartRate = bpm;
    }
    if (isBreak) breaks.push(index);
    isBreak = false;
    index++;
  };
  const event = (message: Message, time: number | undefined) => {
    if (message.number(FIELD.event.event) !== TIMER) return;
    const type = message.number(FIELD.event.eventType);
    if (STOPPED.has(type)) stoppedAt ??= time;
    else if (type === STARTED && stoppedAt === undefined) {
      if (time !== undefined) (spans[sessionOf(time)] as SpanFacts).firstTime ??= time;
    } else if (type === STARTED && stoppedAt !== undefined) {
      if (time !== undefined) span.pausedSeconds += Math.max(0, time - stoppedAt);
      stoppedAt = undefined;
      isBreak = index > 0;
    }
  };
  return {
    record,
    event,
    spans: () => ({ spans, breaks, offGlobe, withoutTime }),
  };
}

function noSpan(): SpanFacts {
  return {
    pointCount: 0,
    positionCount: 0,
    firstPosition: undefined,
    firstTime: undefined,
    lastTime: undefined,
    distance: undefined,
    distanceBefore: 0,
    heartRateSum: 0,
    heartRateCount: 0,
    maxHeartRate: undefined,
    pausedSeconds: 0,
    longestStep: 0,
    longestStepBack: 0,
  };
}
