import { ACTIVITY_NAMES, type Activity, foldSport } from "../activities.ts";
import type { Workout } from "../model/workout.ts";
import { sportSetting } from "../text/shell.ts";
import { reject, type Transform } from "./transform.ts";

/** The owner's own tables: the config file overrides the built-in ones. */
export interface ActivitySettings {
  /** Sport names of sources, folded by `foldSport`, and their activities. */
  readonly sports: ReadonlyMap<string, Activity>;
  /** Activities the log has, with their `activityID`. */
  readonly activityIDs: Readonly<Partial<Record<Activity, number>>>;
}

/**
 * The activity that a source names, by the owner's table and the built-in ones; undefined if no table knows the word, or if the source
 * names no sport.
 */
export function namedActivity(
  { activity, sport }: Workout,
  { sports }: Pick<ActivitySettings, "sports">,
): Activity | undefined {
  return sport === undefined ? activity : (sports.get(foldSport(sport)) ?? activity);
}

/** The same, with the owner's activity for workouts of sources that name no sport, such as most GPX files: `--sport "=run"`. */
export function activityNamed(workout: Workout, sports: ActivitySettings["sports"]): Activity | undefined {
  return namedActivity(workout, { sports }) ?? (workout.sport === undefined ? sports.get("") : undefined);
}

/**
 * Gives every workout and piece of equipment an activity that has a number in the log. It rejects an unknown sport and an activity without
 * a number, and never guesses. The rejection shows the configuration line that would let the record in.
 */
export function nameActivity(settings: ActivitySettings): Transform {
  return (item) => {
    if (item.kind === "course") return item;
    const activity = item.kind === "workout" ? activityNamed(item.value, settings.sports) : item.value.activity;
    if (activity === undefined) {
      const sport = item.kind === "workout" ? item.value.sport : undefined;
      return reject(item, "quarantined", {
        severity: "error",
        rule: "workout/unknown-sport",
        field: "sport",
        ...(sport === undefined ? {} : { found: sport }),
        expected:
          sport === undefined
            ? "an activity: the source names no sport, and it matches no workout of a known one. Say which it is for all such workouts, with --sport '=ACTIVITY'"
            : `an activity: say which with ${sportSetting(sport)}`,
      });
    }
    if (settings.activityIDs[activity] === undefined) {
      return reject(item, "quarantined", {
        severity: "error",
        rule: "workout/no-activity-id",
        field: "activity",
        found: activity,
        // A snapshot may name activities that are in none of our tables.
        expected: ACTIVITY_NAMES.includes(activity)
          ? `its number in your log: say it with "activities" in the config file, or --activity ${activity}=NUMBER`
          : "an activity of this name in your log: add it there, and restore again",
      });
    }
    if (item.kind === "workout") return { ...item, value: { ...item.value, activity } };
    return item;
  };
}
