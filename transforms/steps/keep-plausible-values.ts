import { RATING_RANGE } from "../assumptions.ts";
import type { Issue } from "../model/issue.ts";
import type { Beyond, Workout } from "../model/workout.ts";
import type { Transform } from "./transform.ts";

/** No heart has been measured beating faster; sources hold 255 and more for "no reading". */
const HIGHEST_HEART_RATE = 250;

/**
 * Heart rates and ratings are whole numbers in the range of their field, and no duration or distance is negative or endless.
 * What is not is taken out, named in an issue, and counted as beyond the log: the rest of the workout goes on. A zero
 * heart rate is a source's "not measured" (Strava, Garmin and Fitbit write it); a zero temperature stays.
 */
export const keepPlausibleValues: Transform = (item, report) => {
  if (item.kind !== "workout") return item;
  const beyond: Beyond[] = [];
  const refuse = (field: string, value: number, expected: string): undefined => {
    const issue: Issue = { severity: "warning", rule: "workout/implausible", field, found: String(value), expected };
    report(issue);
    beyond.push({ field, value: String(value) });
    return undefined;
  };
  const heartRate = (field: string, value: number | undefined): number | undefined => {
    if (value === undefined || value === 0) return undefined;
    const whole = Math.round(value);
    if (whole > 0 && whole <= HIGHEST_HEART_RATE) return whole;
    return refuse(field, value, `1 to ${HIGHEST_HEART_RATE} beats a minute`);
  };
  const rating = (field: string, value: number | undefined): number | undefined => {
    if (value === undefined) return undefined;
    const whole = Math.round(value);
    if (whole >= RATING_RANGE.min && whole <= RATING_RANGE.max) return whole;
    return refuse(field, value, `${RATING_RANGE.min} to ${RATING_RANGE.max}`);
  };
  const amount = (field: string, value: number | undefined): number | undefined =>
    value === undefined || (Number.isFinite(value) && value >= 0) ? value : refuse(field, value, "0 or more");

  const { health, ratings, distance, duration, ...others } = item.value;
  const soundDistance =
    distance !== undefined && amount("distance", distance.value) !== undefined ? distance : undefined;
  const value: Workout = {
    ...others,
    ...defined({
      distance: soundDistance,
      duration: amount("duration", duration),
      health: some({
        avgHR: heartRate("avgHR", health?.avgHR),
        maxHR: heartRate("maxHR", health?.maxHR),
        restHR: heartRate("restHR", health?.restHR),
        weight: health?.weight,
      }),
      ratings: some({ effort: rating("effort", ratings?.effort), quality: rating("quality", ratings?.quality) }),
    }),
  };
  return { ...item, value: beyond.length === 0 ? value : { ...value, beyond: [...(value.beyond ?? []), ...beyond] } };
};

/** The members that are not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** The same, or undefined when nothing is left. */
function some<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } | undefined {
  const kept = defined(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
}
