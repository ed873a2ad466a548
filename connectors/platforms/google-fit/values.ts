/** Reads values in the form of Google Fit. */
import type { Activity } from "../../../transforms/activities.ts";

/**
 * Reads `+02:00` from `2014-10-22T19_46_33.073+02_00_WALKING.json`. The name has the local start with its distance from UTC. The file itself may
 * have only UTC.
 */
export function offsetOf(fileName: string): string | undefined {
  const [, hours, minutes] = /^\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d(?:\.\d{1,9})?([+-]\d\d)_(\d\d)_/.exec(fileName) ?? [];
  return hours === undefined ? undefined : `${hours}:${minutes}`;
}

/** Turns `674.186s` into `674.186`. */
export function secondsOf(text: string): string {
  return text.replace(/s$/, "");
}

/** The reason why a session is not a workout; undefined if it is one. */
export function skips(activity: string): string | undefined {
  if (/^sleep(\.|$)/.test(activity)) return "sleep";
  return NO_WORKOUTS.get(activity);
}

const NO_WORKOUTS: ReadonlyMap<string, string> = new Map([
  ["in_vehicle", "a drive"],
  ["exiting_vehicle", "a drive"],
  ["still", "nobody moved"],
  ["tilting", "the phone moved"],
  ["unknown", "the phone doesn't know what it was"],
]);

/**
 * The sports with names that only this platform uses. Names that cover several of our activities are missing: `on_foot`, `interval_training`,
 * `ergometer`, `other`. Source: FitnessActivities of the Google Fit API.
 */
export const SPORTS: Readonly<Record<string, Activity>> = {
  ...named("run", "running.jogging running.sand running.treadmill"),
  ...named("bike", "biking.hand biking.mountain biking.road biking.spinning biking.stationary biking.utility"),
  ...named("walk", "walking.fitness walking.nordic walking.treadmill walking.stroller"),
  ...named("swim", "swimming.pool swimming.open_water"),
  ...named("row", "rowing.machine"),
  ...named("ski", "skiing.back_country skiing.cross_country skiing.downhill skiing.roller"),
  ...named("elliptical", "stair_climbing.machine"),
  ...named("weight", "weightlifting kettlebell_training calisthenics interval_training.high_intensity"),
  ...named("other", "skating.cross skating.indoor skating.inline skiing.kite volleyball.beach volleyball.indoor"),
  ...named("other", "football.american football.australian football.soccer martial_arts.mixed frisbee_disc polo"),
  ...named("other", "scuba_diving standup_paddleboarding wakeboarding water_polo snowmobile"),
};

function named(activity: Activity, names: string): Record<string, Activity> {
  return Object.fromEntries(names.split(" ").map((name) => [name, activity]));
}
