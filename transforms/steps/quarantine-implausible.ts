import type { WorkoutItem } from "../model/item.ts";
import type { Interval, Workout } from "../model/workout.ts";
import { isImpossibleInterval, judge } from "../plausibility/judge.ts";
import { inMetres, measureText } from "../units.ts";
import { reject, type Transform } from "./transform.ts";

/** What is known beyond the item. */
export interface PlausibilitySettings {
  /** The instant of today; left out, nothing is in the future. */
  readonly now?: number | undefined;
  /** A person lets in what can't be true. */
  readonly allow?: boolean;
}

/**
 * A workout that can't be true is held back, with the arithmetic: too fast or too slow for its sport, longer than days, dated in the
 * future, or contradicted by its own file. Where a person allows it, it goes on and a warning says so. Intervals that no one can have
 * done are left out of a workout that is otherwise sound.
 */
export function quarantineImplausible({ now, allow = false }: PlausibilitySettings): Transform {
  return (item, report) => {
    if (item.kind !== "workout") return item;
    const { doubts = [] } = item.value;
    const issue = doubts[0]?.issue ?? judge(item.value, item.value.activity, now);
    if (issue !== undefined && !allow) return reject(item, "quarantined", { ...issue, severity: "error" });
    if (issue !== undefined) report({ ...issue, severity: "warning" });
    const certain = withoutDoubts(item);
    const { intervalSet, ...others } = certain.value;
    const wrong = intervalSet?.intervals.find((interval) => isImpossible(interval, others));
    if (wrong === undefined || allow) return certain;
    report({
      severity: "warning",
      rule: "workout/implausible",
      field: "intervals",
      found: `${wrong.distance === undefined ? "" : `${measureText(wrong.distance)} in `}${measureText({ unit: "s", value: wrong.duration ?? 0 })}`,
      expected: "intervals that somebody can have done; they were left out",
    });
    const unsupported = [
      ...(others.unsupported ?? []),
      { field: "intervals", value: `${intervalSet?.intervals.length}` },
    ];
    return { ...certain, value: { ...others, unsupported } };
  };
}

/** The workout once its doubts are settled: they go no further. */
export function withoutDoubts(item: WorkoutItem): WorkoutItem {
  if (item.value.doubts === undefined) return item;
  const { doubts: _, ...value } = item.value;
  return { ...item, value };
}

function isImpossible({ duration, distance }: Interval, { activity }: Workout): boolean {
  if (duration === undefined) return false;
  return isImpossibleInterval(duration, distance === undefined ? 0 : inMetres(distance), activity);
}
