/**
 * Compares a workout of a second source with the same workout as an earlier run loaded it. The log keeps what it has. So this names every
 * value that only the second source has, or that it has otherwise.
 */
import { DUPLICATE_TOLERANCE } from "../duplicates.ts";
import type { ValueNotAdded, Workout } from "../model/workout.ts";
import { convert, type Dimension, type Measure, measureText } from "../units.ts";

/** Two platforms round a value differently. Up to here they mean the same: a heart beat, a degree, a point of a rating. */
const SAME_WITHIN = 1;

/** The name of the field of a workout's device file. */
export const TRACK = "track";

/** What decides besides the values. */
export interface Comparing {
  /** Whether the second source is a bare recording. Its notes are the device's default title. */
  readonly isRecording: boolean;
  /** Whether the log may have a track: both runs send tracks, and the loaded workout had none. */
  readonly lacksTrack: boolean;
}

/** The values of `second` that `loaded` lacks or has otherwise, in the order in which people read a workout. */
export function findNotAdded(second: Workout, loaded: Workout, comparing: Comparing): readonly ValueNotAdded[] {
  return [
    ...notesOf(second, loaded, comparing),
    ...texts("type", second.type, loaded.type),
    ...texts("time of day", second.start.time, loaded.start.time, true),
    ...measures("distance", "distance", second.distance, loaded.distance),
    ...numbers("duration", second.duration, loaded.duration, (value) => `${value} s`),
    ...NUMBERS.flatMap(([field, read]) => numbers(field, read(second), read(loaded))),
    ...measures("weight", "weight", second.health?.weight, loaded.health?.weight),
    ...texts("intervals", intervalsOf(second), intervalsOf(loaded)),
    ...texts("weather", second.weather?.conditions?.join(", "), loaded.weather?.conditions?.join(", ")),
    ...measures("temperature", "temperature", second.weather?.temperature, loaded.weather?.temperature),
    ...(second.track !== undefined && comparing.lacksTrack ? [{ field: TRACK, value: second.track.entry }] : []),
  ];
}

/** The plain numbers of a workout, each with its name. */
export const NUMBERS: readonly (readonly [field: string, read: (workout: Workout) => number | undefined])[] = [
  ["average heart rate", ({ health }) => health?.avgHR],
  ["maximum heart rate", ({ health }) => health?.maxHR],
  ["resting heart rate", ({ health }) => health?.restHR],
  ["place in the race", ({ raceStats }) => raceStats?.fieldPlacement],
  ["size of the field", ({ raceStats }) => raceStats?.fieldSize],
  ["place in the age group", ({ raceStats }) => raceStats?.groupPlacement],
  ["size of the age group", ({ raceStats }) => raceStats?.groupSize],
  ["lower age of the group", ({ raceStats }) => raceStats?.groupMinAge],
  ["upper age of the group", ({ raceStats }) => raceStats?.groupMaxAge],
  ["effort", ({ ratings }) => ratings?.effort],
  ["quality", ({ ratings }) => ratings?.quality],
];

/** Notes are never the same by chance. So other notes are a text that the log lacks. */
function notesOf(second: Workout, loaded: Workout, { isRecording }: Comparing): readonly ValueNotAdded[] {
  const text = second.notes?.trim() ?? "";
  if (isRecording || text === "" || loaded.notes?.includes(text) === true) return [];
  return [{ field: "name and notes", value: text }];
}

function texts(field: string, value: string | undefined, inLog: string | undefined, onlyIfLacking = false) {
  if (value === undefined || value === "" || value === inLog) return [];
  if (inLog === undefined || inLog === "") return [{ field, value }];
  return onlyIfLacking ? [] : [{ field, value, inLog }];
}

function numbers(
  field: string,
  value: number | undefined,
  inLog: number | undefined,
  text: (value: number) => string = String,
): readonly ValueNotAdded[] {
  if (value === undefined) return [];
  if (inLog === undefined) return [{ field, value: text(value) }];
  return isSame(value, inLog) ? [] : [{ field, value: text(value), inLog: text(inLog) }];
}

function measures<D extends Dimension>(
  field: string,
  dimension: D,
  value: Measure<D> | undefined,
  inLog: Measure<D> | undefined,
): readonly ValueNotAdded[] {
  if (value === undefined || (inLog === undefined && value.value === 0)) return [];
  if (inLog === undefined) return [{ field, value: measureText(value) }];
  if (isSame(convert(dimension, value, inLog.unit).value, inLog.value, dimension !== "distance")) return [];
  return [{ field, value: measureText(value), inLog: measureText(inLog) }];
}

/** Whether two numbers mean the same: within the share of two duplicates, or one apart where the unit is a small one. */
function isSame(a: number, b: number, isSmallUnit = true): boolean {
  const apart = Math.abs(a - b);
  if (isSmallUnit && apart <= SAME_WITHIN) return true;
  return apart <= DUPLICATE_TOLERANCE.distance * Math.max(Math.abs(a), Math.abs(b));
}

function intervalsOf({ intervalSet }: Workout): string | undefined {
  const count = intervalSet?.intervals.length ?? 0;
  return count === 0 ? undefined : `${count} intervals`;
}
