/**
 * Tells whether two records are one workout: a source's and the log's, or two of one source. The sources of one command are compared more closely
 * (`matching/`).
 */

import type { Activity } from "./activities.ts";
import { asIfUtc, atOffset, type LocalDate, type LocalTime } from "./calendar.ts";
import { defined, someDefined } from "./model/defined.ts";
import { heartRatesTogether } from "./model/heart-rates.ts";
import { betterDistance, compareTracks } from "./model/precedence.ts";
import type { Start, UnsupportedValue, Workout } from "./model/workout.ts";
import { inMetres } from "./units.ts";

/** The values by which logferry recognises a workout. */
export interface WorkoutFacts {
  readonly activity: Activity | undefined;
  readonly date: LocalDate;
  /** Undefined for an untimed workout. */
  readonly time: LocalTime | undefined;
  /** Milliseconds since 1970 UTC, if known. */
  readonly instant: number | undefined;
  /** Undefined or above 0: a source writes 0 for "no distance" (weight training). */
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
  /** The average, in beats a minute, where a source has one. */
  readonly heartRate?: number;
}

/** Why two workouts count as one. The person sees this beside the pair. */
export interface DuplicateMatch {
  /** The form of the rule that matched, best first. */
  readonly rule:
    | "start and distance"
    | "start and duration"
    | "day, distance and duration"
    | "day and duration"
    | "day and distance"
    | "day, nothing measured";
  /** Seconds between the starts; undefined when one is untimed. */
  readonly secondsApart: number | undefined;
  /** Difference of the distances, 0.01 = 1 %; undefined when a workout has no distance. */
  readonly distanceApart: number | undefined;
}

/** "Start within two minutes, same activity, distance within 3 %". */
export const DUPLICATE_TOLERANCE = { seconds: 120, distance: 0.03, duration: 0.03 } as const;

/**
 * Metres in 0.01 km and 0.01 mi. Strava's table rounds distances to these steps, and so did earlier versions of logferry. A swim of 32 m is
 * then 0.03 km in the log, which is 6 % off.
 */
const COARSE_STEPS = [10, 16.09344] as const;

/** Half of the finest step that logferry writes, 0.001 mi: the exact distance of a pair may be rounded to that step. */
const FINE_HALF_METRES = 0.81;

/** What the notes of a bare recording are counted as. */
export const RECORDING_NOTES = "notes of the recording";

/** The facts of a workout whose local time is resolved. */
export function toFacts(workout: Workout): WorkoutFacts | undefined {
  const { start, distance, duration, activity, health } = workout;
  if (start.date === undefined) return undefined;
  const metres = distance === undefined ? undefined : inMetres(distance);
  return {
    activity,
    date: start.date,
    time: start.time,
    instant: start.instant,
    metres: metres === undefined || metres <= 0 ? undefined : metres,
    seconds: duration === undefined || duration <= 0 ? undefined : duration,
    ...(health?.avgHR !== undefined && health.avgHR > 0 && { heartRate: health.avgHR }),
  };
}

/**
 * Compares two workouts, and tells whether they are one and which rule says so. Both must have the same activity, or one of them has no
 * known activity (most GPX files name no sport). In addition, one of these must hold. (Distances also count as within 3 % if one is the
 * other rounded to 0.01 km or mi.)
 * - The starts are within two minutes, and the distances within 3 %. The starts are compared as instants if both have one, else as wall
 *   clock times.
 * - The starts are within two minutes, a distance is missing, and the durations are within 3 %.
 * - A start has no time, the day is the same, and both distance and duration are within 3 %. If neither workout has a distance (weight
 *   training), the duration alone decides. If neither has a duration (a sheet of days and distances), the distance alone decides.
 * - Neither workout has a distance or a duration (a rest day's note), the day is the same, and so is the time if both have one.
 *
 * An unknown activity equals any other when the start and one measure agree, or the day and both measures.
 */
export function matchDuplicates(a: WorkoutFacts, b: WorkoutFacts): DuplicateMatch | undefined {
  if (isOtherActivity(a, b)) return undefined;
  const evidence = measuredEvidence(a, b);
  const isSure = a.activity === b.activity || (evidence !== undefined && SURE_OF_ANY_ACTIVITY.has(evidence.rule));
  return isSure ? evidence : undefined;
}

/** True for two different known activities, and when only one of the activities is known. */
function isOtherActivity(a: WorkoutFacts, b: WorkoutFacts): boolean {
  if (a.activity === undefined || b.activity === undefined) return a.activity === b.activity;
  return a.activity !== b.activity;
}

/**
 * These rules hold even when an activity is unknown. The other rules are too weak: yoga and a swim of half an hour on one day are two
 * workouts.
 */
const SURE_OF_ANY_ACTIVITY: ReadonlySet<DuplicateMatch["rule"]> = new Set([
  "start and distance",
  "start and duration",
  "day, distance and duration",
]);

function measuredEvidence(a: WorkoutFacts, b: WorkoutFacts): DuplicateMatch | undefined {
  const distanceApart = apart(a.metres, b.metres);
  if (areDistancesFar(a, b)) return undefined;
  const durationApart = apart(a.seconds, b.seconds);
  const durationsAgree = durationApart !== undefined && durationApart <= DUPLICATE_TOLERANCE.duration;

  if (isUnmeasured(a) && isUnmeasured(b)) {
    return a.date === b.date && a.time === b.time
      ? { rule: "day, nothing measured", secondsApart: a.time === undefined ? undefined : 0, distanceApart: undefined }
      : undefined;
  }
  if (a.time === undefined || b.time === undefined) {
    if (a.date !== b.date) return undefined;
    const hasNoDuration = a.seconds === undefined && b.seconds === undefined;
    if (hasNoDuration && distanceApart !== undefined)
      return { rule: "day and distance", secondsApart: undefined, distanceApart };
    if (!durationsAgree) return undefined;
    if (distanceApart !== undefined)
      return { rule: "day, distance and duration", secondsApart: undefined, distanceApart };
    const hasNoDistance = a.metres === undefined && b.metres === undefined;
    return hasNoDistance ? { rule: "day and duration", secondsApart: undefined, distanceApart } : undefined;
  }
  const secondsApart = secondsBetweenStarts(a, b);
  if (secondsApart > DUPLICATE_TOLERANCE.seconds) return undefined;
  if (distanceApart !== undefined) return { rule: "start and distance", secondsApart, distanceApart };
  return durationsAgree ? { rule: "start and duration", secondsApart, distanceApart } : undefined;
}

/**
 * Whether two workouts are one recording, whatever their sports. They have the same start to the second, the same duration, and the same
 * distance apart from rounding. Without distances the start must also not be a full minute, because somebody may write down two exercises
 * at 18:00.
 */
export function isSameRecording(a: WorkoutFacts, b: WorkoutFacts): boolean {
  if (a.time === undefined || b.time === undefined || a.seconds === undefined || b.seconds === undefined) return false;
  if (secondsBetweenStarts(a, b) >= 1 || Math.abs(a.seconds - b.seconds) > 1) return false;
  if (a.metres === undefined || b.metres === undefined) return a.metres === b.metres && !/:00(\.0*)?$/.test(a.time);
  return isSameDistance(a.metres, b.metres);
}

/** Whether two distances in metres are the same apart from rounding. */
export function isSameDistance(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2 * FINE_HALF_METRES || isRoundedTo(a, b);
}

/** Whether two distances differ by more than the tolerance. A distance that is the other rounded to 0.01 km or mi is not far. */
function areDistancesFar({ metres: a }: WorkoutFacts, { metres: b }: WorkoutFacts): boolean {
  const share = apart(a, b);
  if (a === undefined || b === undefined || share === undefined || share <= DUPLICATE_TOLERANCE.distance) return false;
  return !isRoundedTo(a, b);
}

/** Whether one of two distances is the other rounded to 0.01 km or mi. */
function isRoundedTo(a: number, b: number): boolean {
  const isMultiple = (metres: number, step: number) => Math.abs(metres / step - Math.round(metres / step)) < 1e-4;
  return COARSE_STEPS.some(
    (step) => Math.abs(a - b) <= step / 2 + FINE_HALF_METRES && (isMultiple(a, step) || isMultiple(b, step)),
  );
}

/** How far two starts are apart: as instants if both have one, else as wall clock times. */
export function secondsBetweenStarts(a: WorkoutFacts, b: WorkoutFacts): number {
  const ms = a.instant !== undefined && b.instant !== undefined ? a.instant - b.instant : asIfUtc(a) - asIfUtc(b);
  return Math.abs(ms) / 1000;
}

/** Sorts matches by closeness, to choose among several candidates: negative when `a` is the closer one. */
export function closerMatch(a: DuplicateMatch, b: DuplicateMatch): number {
  return (
    (a.secondsApart ?? Number.POSITIVE_INFINITY) - (b.secondsApart ?? Number.POSITIVE_INFINITY) ||
    (a.distanceApart ?? 1) - (b.distanceApart ?? 1) ||
    0
  );
}

/**
 * Merges two workouts into one, by the table in `model/precedence.ts`. The row's values come first (name, notes, gear, type, race, ratings, weather), and the other workout fills
 * the gaps. The track comes from the better format: FIT before TCX before GPX, because conversions change distances. At equal formats the
 * row's own track stays.
 *
 * @param isRecording whether the other workout is a bare recording. The notes of a recording are a device's default title, so they are only
 * counted as unsupported. The notes of another row are somebody's words, so they follow the row's notes.
 */
export function mergeDuplicates(row: Workout, other: Workout, isRecording: boolean): Workout {
  const { lostFile, track } = wholeTrack(row, other);
  const isNew = other.notes !== undefined && row.notes !== undefined && !row.notes.includes(other.notes);
  const notes = isNew && !isRecording ? withNewParts(row.notes ?? "", other.notes ?? "") : (row.notes ?? other.notes);
  const unsupported: UnsupportedValue[] = [...(row.unsupported ?? [])];
  for (const loss of other.unsupported ?? [])
    if (!unsupported.some(({ field }) => field === loss.field)) unsupported.push(loss);
  if (isNew && isRecording) unsupported.push({ field: RECORDING_NOTES, value: other.notes ?? "" });
  const { rates, lost } = heartRatesTogether(row.health, other.health);
  if (lost !== undefined) unsupported.push(lost);
  const { lostFile: _theirs, ...others } = other;
  const { lostFile: _own, ...own } = row;
  return {
    ...others,
    ...own,
    start: betterStart(row.start, other.start),
    ...defined({
      health: someDefined({ ...together(row.health, other.health), ...rates }),
      ratings: together(row.ratings, other.ratings),
      weather: together(row.weather, other.weather),
    }),
    ...defined({ notes, track, lostFile, distance: betterDistance(row, other).distance }),
    ...(unsupported.length > 0 && { unsupported }),
  };
}

/** A group of fields, of which each copy may have some. */
function together<G extends object>(row: G | undefined, other: G | undefined): G | undefined {
  return row === undefined || other === undefined ? (row ?? other) : { ...other, ...row };
}

/** Adds the paragraphs that a text lacks: two platforms often have one description under two names. */
function withNewParts(text: string, other: string): string {
  return [text, ...other.split(/\n{2,}/).filter((part) => !text.includes(part.trim()))].join("\n\n");
}

/**
 * Chooses the start. The row's start wins, unless the other workout has a surer local time. Then the row's instant is combined with the
 * other's offset from UTC. A position or an instant that only the other workout has is kept.
 */
function betterStart(row: Start, other: Start): Start {
  if (row.time === undefined && other.time !== undefined) return { ...row, ...other };
  const isSurer = trust(other) > trust(row) && other.date !== undefined && other.time !== undefined;
  if (!isSurer) return { ...other, ...row };
  if (row.instant === undefined || other.instant === undefined) return { ...row, ...other };
  const offsetMinutes = (asIfUtc({ date: other.date ?? "", time: other.time }) - other.instant) / 60_000;
  return {
    ...other,
    ...row,
    ...atOffset(row.instant, offsetMinutes),
    ...defined({ basis: other.basis }),
  };
}

/**
 * How sure a local time is. Surest is a time from the source, the device or the position. Next is one that another source gave, or a zone that the person
 * named for all workouts, and last a fixed offset.
 */
function trust({ basis }: Start): number {
  return basis === "utcOffset" ? 0 : basis === "named zone" || basis === "other source" ? 1 : 2;
}

/**
 * Chooses the track: a whole one before a cut one, then by format. The chosen track brings its own lost file. Without any track, the lost
 * file of either workout is kept.
 */
function wholeTrack(row: Workout, other: Workout): Pick<Workout, "track" | "lostFile"> {
  const [best] = [row, other]
    .flatMap(({ track, lostFile }) => (track === undefined ? [] : [{ track, lostFile, isCut: lostFile !== undefined }]))
    .sort(compareTracks);
  if (best === undefined) return defined({ lostFile: row.lostFile ?? other.lostFile });
  return defined({ track: best.track, lostFile: best.lostFile });
}

function isUnmeasured(facts: WorkoutFacts): boolean {
  return facts.metres === undefined && facts.seconds === undefined;
}

/** The relative difference, divided by the larger value; undefined when a value is missing. */
function apart(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.abs(a - b) / Math.max(a, b);
}
