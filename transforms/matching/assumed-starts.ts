/**
 * Corrects local times that nobody knew. A source may have its starts in UTC alone. The fixed offset of the log, which makes local times of them, is a guess:
 * the weakest of all local times. Another source that has the local time of the workout shows the offset from UTC.
 */
import { asIfUtc, atOffset } from "../calendar.ts";
import type { WorkoutFacts } from "../duplicates.ts";
import type { Start } from "../model/workout.ts";
import { MOST_SECONDS_APART } from "./likeness.ts";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 4 * QUARTER_MS;

/** Clocks of zones lie so far from UTC, in milliseconds. */
const OFFSETS = { from: -12 * HOUR_MS, to: 14 * HOUR_MS } as const;

/** Whether a start has its local time by the fixed offset of the log alone. */
export function isAssumed({ basis, instant, time }: Start): boolean {
  return basis === "utcOffset" && instant !== undefined && time !== undefined;
}

/**
 * How much later an assumed local time is to be set, in milliseconds: so that it is as far from UTC as the local time of another record of the same workout.
 * An offset from UTC is whole quarters of an hour. A clock that is off by other minutes drifts, and then whole hours count.
 *
 * @param assumed has an instant
 * @param other a record of the same workout with a local time that isn't assumed
 * @param setLater how much later the clock of `other` is to be set, if it has no instant
 * @returns undefined where no zone is so far from UTC
 */
export function assumedLater(assumed: WorkoutFacts, other: WorkoutFacts, setLater = 0): number | undefined {
  if (assumed.instant === undefined || assumed.time === undefined || other.time === undefined) return undefined;
  const assumedOffset = asIfUtc(assumed) - assumed.instant;
  const offset =
    other.instant === undefined
      ? wholeOffset(asIfUtc(other) + setLater - assumed.instant)
      : asIfUtc(other) - other.instant;
  return offset < OFFSETS.from || offset > OFFSETS.to ? undefined : offset - assumedOffset;
}

function wholeOffset(ms: number): number {
  const quarters = Math.round(ms / QUARTER_MS) * QUARTER_MS;
  return Math.abs(ms - quarters) <= MOST_SECONDS_APART * 1_000 ? quarters : Math.round(ms / HOUR_MS) * HOUR_MS;
}

/** Sets an assumed local time so many milliseconds later. Its instant stays, since only its distance from UTC was assumed. */
export function withLocalTimeSet(start: Start, ms: number): Start {
  const { date, time } = start;
  if (date === undefined || time === undefined) return start;
  const local = atOffset(asIfUtc({ date, time }), ms / MINUTE_MS);
  return { ...start, ...local, basis: "other source", ...(ms !== 0 && { clockSet: ms }) };
}
