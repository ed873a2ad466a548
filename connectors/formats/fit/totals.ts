/**
 * Computes missing totals of a session message from its laps, else from its records. Seen in ../shared/corpus: a Suunto's session without
 * a distance (test2.fit), a fenix 2's seven sessions without a heart rate (activity-large-fenxi2-multisport.fit).
 */
import { haversine, type Position } from "../../../transforms/geo.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { isHeartRate } from "../../../transforms/plausibility/heart-rates.ts";
import type { Lap } from "../recording.ts";
import { type DistanceField, distanceReader } from "./developer.ts";
import { MESSAGE, SCALE } from "./profile.ts";
import { FOR_TOTALS, positionOf, ROW, recordReader } from "./record.ts";
import type { FitSession } from "./session.ts";
import { type PartSpans, type SpanFacts, sessionFinder } from "./spans.ts";
import type { Part } from "./structure.ts";
import type { Source } from "./values.ts";
import { type Definition, walk } from "./walk.ts";

/** The sources for the totals of one session. */
export interface Parts {
  readonly laps: readonly Lap[];
  readonly span: SpanFacts;
  /** Whether an app keeps a distance of its own somewhere in the file. */
  readonly hasAppFields: boolean;
  /** The facts from a second walk over the session's records. The walk happens at the first call. */
  readonly path: () => PathFacts;
}

/** Facts that need a second walk over the records. They are used only if no other source has a distance. */
export interface PathFacts {
  /** The last distance in an app's own field. Metres. */
  appMetres: number | undefined;
  /** Metres between neighbouring positions, breaks of the timer left out. */
  metres: number;
}

/** A way to a total: its source in words, and the value. */
type Way = readonly [from: string, value: number | undefined];

/**
 * Fills in the missing totals of a session. Each comes from the first of its ways that has a value. A distance or a time of 0 counts as
 * missing, because devices write 0 for a value that they didn't measure.
 *
 * @param report is called once, with every computed total and its source
 */
export function withTotals(session: FitSession, parts: Parts, report: (issue: Issue) => void): FitSession {
  const { laps, span } = parts;
  const computed: string[] = [];
  const total = (name: string, unit: string, own: number | undefined, ways: Iterable<Way>): number | undefined => {
    if (own !== undefined && own > 0) return own;
    for (const [from, value] of ways) {
      if (value === undefined || !(value > 0)) continue;
      computed.push(`${name} ${Math.round(value)} ${unit} from ${from}`);
      return value;
    }
    return own;
  };
  const distance = total("distance", "m", session.distance, distanceWays(session, parts));
  const avgHR = total("average heart rate", "bpm", session.avgHR, [
    ["its laps", meanOf(laps.filter(lasted))],
    ["its records", rounded(span.heartRateSum / span.heartRateCount)],
    ["its laps", meanOf(laps.filter((lap) => lasted(lap) && isHeartRate(lap.avgHR)))],
  ]);
  const maxHR = total("maximum heart rate", "bpm", session.maxHR, [
    ["its laps", everyOf(laps.filter(lasted), ({ maxHR: most }) => heartRate(most), Math.max)],
    ["its records", span.maxHeartRate],
    [
      "its laps",
      everyOf(
        laps.filter((lap) => isHeartRate(lap.maxHR)),
        ({ maxHR: most }) => most,
        Math.max,
      ),
    ],
  ]);
  const timer = total("timer time", "s", session.timer, timerWays(session, parts));
  const elapsed = isLacking(timer) ? total("elapsed time", "s", session.elapsed, elapsedWays(parts)) : session.elapsed;
  if (computed.length === 0 && !isNeverStarted(timer, elapsed)) return session;
  if (isNeverStarted(timer, elapsed)) computed.push(`timer time ${Math.round(elapsed ?? 0)} s from its elapsed time`);
  report({
    severity: "warning",
    rule: "fit/computed-total",
    found: "a session without all its totals",
    expected: `them there; computed instead: ${computed.join(", ")}`,
  });
  return { ...session, distance, avgHR, maxHR, elapsed, timer: isNeverStarted(timer, elapsed) ? elapsed : timer };
}

function isLacking(total: number | undefined): boolean {
  return total === undefined || total === 0;
}

/** A timer of 0 while time passed was not measured. If the timer is absent, the elapsed time counts without an issue. */
function isNeverStarted(timer: number | undefined, elapsed: number | undefined): boolean {
  return timer === 0 && !isLacking(elapsed);
}

/** Records give a timer only if the session has no time at all, because a pause without an event would count as moving. */
function* timerWays({ elapsed }: FitSession, { laps, span }: Parts): Generator<Way> {
  yield ["its laps", everyOf(laps, (lap) => lap.timer, plus)];
  const recorded = secondsOf(span);
  if (isLacking(elapsed) && !hasTime(laps) && recorded !== undefined)
    yield ["its records", recorded - span.pausedSeconds];
}

function* elapsedWays({ laps, span }: Parts): Generator<Way> {
  yield ["its laps", everyOf(laps, (lap) => lap.elapsed, plus)];
  yield ["its records", secondsOf(span)];
}

function hasTime(laps: readonly Lap[]): boolean {
  return (everyOf(laps, (lap) => lap.elapsed, plus) ?? 0) > 0;
}

/** Seconds from a session's first record to its last. */
function secondsOf({ firstTime, lastTime }: SpanFacts): number | undefined {
  return firstTime === undefined || lastTime === undefined ? undefined : lastTime - firstTime;
}

/** Lazy, because the last ways need another walk over the records. */
function* distanceWays(session: FitSession, parts: Parts): Generator<Way> {
  yield ["an app's own field", session.appDistance];
  yield ["its laps", everyOf(parts.laps.filter(lasted), ({ distance }) => distance?.value, plus)];
  // A watch that knows where it is means its 0. Positions drift during yoga too.
  yield* recordWays(parts, session.distance === undefined);
}

/** The distances that records give, best first. */
function* recordWays({ span, hasAppFields, path }: Parts, mayDrift: boolean): Generator<Way> {
  yield ["its records", metresOf(span)];
  if (hasAppFields) yield ["an app's own field of its records", path().appMetres];
  if (mayDrift && span.positionCount > 1) yield ["the positions of its records", path().metres];
}

/** Metres of a recording without a session, from its records alone; undefined if the records give none. */
export function metresOfRecords(parts: Parts): number | undefined {
  for (const [, metres] of recordWays(parts, true)) if (metres !== undefined && metres > 0) return metres;
  return metresOf(parts.span);
}

/** Metres that the device counted during a session: its last count, less the count before the session. */
export function metresOf({ distance, distanceBefore }: SpanFacts): number | undefined {
  return distance === undefined ? undefined : Math.max(0, distance - distanceBefore) / SCALE.distance;
}

/** Whether a lap counts. A lap of less than a second is a press of the button. */
function lasted({ timer, elapsed }: Lap): boolean {
  return (timer ?? elapsed ?? 1) >= 1;
}

const plus = (a: number, b: number): number => a + b;

/** The values of all laps together; undefined if a lap has none, because a part of a total is no total. */
function everyOf(
  laps: readonly Lap[],
  value: (lap: Lap) => number | undefined,
  together: (a: number, b: number) => number,
): number | undefined {
  const values = laps.map(value).filter((each) => each !== undefined);
  return values.length === 0 || values.length < laps.length ? undefined : values.reduce((a, b) => together(a, b));
}

/** A possible heart rate; undefined for an impossible one. */
function heartRate(beats: number | undefined): number | undefined {
  return isHeartRate(beats) ? beats : undefined;
}

/** The mean of the laps' mean heart rates, each weighted by its time; undefined if a lap has no heart rate or no time. */
function meanOf(laps: readonly Lap[]): number | undefined {
  const seconds = everyOf(laps, ({ timer, elapsed }) => timer ?? elapsed, plus);
  const beats = everyOf(
    laps,
    ({ avgHR, timer, elapsed }) => (isHeartRate(avgHR) ? avgHR * (timer ?? elapsed ?? 0) : undefined),
    plus,
  );
  return seconds === undefined || beats === undefined ? undefined : rounded(beats / seconds);
}

/** Whole beats, as in sessions; undefined for the result of a division by 0. */
function rounded(value: number): number | undefined {
  return Number.isFinite(value) ? Math.round(value) : undefined;
}

/**
 * Makes the second walk over a part's records.
 *
 * @returns the facts of each session
 */
export function walkPaths(
  source: Source,
  part: Part,
  starts: readonly number[],
  { breaks }: PartSpans,
  fields: readonly DistanceField[],
): readonly PathFacts[] {
  const paths = starts.map((): PathFacts => ({ appMetres: undefined, metres: 0 }));
  const last: (Position | undefined)[] = starts.map(() => undefined);
  const rowAt = recordReader(source, FOR_TOTALS);
  const sessionAt = sessionFinder(starts);
  const appMetresAt = distanceReader(source, fields);
  const afterBreak = new Set(breaks);
  let index = 0;
  const message = (definition: Definition, at: number, time: number | undefined) => {
    if (definition.global !== MESSAGE.record) return;
    const session = sessionAt(time);
    const path = paths[session] as PathFacts;
    path.appMetres = appMetresAt(definition, at) ?? path.appMetres;
    if (afterBreak.has(index++)) last[session] = undefined;
    const row = rowAt(definition, at);
    const position = positionOf(row[ROW.lat], row[ROW.lon]);
    if (typeof position === "string") return;
    const previous = last[session];
    if (previous !== undefined) path.metres += haversine(previous, position);
    last[session] = position;
  };
  walk(source, part.from, part.to, { message }, { maxMessages: Number.POSITIVE_INFINITY });
  return paths;
}
