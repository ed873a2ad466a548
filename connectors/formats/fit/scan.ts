/**
 * Reads a FIT file for planning: the activity, its time, its place and its device. It keeps no point. The deeper decoding
 * uses the same headline values, so a plan and its execution can't disagree.
 */

import { isPlausibleOffset } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { cutShort } from "../cut-short.ts";
import type { Depth, Device, Lap, Recording, Route, Wearer } from "../recording.ts";
import { contradictionsIn } from "./contradictions.ts";
import { type PartFacts, readFacts } from "./facts.ts";
import type { FitPoint } from "./points.ts";
import { FILE_TYPE, FIRST_CALENDAR_SECOND, fileTypeNamed, instantOf, sportNamed } from "./profile.ts";
import { positionOf } from "./record.ts";
import type { FitSession } from "./session.ts";
import { measureSpans, type PartSpans, type SpanFacts, sessionFinder, startsOf } from "./spans.ts";
import type { FitCaps, Part } from "./structure.ts";
import { metresOf, metresOfRecords, type Parts, type PathFacts, walkPaths, withTotals } from "./totals.ts";
import type { Source } from "./values.ts";

/** One file of a chain, without its points. */
export interface PartOutline {
  readonly part: Part;
  /** Whether it holds a strap's beats, for its own records or for records of another part. */
  readonly hasHeartRateStream: boolean;
  /** The start of each of `recordings`, in raw seconds: see `sessionFinder`. */
  readonly starts: readonly number[];
  /** Every record of the part, at depth `decode`. */
  readonly points?: FitPoint[];
  /** See `PartSpans.breaks`. */
  readonly breaks: readonly number[];
  readonly recordings: readonly Recording[];
  /** Present instead of recordings when the file is a course. */
  readonly route?: Route;
}

/** A whole file, without its points. */
export interface Outline {
  readonly device: Device;
  /** The wearer in the first part that has one. */
  readonly wearer?: Wearer;
  readonly parts: readonly PartOutline[];
  readonly issues: readonly Issue[];
}

/**
 * Reads a whole file except its points.
 *
 * - Each session is a recording, and so is each transition of a multisport file. A session may lack totals. They are
 *   computed, see `withTotals`.
 * - A part without a session is one recording, with values from its records: the battery died, or the writer leaves
 *   sessions out. A leg that was cut off before its session was written is a recording of the same kind.
 * - A course is a route. Any other file (settings, a workout plan, days of steps) gives only the issue `fit/no-activity`.
 *
 * Issues besides those of `readFacts`:
 * - warnings: `fit/no-session`, `fit/computed-total`, `fit/no-calendar-date`, `fit/position-off-globe`
 * - info: `fit/record-without-time`, `fit/developer-override`, `fit/no-activity`
 * - error: `fit/nothing-readable`
 */
export function outlineFit(source: Source, caps: FitCaps, depth: Depth): Outline {
  const { parts, issues: found } = readFacts(source, caps, depth);
  const issues = [...found];
  const outlines = parts.map(({ part, facts }) => outlinePart(source, part, facts, issues));
  const device = parts.find(({ facts }) => facts.device !== undefined)?.facts.device ?? {};
  if (outlines.every(({ recordings, route }) => recordings.length === 0 && route === undefined)) {
    const type = parts.find(({ facts }) => facts.fileType !== undefined)?.facts.fileType;
    issues.push(...nothingIssue(type, issues));
  }
  const wearer = parts.find(({ facts }) => facts.wearer !== undefined)?.facts.wearer;
  return { device, ...(wearer !== undefined && { wearer }), parts: outlines, issues };
}

/** The reason for an empty result; none if an error gives the reason already. */
function nothingIssue(fileType: number | undefined, issues: readonly Issue[]): readonly Issue[] {
  if (issues.some(({ severity }) => severity === "error")) return [];
  const kind = fileType === undefined ? "of no stated type" : fileTypeNamed(fileType);
  const damaged = issues.some(({ severity }) => severity === "warning");
  if (damaged) {
    return [{ severity: "error", rule: "fit/nothing-readable", found: `a damaged file: ${kind}`, expected: "records" }];
  }
  return [{ severity: "info", rule: "fit/no-activity", found: `a file: ${kind}`, expected: "an activity or a course" }];
}

function outlinePart(source: Source, part: Part, facts: PartFacts, issues: Issue[]): PartOutline {
  const hasHeartRateStream = facts.beatCount > 0;
  const empty = {
    part,
    hasHeartRateStream,
    starts: [],
    breaks: [],
    recordings: [],
    ...defined({ points: facts.points }),
  };
  const isCourse = facts.fileType === FILE_TYPE.course;
  const mayBeActivity = facts.fileType === undefined || facts.fileType === FILE_TYPE.activity;
  if (facts.sessions.length === 0 && (facts.recordCount === 0 || !(isCourse || mayBeActivity))) return empty;

  const starts = facts.sessions.length === 0 ? [0] : startsOf(facts.sessions);
  let measured = starts.length === 1 ? facts.whole.spans() : measureSpans(source, part, starts);
  if (facts.sessions.length > 0 && part.cut) {
    const lost = lostLegStart(facts.sessions, measured);
    if (lost !== undefined) {
      starts.push(lost);
      measured = measureSpans(source, part, starts);
    }
  }
  const { spans, breaks } = measured;
  if (facts.sessions.length === 0 && isCourse) {
    return { ...empty, starts, breaks, route: routeOf(facts, spans[0] as SpanFacts) };
  }

  const lapsBySession = lapsOf(facts, starts);
  const offset = offsetOf(facts);
  let paths: readonly PathFacts[] | undefined;
  const pathOf = (index: number): PathFacts => {
    paths ??= walkPaths(source, part, starts, measured, facts.distanceFields);
    return paths[index] as PathFacts;
  };
  const recordings = spans.map((span, index): Recording => {
    const session = facts.sessions[index];
    const laps = lapsBySession[index] ?? [];
    const parts: Parts = { laps, span, hasAppFields: facts.distanceFields.length > 0, path: () => pathOf(index) };
    const whole = session === undefined ? undefined : withTotals(session, parts, (issue) => issues.push(issue));
    const headline = whole === undefined ? derived(facts, parts) : stated(whole, span);
    const doubts = part.verified ? [] : [...contradictionsIn(session, span, laps)];
    // A session stands after its records. If a cut file has no session, its last records are missing too.
    if (session === undefined && part.stopsAt !== undefined)
      doubts.push(cutShort(headline.distance?.value, `at byte ${part.stopsAt}`));
    return {
      ...(IS_A_WORLD_OF_ITS_OWN.has(facts.device?.manufacturer) ? withoutPosition(headline) : headline),
      ...offset,
      laps,
      ...(doubts.length > 0 && { doubts }),
      pointCount: span.pointCount,
      positionCount: span.positionCount,
    };
  });
  issues.push(...remarks(facts, measured, starts.length));
  return { ...empty, starts, breaks, recordings };
}

/** Makers of devices that always write UTC as the local time: COROS (corpus coros-pace-2-cycling-misaligned-fields.fit), TomTom. */
const WRITE_UTC: ReadonlySet<string | undefined> = new Set(["coros", "tomtom"]);

/** Makers with positions in an invented world. Zwift's rides of 2016 are marked as indoor rides, not as virtual rides. */
const IS_A_WORLD_OF_ITS_OWN: ReadonlySet<string | undefined> = new Set(["zwift"]);

function withoutPosition<T extends object>(headline: T): T {
  const { firstPosition: _, ...others } = headline as T & { readonly firstPosition?: unknown };
  return others as T;
}

/** The device's own offset from UTC, if it can be believed. */
function offsetOf({ device, offsetSeconds }: PartFacts): { readonly offsetMinutes?: number } {
  const offsetMinutes = offsetSeconds === undefined ? undefined : offsetSeconds / 60;
  if (offsetMinutes === undefined || !isPlausibleOffset(offsetMinutes)) return {};
  return offsetMinutes === 0 && WRITE_UTC.has(device?.manufacturer) ? {} : { offsetMinutes };
}

/** The issues with the records and times of a part. */
function remarks(facts: PartFacts, measured: PartSpans, recordings: number): Issue[] {
  const firstTime = measured.spans.find((span) => span.firstTime !== undefined)?.firstTime;
  const start = facts.sessions[0]?.start ?? firstTime;
  const issues: Issue[] = [];
  if (recordings > facts.sessions.length) {
    issues.push({
      severity: "warning",
      rule: "fit/no-session",
      found: "records without a session message",
      expected: "a session; start, length, distance and heart rate are taken from the records",
    });
  }
  if (start !== undefined && start < FIRST_CALENDAR_SECOND) {
    issues.push({
      severity: "warning",
      rule: "fit/no-calendar-date",
      field: "start_time",
      found: `${start} seconds since the device was switched on`,
      expected: "a calendar date",
    });
  }
  const counted = [
    ["warning", "fit/position-off-globe", "a latitude beyond 90 degrees; left out", measured.offGlobe],
    [
      "info",
      "fit/record-without-time",
      "records without a time, as older watches write in a pool",
      measured.withoutTime,
    ],
  ] as const;
  for (const [severity, rule, found, count] of counted) {
    if (count > 0) issues.push({ severity, rule, found, count });
  }
  if (facts.overridden.size > 0) {
    issues.push({
      severity: "info",
      rule: "fit/developer-override",
      found: `developer fields that stand for ${[...facts.overridden].sort().join(", ")}`,
      expected: "the device's own fields, which are the ones kept",
    });
  }
  return issues;
}

/**
 * Seconds that records may run on after a session's end, because the watch was slow to save. Later records are a leg of their own.
 */
const SAVING_SECONDS = 60;

/** Records that come more than a day after the last leg are no leg: their times are damaged. */
const LONGEST_LEG_SECONDS = 86_400;

/**
 * The start of a leg without a written session. Its records are in a cut file, well after the end of the last session.
 */
function lostLegStart(sessions: readonly FitSession[], { spans }: PartSpans): number | undefined {
  const lastEnd = sessions.map(endOf).reduce((a, b) => Math.max(a, b));
  const lastTime = spans.reduce((latest, span) => Math.max(latest, span.lastTime ?? 0), 0);
  const isLeg = lastTime > lastEnd + SAVING_SECONDS && lastTime <= lastEnd + LONGEST_LEG_SECONDS;
  return isLeg ? lastEnd + 1 : undefined;
}

/** The latest end that a session gives. A damaged end must not cut its records in two. */
function endOf({ start, end = Number.POSITIVE_INFINITY, elapsed = 0 }: FitSession): number {
  return Math.max(end, (start ?? 0) + elapsed);
}

type Headline = Omit<Recording, "laps" | "pointCount" | "positionCount" | "points">;

/** The headline of a recording, from its session. */
function stated(session: FitSession, span: SpanFacts): Headline {
  const start = instantOf(session.start ?? span.firstTime);
  const begun = positionOf(session.startLat, session.startLon);
  // Records come first: the session of broken-start-latlng.fit begins at a place that the athlete never was at.
  const firstPosition = span.firstPosition ?? (typeof begun === "string" ? undefined : begun);
  const { distance, elapsed, timer, avgHR, maxHR, calories, ascent } = session;
  return {
    ...sportOf(session),
    ...(start === undefined ? {} : { start }),
    ...(firstPosition === undefined ? {} : { firstPosition }),
    ...(distance === undefined ? {} : { distance: { unit: "m", value: distance } }),
    ...(elapsed === undefined ? {} : { elapsed }),
    ...(timer === undefined ? {} : { timer }),
    ...(avgHR === undefined ? {} : { avgHR }),
    ...(maxHR === undefined ? {} : { maxHR }),
    ...(calories === undefined ? {} : { calories }),
    ...(ascent === undefined ? {} : { ascent }),
  };
}

/** The headline of a recording without a session, from its records. Its timer stands still between stop and start. */
function derived(facts: PartFacts, parts: Parts): Headline {
  const { span } = parts;
  const { firstTime, lastTime, firstPosition, maxHeartRate } = span;
  const metres = metresOfRecords(parts);
  const start = instantOf(firstTime);
  const elapsed = firstTime === undefined || lastTime === undefined ? undefined : Math.max(0, lastTime - firstTime);
  return {
    ...(facts.sport === undefined ? {} : sportOf(facts.sport)),
    ...(start === undefined ? {} : { start }),
    ...(firstPosition === undefined ? {} : { firstPosition }),
    ...(metres === undefined ? {} : { distance: { unit: "m", value: metres } }),
    ...(elapsed === undefined ? {} : { elapsed, timer: Math.max(0, elapsed - span.pausedSeconds) }),
    ...(span.heartRateCount === 0 ? {} : { avgHR: Math.round(span.heartRateSum / span.heartRateCount) }),
    ...(maxHeartRate === undefined ? {} : { maxHR: maxHeartRate }),
  };
}

function sportOf({ sport, subSport }: { sport: number | undefined; subSport: number | undefined }): Headline {
  return sport === undefined ? {} : { sport: sportNamed(sport), fitSport: [sport, subSport] };
}

function routeOf(facts: PartFacts, span: SpanFacts): Route {
  const metres = facts.laps[0]?.lap.distance?.value ?? metresOf(span);
  return {
    ...(facts.courseName === undefined ? {} : { name: facts.courseName }),
    ...(metres === undefined ? {} : { distance: { unit: "m", value: metres } }),
    pointCount: span.pointCount,
  };
}

/**
 * The laps of each session. Sessions may name their laps. They are believed if every lap then has exactly one session.
 * Otherwise each lap goes to a session by its start, as records do.
 */
function lapsOf({ sessions, laps }: PartFacts, starts: readonly number[]): Lap[][] {
  const bySession: Lap[][] = starts.map(() => []);
  const owners: (number | undefined)[] = new Array(laps.length).fill(undefined);
  let claims = 0;
  sessions.forEach(({ firstLap, lapCount }, session) => {
    if (firstLap === undefined || lapCount === undefined) return;
    for (let lap = firstLap; lap < Math.min(firstLap + lapCount, laps.length); lap++) {
      claims++;
      owners[lap] = session;
    }
  });
  const isSettled = claims === laps.length && !owners.includes(undefined) && starts.length === sessions.length;
  const sessionAt = sessionFinder(starts);
  laps.forEach(({ start, lap }, index) => {
    const owner = isSettled ? owners[index] : sessionAt(start);
    bySession[owner ?? 0]?.push(lap);
  });
  return bySession;
}
