/**
 * Finds the user's activity for the sport of a recording. The tables hold only the sports of the built-in activities. Any other sport is
 * looked up by name among the user's own activities. If it isn't there either, it counts as unknown.
 */
import type { Recording } from "../../connectors/formats/recording.ts";
import { ACTIVITY_OF_AN_UNKNOWN_SPORT } from "../gaps.ts";
import type { Activity } from "../model/activities.ts";

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
export function findActivity(recording: Recording, activities: readonly Activity[]): number {
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
