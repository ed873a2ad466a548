/** Fills the blank fields of a workout in the log with values of a source. A field that has a value is never changed. */

import { contradictsLog } from "../model/heart-rates.ts";
import { at, type Body, withAt } from "./at-path.ts";

/** The fields of a workout that may be filled: the path in the save body, and the name for people. The day and the sport are never blank. */
export const FILLABLE: readonly (readonly [path: string, field: string])[] = [
  ["notes", "name and notes"],
  ["workoutID", "type"],
  ["time", "time of day"],
  ["course", "course"],
  ["equipment", "equipment"],
  ["details.distance", "distance"],
  ["details.duration", "duration"],
  ["health.avgHR", "average heart rate"],
  ["health.maxHR", "maximum heart rate"],
  ["health.restHR", "resting heart rate"],
  ["health.weight", "weight"],
  ["intervalSet", "intervals"],
  ["raceStats.fieldPlacement", "place in the race"],
  ["raceStats.fieldSize", "size of the field"],
  ["raceStats.groupPlacement", "place in the age group"],
  ["raceStats.groupSize", "size of the age group"],
  ["raceStats.groupMinAge", "lower age of the group"],
  ["raceStats.groupMaxAge", "upper age of the group"],
  ["ratings.effort", "effort"],
  ["ratings.quality", "quality"],
  ["weather.conditions", "weather"],
  ["weather.temperature", "temperature"],
];

/** Whether a field has no value: it is absent, an empty text, an empty list or an empty group. 0 is a value. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The workout of the log with our values at these paths. A path that is not blank in it, or that we have no value for, is left as it is. */
export function fillBlanks(theirs: Body, ours: Body, paths: readonly string[]): Body {
  return pathsToFill(theirs, ours, paths).reduce((body, path) => withAt(body, path, at(ours, path)), theirs);
}

/** Those of the paths that are blank in the workout of the log, and that we have a value for that can be true beside the log's own. */
export function pathsToFill(theirs: Body, ours: Body, paths: readonly string[]): readonly string[] {
  return paths.filter(
    (path) => isBlank(at(theirs, path)) && !isBlank(at(ours, path)) && !contradictsLog(theirs, ours, path),
  );
}
