/** Makes workouts from the recordings of a device file: the summary, and the laps as intervals. */
import type { Lap, Recording } from "../../connectors/formats/recording.ts";
import {
  ACTIVITY_OF_AN_UNKNOWN_SPORT,
  BOUNDS,
  IMPORT_SHIFTS_BY_UTC_OFFSET,
  IMPORTED_DISTANCE_UNIT,
  IMPORTED_STEPS,
  LONGEST,
  RANGES,
} from "../gaps.ts";
import { withoutEmpty } from "../http/envelope.ts";
import { Refusal } from "../http/refusals.ts";
import type { Activity } from "../model/activities.ts";
import { wallClock } from "../model/calendar.ts";
import type { Distance } from "../model/measure.ts";
import { cutTo } from "../model/texts.ts";
import type { Workout } from "../model/workout.ts";
import type { ImportedWorkout } from "../store/store.ts";

/**
 * One workout for each recording, in the file's order.
 * @param utcOffset hours the file's UTC times are shifted by, see `IMPORT_SHIFTS_BY_UTC_OFFSET`
 * @throws Refusal `bad-file` when a recording has no date, naming which: see `IMPORT_IS_ALL_OR_NOTHING`
 */
export function toWorkouts(
  recordings: readonly Recording[],
  utcOffset: number,
  activities: readonly Activity[],
): readonly ImportedWorkout[] {
  const shiftHours = IMPORT_SHIFTS_BY_UTC_OFFSET ? utcOffset : 0;
  return recordings.map((recording, index) => {
    const start = recording.start === undefined ? undefined : wallClock(recording.start, shiftHours);
    if (start === undefined) {
      throw new Refusal("bad-file", `body: recording ${index + 1} of ${recordings.length} has no date`);
    }
    const workout: Workout = {
      activityID: findActivity(recording, activities),
      date: start.date,
      time: start.time,
      ...defined({
        notes: recording.notes === undefined ? undefined : cutTo(LONGEST.notes, recording.notes),
        details: detailsOf(recording),
        health: defined({ avgHR: heartRate(recording.avgHR), maxHR: heartRate(recording.maxHR) }),
        intervalSet: recording.laps.length > 1 ? { intervals: recording.laps.map(intervalOf) } : undefined,
      }),
    };
    return { recording: index, workout: withoutEmpty(workout) };
  });
}

/** A device's words for laps that aren't work. Every other lap is an interval. */
const INTERVAL_TYPES: ReadonlyMap<string, string> = new Map([
  ["rest", "rest"],
  ["resting", "rest"],
  ["recovery", "recovery"],
]);

function intervalOf(lap: Lap) {
  return { ...detailsOf(lap), type: INTERVAL_TYPES.get(lap.intensity?.toLowerCase() ?? "") ?? "interval" };
}

/** Uses the timer's time when the file has one. The log's duration is the time spent moving, without pauses. */
function detailsOf(measured: Pick<Recording, "distance" | "timer" | "elapsed">) {
  return defined({
    distance: distanceOf(measured.distance),
    duration: roundedTo(IMPORTED_STEPS.seconds, within(BOUNDS.seconds, measured.timer ?? measured.elapsed)),
  });
}

/** Metres stay metres, see `IMPORTED_DISTANCE_UNIT`. The log has no unit for a yard, which is 0.9144 m by definition. */
function distanceOf(distance: Recording["distance"]): Distance | undefined {
  const value = within(BOUNDS.distance, distance?.value);
  if (distance === undefined || value === undefined) return undefined;
  const metres = roundedTo(IMPORTED_STEPS.metres, distance.unit === "yd" ? value * 0.9144 : value);
  return distance.unit === "yd" || distance.unit === "m"
    ? { unit: IMPORTED_DISTANCE_UNIT, value: metres }
    : { unit: distance.unit, value };
}

/** The value, rounded to the nearest step. `steps` is the number of steps in a unit. */
function roundedTo<T extends number | undefined>(steps: number, value: T): T;
function roundedTo(steps: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * steps) / steps;
}

function heartRate(beats: number | undefined): number | undefined {
  const value = within(RANGES.heartRate, beats);
  return value === undefined ? undefined : Math.round(value);
}

/** The value; undefined where a save would refuse it. */
function within(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  value: number | undefined,
): number | undefined {
  return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
}

/** The same members without those that are undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

// Finds the user's activity for the sport of a recording. The tables hold only the sports of the built-in activities. Any other sport is
// looked up by name among the user's own activities. If it isn't there either, it counts as unknown.

/** Sport names of each activity: FIT's names in snake_case, TCX's `Sport`, GPX's `<type>` (Strava writes numbers: 1, 9, 16). */
const WORDS: readonly (readonly [activityID: number, words: readonly string[]])[] = [
  [10, ["running", "run", "jogging", "trail_running", "treadmill_running", "9"]],
  [11, ["cycling", "biking", "bike", "ride", "virtual_ride", "e_biking", "1"]],
  [12, ["swimming", "swim", "lap_swimming", "open_water", "16"]],
  [13, ["strength_training", "weight_training", "weights"]],
];

/** FIT's numbers (`sport`, and `sport` with `sub_sport`), from the enums of its profile. The pair wins. */
const FIT: ReadonlyMap<string, number> = new Map([
  ["1", 10],
  ["4,1", 10],
  ["2", 11],
  ["21", 11],
  ["4,5", 11],
  ["4,6", 11],
  ["5", 12],
  ["10,20", 13],
]);

/** The activityID of a recording. It is always defined, see `ACTIVITY_OF_AN_UNKNOWN_SPORT`. */
function findActivity(recording: Recording, activities: readonly Activity[]): number {
  const [sport, subSport] = recording.fitSport ?? [];
  const byNumber = FIT.get(`${sport},${subSport}`) ?? FIT.get(String(sport));
  if (byNumber !== undefined) return byNumber;
  const word = folded(recording.sport ?? "");
  const byWord = WORDS.find(([, words]) => words.some((known) => folded(known) === word))?.[0];
  const own = activities.find((activity) => folded(activity.name) === word);
  return byWord ?? own?.id ?? ACTIVITY_OF_AN_UNKNOWN_SPORT;
}

function folded(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, "");
}
