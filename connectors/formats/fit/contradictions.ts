/**
 * Checks whether the summary of a recording agrees with the rest of its file. The check runs only if the checksum doesn't vouch for the
 * bytes. A flipped bit in a session makes a ride of 49 years, or a ride in the year 2070. No other value in the file confirms it.
 */
import type { Doubt } from "../../../transforms/model/workout.ts";
import { describeDuration } from "../../../transforms/plausibility/wording.ts";
import type { Lap } from "../recording.ts";
import { instantOf, SCALE } from "./profile.ts";
import type { FitSession } from "./session.ts";
import type { SpanFacts } from "./spans.ts";

/** Seconds that a start or an end may differ from the value that confirms it. A watch may be slow to save. */
const APART_SECONDS = 60;

/** Seconds that records may begin after their session: in a pool, or if the first hours are lost. */
const LATE_RECORDS_SECONDS = 6 * 3600;

/** The allowed difference between a total and a sum: 10 %, and two minutes or 200 m for short recordings. */
const TOLERANCE = { share: 0.1, seconds: 120, metres: 200 } as const;

/** A step between two records that is too long for a pause, in a file that is damaged anyway. */
const WILD_STEP_SECONDS = 6 * 3600;

/**
 * Finds the facts that contradict the summary of a recording.
 *
 * @param session its session message; undefined if its values come from its records
 * @param span its records added up
 * @param laps its laps
 */
export function contradictionsIn(
  session: FitSession | undefined,
  span: SpanFacts,
  laps: readonly Lap[],
): readonly Doubt[] {
  return session === undefined ? inRecords(span) : inSession(session, span, laps);
}

/** Times of records rise by seconds. Bytes that are read as records by mistake can have any time. */
function inRecords({ longestStep, longestStepBack }: SpanFacts): readonly Doubt[] {
  const wild = Math.max(longestStep > WILD_STEP_SECONDS ? longestStep : 0, longestStepBack);
  if (wild <= APART_SECONDS) return [];
  const found = `its file is damaged: the times of its points jump by ${describeDuration(wild)}`;
  return [doubt(found, "points a few seconds apart", ["date", "duration", "distance"])];
}

function inSession(session: FitSession, span: SpanFacts, laps: readonly Lap[]): readonly Doubt[] {
  const { start, end, elapsed, timer, distance } = session;
  const sum = (pick: (lap: Lap) => number | undefined) => sumOf(laps, pick);
  const recorded =
    span.firstTime === undefined || span.lastTime === undefined ? undefined : span.lastTime - span.firstTime;
  const moving = recorded === undefined ? undefined : recorded - span.pausedSeconds;
  const lasted = end === undefined || start === undefined ? undefined : end - start;
  const lapTimer = sum((lap) => lap.timer);
  const doubts: Doubt[] = [];
  if (start !== undefined && !isBorneOut(start, session, span, laps)) {
    const found = `its file is damaged: it says it began on ${dayOf(start)}, and its points and laps don't`;
    doubts.push(doubt(found, "the day it was done", ["date"]));
  }
  const whole = [recorded, sum((lap) => lap.elapsed), lasted];
  const moved = lapTimer === undefined ? [moving, ...partsOf(elapsed, timer)] : [lapTimer, moving];
  for (const [said, measured] of [
    [elapsed, whole],
    [timer, moved],
  ] as const) {
    if (said === undefined || agrees(said, measured, TOLERANCE.seconds)) continue;
    const others = measured.filter((each) => each !== undefined).map(describeDuration);
    const found = `its file is damaged: it says it took ${describeDuration(said)}, and its points and laps ${others.join(" or ")}`;
    doubts.push(doubt(found, "the time it took", ["duration"]));
  }
  const metres = span.distance === undefined ? undefined : span.distance / SCALE.distance;
  const parts = [metres, sum((lap) => lap.distance?.value)];
  if (distance !== undefined && !agrees(distance, parts, TOLERANCE.metres)) {
    const others = parts.filter((each) => each !== undefined).map((each) => `${Math.round(each)} m`);
    const found = `its file is damaged: it says ${Math.round(distance)} m, and its points and laps ${others.join(" or ")}`;
    doubts.push(doubt(found, "the distance", ["distance"]));
  }
  return doubts;
}

/** Whether another value in the file confirms the start of a session. */
function isBorneOut(
  start: number,
  { end, elapsed }: FitSession,
  { firstTime, lastTime }: SpanFacts,
  laps: readonly Lap[],
): boolean {
  const byRecords =
    firstTime !== undefined &&
    lastTime !== undefined &&
    start >= firstTime - LATE_RECORDS_SECONDS &&
    start <= lastTime + APART_SECONDS;
  const first = laps[0]?.start;
  const begun = instantOf(start);
  const byLaps = first !== undefined && begun !== undefined && Math.abs(first - begun) <= APART_SECONDS * 1000;
  const byEnd = end !== undefined && elapsed !== undefined && agrees(end - start, [elapsed], APART_SECONDS);
  return byRecords || byLaps || byEnd;
}

/** If there are no laps, and the timer ran for a part of the time, the watch pauses by itself. */
function partsOf(elapsed: number | undefined, timer: number | undefined): readonly number[] {
  const isPart = elapsed !== undefined && timer !== undefined && timer <= elapsed && timer >= elapsed / 5;
  return isPart ? [timer] : [];
}

/** Whether any measured value is about the same. Without a measured value there is no contradiction. */
function agrees(said: number, measured: readonly (number | undefined)[], least: number): boolean {
  const known = measured.filter((each) => each !== undefined);
  return known.length === 0 || known.some((each) => Math.abs(each - said) <= Math.max(least, TOLERANCE.share * each));
}

function sumOf(laps: readonly Lap[], pick: (lap: Lap) => number | undefined): number | undefined {
  const values = laps.map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b);
}

function doubt(found: string, expected: string, about: Doubt["about"]): Doubt {
  return { issue: { severity: "error", rule: "workout/implausible-file", found, expected }, about };
}

/** The UTC day. Without a calendar date: the seconds since the device was switched on. */
function dayOf(seconds: number): string {
  const instant = instantOf(seconds);
  return instant === undefined ? `no day (${seconds} s)` : new Date(instant).toISOString().slice(0, 10);
}
