/**
 * Judges whether a workout can be true: its date, its duration, its distance, and the speed from both. A refusal shows the arithmetic, so
 * that a person can check it mentally. Missing values are not judged.
 */
import type { Activity } from "../activities.ts";
import { type LocalDate, lastDayOnEarth } from "../calendar.ts";
import type { Issue } from "../model/issue.ts";
import type { Seconds, Start, Workout } from "../model/workout.ts";
import { inMetres, type Measure } from "../units.ts";
import { farthest, findLimits, type Limits, markNear, nearest } from "./limits.ts";
import { describeDistance, describeDuration, describeSpeed } from "./wording.ts";

/** What a workout may hold besides its numbers. Names, gear and weather come by themselves, so they are not among it. */
const CONTENT = [
  "notes",
  "intervalSet",
  "raceStats",
  "ratings",
  "course",
  "track",
] as const satisfies (keyof Workout)[];

/** The values to judge: a workout, or the known part of one. */
export type Judged = Pick<Workout, "start" | "distance" | "duration" | "sport" | "health" | (typeof CONTENT)[number]>;

/** Sources round: a distance to 10 m on both sides, a duration to the second. */
const ROUNDED = { metres: 20, seconds: 1 } as const;

/** The earliest day in the log of a living person. */
const FIRST_DAY: LocalDate = "1900-01-01";

const DAY_MS = 86_400_000;

/** The most milliseconds that a watch's clock may be ahead of ours. */
const AHEAD_MS = 3_600_000;

/**
 * Seconds that were read as milliseconds. The seconds of 1978 to 2052 become days of January 1970, and few people logged those days to the
 * second.
 */
const SECONDS_AS_MS = { from: 3 * DAY_MS, to: 30 * DAY_MS } as const;

/** The days at which clocks start to count. A device that lost its clock gives one of them. */
const EPOCHS = [
  { day: "1970-01-01", instant: 0, of: "computers" },
  { day: "1989-12-31", instant: 631_065_600_000, of: "watches that write FIT" },
] as const;

/**
 * Judges a workout.
 *
 * @param activity the activity that was found; undefined is judged by the most lenient limits
 * @param now the current instant; without it, no date counts as in the future
 * @returns why the workout can't be true, with a rule that begins with `workout/implausible-`; undefined when it can
 */
export function judge(workout: Judged, activity: Activity | undefined, now?: number): Issue | undefined {
  const limits = findLimits(activity, workout.sport);
  return (
    judgeDate(workout.start, now) ??
    judgeEmpty(workout) ??
    judgeDuration(workout, limits) ??
    judgeDistance(workout, limits)
  );
}

function judgeDate({ date, instant, basis }: Start, now: number | undefined): Issue | undefined {
  const day = date ?? (instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 10));
  if (day === undefined) return undefined;
  if (day < FIRST_DAY)
    return implausible("workout/implausible-date", `it is dated ${day}`, `a day from ${FIRST_DAY} on`);
  const future = now === undefined ? undefined : inTheFuture(day, instant, now);
  if (future !== undefined) return future;
  const epoch = EPOCHS.find((each) =>
    instant === undefined
      ? each.day === day && (basis === undefined || basis === "source")
      : instant >= each.instant && instant < each.instant + DAY_MS,
  );
  if (epoch === undefined) return instant === undefined ? undefined : inWrongUnit(day, instant);
  return implausible(
    "workout/implausible-date",
    `it is dated ${day}, the day that clocks of ${epoch.of} count from: the clock was not set`,
    "the day it was done",
  );
}

/** An instant in a month before any platform could write it, which suggests a wrong unit. */
function inWrongUnit(day: LocalDate, instant: number): Issue | undefined {
  if (instant < SECONDS_AS_MS.from || instant > SECONDS_AS_MS.to) return undefined;
  const meant = new Date(instant * 1000).toISOString().slice(0, 10);
  return implausible(
    "workout/implausible-date",
    `it is dated ${day}: in seconds, where milliseconds belong, the same number is ${meant}`,
    "the day it was done",
  );
}

/** Compares an instant with the clock, and a bare day with the latest date on Earth. */
function inTheFuture(day: LocalDate, instant: number | undefined, now: number): Issue | undefined {
  const lastDay = lastDayOnEarth(now);
  const found = `it is dated ${day}, which is in the future`;
  if (day > lastDay) return implausible("workout/implausible-date", found, `a day up to ${lastDay}`);
  if (instant === undefined || instant <= now + AHEAD_MS) return undefined;
  const at = (time: number) => `${new Date(time).toISOString().slice(0, 16)}Z`;
  return implausible(
    "workout/implausible-date",
    `it begins at ${at(instant)}, which is in the future`,
    `a start up to ${at(now)}`,
  );
}

/** Whether nothing is known of a workout: no distance, no duration and nothing else. */
export function isEmptyWorkout(workout: Judged): boolean {
  return judgeEmpty(workout) !== undefined;
}

/** A recording that was stopped as soon as it began. Some sources write 0 for its duration and its distance, others nothing. */
function judgeEmpty(workout: Judged): Issue | undefined {
  const { distance, duration } = workout;
  const metres = distance === undefined ? 0 : inMetres(distance);
  if (metres > 0 || (duration ?? 0) > 0 || hasContent(workout)) return undefined;
  const found = duration === 0 ? "it lasted 0 s and covered no distance" : "it has neither a duration nor a distance";
  return implausible("workout/implausible-empty", found, "a duration, a distance, or notes");
}

/** A heart rate says that somebody worked out, unless the recording says that it lasted 0 s. */
function hasContent(workout: Judged): boolean {
  const { avgHR, maxHR } = workout.health ?? {};
  const isMeasured = workout.duration === undefined && (avgHR ?? maxHR) !== undefined;
  return isMeasured || CONTENT.some((field) => workout[field] !== undefined);
}

function judgeDuration({ duration }: Judged, { longest }: Limits): Issue | undefined {
  if (duration === undefined || duration <= longest) return undefined;
  return implausible(
    "workout/implausible-duration",
    `it lasted ${describeDuration(duration)}`,
    `at most ${describeDuration(longest)}, longer than people keep as one workout of this kind`,
  );
}

function judgeDistance({ distance, duration, health }: Judged, limits: Limits): Issue | undefined {
  const metres = distance === undefined ? 0 : inMetres(distance);
  if (distance === undefined || metres <= 0) return undefined;
  if (duration === undefined || duration <= 0) return judgeDistanceAlone(distance, metres, limits);
  // Put into words only for the few that need it: that takes longer than judging.
  const arithmetic = () =>
    `${describeDistance(distance)} in ${describeDuration(duration)} is ${describeSpeed(metres / duration)}`;
  const most = farthest(limits, duration + ROUNDED.seconds);
  if (metres > most + ROUNDED.metres) {
    const record = markNear(limits.fastest, duration)?.said;
    return implausible(
      "workout/implausible-speed",
      arithmetic(),
      `at most ${describeSpeed(most / duration)} over that time, as fast as the fastest ${limits.called} (${record})`,
    );
  }
  const least = nearest(limits, duration, isHeartAtWork(health?.avgHR, duration));
  if (metres >= least) return undefined;
  return implausible(
    "workout/implausible-speed",
    arithmetic(),
    `at least ${describeSpeed(least / duration)} over that time; slower is a wrong unit or a clock that was not stopped`,
  );
}

/**
 * A heart rate of a workout proves that the clock was not just forgotten. The person may have trained on the spot, and then the distance
 * means little.
 */
function isHeartAtWork(avgHR: number | undefined, duration: Seconds): boolean {
  return avgHR !== undefined && avgHR >= 90 && duration <= DAY_MS / 1000;
}

/** Judges a distance without a duration: nobody gets farther in the longest duration of the activity. */
function judgeDistanceAlone(distance: Measure<"distance">, metres: number, limits: Limits): Issue | undefined {
  const most = farthest(limits, limits.longest);
  if (metres <= most) return undefined;
  return implausible(
    "workout/implausible-distance",
    `it is ${describeDistance(distance)} long`,
    `at most ${describeDistance({ unit: "km", value: most / 1000 })}, as far as anybody gets in ${describeDuration(limits.longest)}`,
  );
}

/** Whether no interval can cover this distance in this time, even if its ends were measured badly. */
export function isImpossibleInterval(seconds: Seconds, metres: number, activity: Activity | undefined): boolean {
  const limits = findLimits(activity);
  if (seconds > limits.longest) return true;
  const { metres: most, seconds: over } = limits.fastest[0] as Limits["fastest"][number];
  return metres > (2 * most * (seconds + ROUNDED.seconds)) / over + 100;
}

function implausible(rule: string, found: string, expected: string): Issue {
  return { severity: "error", rule, found, expected };
}
