/** Names runs, rides, walks and swims of 0 km: the distance was lost, or nobody typed it. */
import { foldSport } from "../../../transforms/activities.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Item } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import { describeDuration } from "../../../transforms/plausibility/wording.ts";
import type { Journal } from "../../journal/journal.ts";

/** Activities in which nobody stays in place. */
const MOVING: readonly (Workout["activity"] | undefined)[] = ["run", "walk", "hike", "bike", "swim"];

/** A word in the name of a sport that is done in place. A machine may measure no distance. */
const IN_PLACE = /treadmill|indoor|virtual|trainer|spin|stationary|roller|tapis|laufband/;

/** Whether a source gives a workout a duration, and 0 for a distance that it must have. A workout without a distance is none of these. */
export function hasZeroDistance({ kind, value }: Item): boolean {
  if (kind !== "workout") return false;
  const { activity, sport = "", distance, duration = 0 } = value;
  return distance?.value === 0 && duration > 0 && MOVING.includes(activity) && !IN_PLACE.test(foldSport(sport));
}

/**
 * Names them. One that got its distance from another source isn't named, nor is one that the log has already. Call it after the plan was compared with the
 * log.
 *
 * @param keys the workouts that had 0 in their source
 */
export async function tellZeroDistances(
  run: number,
  keys: Iterable<string>,
  { journal, report }: { readonly journal: Journal; readonly report: (issue: Issue) => Promise<void> },
): Promise<void> {
  for (const key of keys) {
    const line = await journal.lineWithKey(run, key);
    if (line?.kind !== "workout" || line.state !== "planned" || !hasZeroDistance(line)) continue;
    const { activity, duration = 0 } = line.value;
    await report({
      severity: "warning",
      rule: "workout/zero-distance",
      field: "distance",
      origin: line.origin,
      found: `a distance of 0 in ${describeDuration(duration)}`,
      expected: `the distance of a ${activity}. It is loaded as it is: add the distance in the source, or in your log afterwards`,
    });
  }
}
