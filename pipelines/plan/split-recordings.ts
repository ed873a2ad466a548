/** Finds the workouts of one source that another source has in parts. */
import { findParts, type PartsFound, type Span } from "../../transforms/matching/parts.ts";
import type { Clocked, LinkedWorkout } from "./linked-workout.ts";

/** A workout and those that are surely or perhaps its parts, of two lists. */
export interface PartsOf<T> {
  readonly whole: T;
  /** At least two, in the order of their starts. */
  readonly parts: readonly T[];
  readonly apart: PartsFound<Span>["apart"];
  /** As in `likeness.ts`. */
  readonly score: number;
}

/** A workout of a source that another source has in parts. */
export type Split = PartsOf<LinkedWorkout>;

/**
 * Finds the workouts that the other one of two lists has in parts, the likeliest first. Each workout is in one of the results at most.
 */
export function partsBetween<T extends Span>(one: readonly T[], other: readonly T[]): readonly PartsOf<T>[] {
  const [ours, theirs] = [one, other].map((spans) => spans.toSorted((a, b) => a.at - b.at));
  if (ours === undefined || theirs === undefined) return [];
  const found = [...splitsOf(ours, theirs), ...splitsOf(theirs, ours)].toSorted((a, b) => b.score - a.score);
  const taken = new Set<T>();
  return found.filter(({ whole, parts }) => {
    const all = [whole, ...parts];
    if (all.some((span) => taken.has(span))) return false;
    for (const span of all) taken.add(span);
    return true;
  });
}

/** Each whole is compared with the few workouts after its start. */
function* splitsOf<T extends Span>(wholes: readonly T[], others: readonly T[]): Generator<PartsOf<T>> {
  for (const whole of wholes) {
    const found = findParts(whole, others);
    if (found !== undefined) yield { whole, ...found };
  }
}

/**
 * Finds the workouts that the other one of two sources has in parts.
 *
 * @param setClock how much later the clock of `one` is than that of `other`, at an instant of `one`: milliseconds
 */
export function splitsBetween(
  one: readonly Clocked[],
  other: readonly Clocked[],
  setClock: (wall: number) => number,
): readonly Split[] {
  const ours = spansOf(one, (wall) => wall - setClock(wall));
  const theirs = spansOf(other, (wall) => wall);
  return partsBetween(ours, theirs).map(({ whole, parts, ...found }) => ({
    ...{ ...found, whole: whole.workout },
    parts: parts.map(({ workout }) => workout),
  }));
}

function spansOf(workouts: readonly Clocked[], clock: (wall: number) => number) {
  return workouts.flatMap(({ workout, wall }) => {
    const { activity, metres, seconds } = workout.facts;
    return wall === undefined || seconds === undefined ? [] : [{ workout, activity, at: clock(wall), metres, seconds }];
  });
}
