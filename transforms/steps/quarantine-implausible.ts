import type { WorkoutItem } from "../model/item.ts";
import type { Interval, Workout } from "../model/workout.ts";
import { isImpossibleInterval, judge } from "../plausibility/judge.ts";
import { inMetres, measureText } from "../units.ts";
import { reject, type Transform } from "./transform.ts";

/** Settings that apply to all items. */
export interface PlausibilitySettings {
  /** The current instant; without it, no date counts as in the future. */
  readonly now?: number | undefined;
  /** Whether a person allows implausible workouts. */
  readonly allow?: boolean;
  /** Whether a person allows workouts without the values of cells that can't be read. */
  readonly allowUnread?: boolean;
  /** The title of the source, which may be all of the notes. A platform gives titles by itself, so such notes say nothing. */
  readonly title?: string | undefined;
}

/**
 * Quarantines a workout that can't be true, and shows the arithmetic. Such a workout is too fast or too slow for its sport, longer than
 * days, dated in the future, or contradicted by its own file. If a person allows it, it goes on with a warning. If one interval of an
 * otherwise sound workout is impossible, all of its intervals are left out. A workout with cells that can't be read waits too. It has a permission of
 * its own, so that one word never turns off both guards.
 */
export function quarantineImplausible(settings: PlausibilitySettings): Transform {
  const { now, allow = false, allowUnread = false, title } = settings;
  return (item, report) => {
    if (item.kind !== "workout") return item;
    const { doubts = [] } = item.value;
    const unread = doubts.find(({ isUnread }) => isUnread === true)?.issue;
    const doubtful = doubts.find(({ isUnread }) => isUnread !== true)?.issue;
    const issue = doubtful ?? judge(withoutTitle(item.value, title), item.value.activity, now);
    if (unread !== undefined && !allowUnread) return reject(item, "quarantined", { ...unread, severity: "error" });
    if (issue !== undefined && !allow) return reject(item, "quarantined", { ...issue, severity: "error" });
    for (const each of [unread, issue]) if (each !== undefined) report({ ...each, severity: "warning" });
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

function withoutTitle(workout: Workout, title: string | undefined): Workout {
  if (title === undefined || workout.notes !== title.trim()) return workout;
  const { notes: _, ...others } = workout;
  return others;
}

/** The workout without its doubts, once they are settled. */
export function withoutDoubts(item: WorkoutItem): WorkoutItem {
  if (item.value.doubts === undefined) return item;
  const { doubts: _, ...value } = withCutFile(item, item.value.doubts).value;
  return { ...item, value };
}

/** The workout with the loss of the rest of its file. Whoever keeps its beginning, or types its distance, has the track no more whole. */
export function withCutFile(item: WorkoutItem, doubts: Workout["doubts"]): WorkoutItem {
  const { value, origin } = item;
  const isCut = doubts?.some((doubt) => doubt.isCut) === true && value.track !== undefined;
  if (!isCut || value.lostFile !== undefined) return item;
  const name = origin.entry.slice(origin.entry.lastIndexOf("/") + 1);
  return { ...item, value: { ...value, lostFile: { because: "cut", name } } };
}

function isImpossible({ duration, distance }: Interval, { activity }: Workout): boolean {
  if (duration === undefined) return false;
  return isImpossibleInterval(duration, distance === undefined ? 0 : inMetres(distance), activity);
}
