/** The order of rows that know their day alone: a diary has its morning run before its evening run, or all of it newest first. */
import { type Candidate, componentsOf } from "../../../transforms/matching/assignment.ts";
import { rivalsAmong } from "../../../transforms/matching/rivals.ts";
import type { Clocked, LinkedWorkout } from "../pairs/linked-workout.ts";

/** Of the changes of the date from row to row, at least so many must go one way. */
const LEAST_ONE_WAY = 0.75;

/** So much counts a pair that is out of order. It is more than what counts as equal, and decides only among equal scores. */
const OUT_OF_ORDER = 0.001;

/** Gives each workout its place in the order of time, where the dates of its file tell the file's direction. */
export function withRowOrder(workouts: readonly LinkedWorkout[]): LinkedWorkout[] {
  // A spreadsheet has several tables in one file.
  const files = Map.groupBy(workouts, ({ origin }) => `${origin.entry}\n${placeOf(origin).table}`);
  const places = new Map<LinkedWorkout, number>();
  for (const file of files.values()) {
    const rows = file.toSorted((a, b) => rowOf(a) - rowOf(b));
    const direction = directionOf(rows.map(({ facts }) => facts.date));
    if (direction !== undefined) for (const [at, row] of rows.entries()) places.set(row, at * direction);
  }
  return workouts.map((workout) => {
    const inFile = places.get(workout);
    return inFile === undefined ? workout : { ...workout, inFile };
  });
}

function rowOf({ origin }: LinkedWorkout): number {
  return placeOf(origin).row;
}

/** The number at the end of a place such as `line 12` or `Sheet "2019", row 12`, and what stands before it. */
export function placeOf({ locator = "" }: LinkedWorkout["origin"]) {
  let end = locator.length;
  while (/[0-9]/.test(locator[end - 1] ?? "")) end--;
  return { table: locator.slice(0, end), row: Number(locator.slice(end)) };
}

/** 1 for oldest first, -1 for newest first, undefined when the dates don't tell. */
function directionOf(dates: readonly string[]): 1 | -1 | undefined {
  let [later, earlier] = [0, 0];
  for (const [at, date] of dates.entries()) {
    const before = dates[at - 1] ?? date;
    if (date > before) later++;
    if (date < before) earlier++;
  }
  if (later + earlier === 0) return undefined;
  const share = Math.max(later, earlier) / (later + earlier);
  return share < LEAST_ONE_WAY ? undefined : later > earlier ? 1 : -1;
}

/**
 * Lets the order of the day decide among pairs that are equally good. Where as many workouts of each side may be each other, the first one of a side
 * belongs to the first one of the other side.
 *
 * @param one the workouts of one side, to which the candidates refer, and `other` those of the other side
 * @returns the candidates with scores that are lower by a trifle where a pair is out of order
 */
export function inOrderOfDay<T extends Candidate>(
  candidates: readonly T[],
  one: readonly Clocked[],
  other: readonly Clocked[],
): readonly T[] {
  return componentsOf(candidates).flatMap((component) => {
    const ours = ranksOf([...new Set(component.map((pair) => pair.one))], one);
    const theirs = ranksOf([...new Set(component.map((pair) => pair.other))], other);
    if (ours === undefined || ours.size !== theirs?.size) return component;
    return component.map((pair) => {
      const apart = (ours.get(pair.one) ?? 0) - (theirs.get(pair.other) ?? 0);
      return { ...pair, score: pair.score - OUT_OF_ORDER * apart * apart };
    });
  });
}

/** The ranks of some workouts by their times of day, or else by their rows. Undefined when neither tells. */
function ranksOf(places: readonly number[], workouts: readonly Clocked[]): ReadonlyMap<number, number> | undefined {
  const all = places.map((place) => ({ place, wall: workouts[place]?.wall, row: workouts[place]?.workout.inFile }));
  for (const by of ["wall", "row"] as const)
    if (all.every((each) => each[by] !== undefined))
      return new Map(all.toSorted((a, b) => (a[by] ?? 0) - (b[by] ?? 0)).map(({ place }, rank) => [place, rank]));
  return undefined;
}

/** What decides about a chosen pair: its values, the order of the rows, or nothing, since other pairs are as good. */
export function whatDecides<T extends Candidate>(
  candidates: readonly T[],
  ordered: readonly T[],
  chosen: readonly T[],
): (pair: T) => { readonly isByOrder?: true; readonly rivals?: number } {
  const scores = new Map(candidates.map((pair) => [`${pair.one} ${pair.other}`, pair]));
  const unordered = (pair: T) => scores.get(`${pair.one} ${pair.other}`) ?? pair;
  const byValues = rivalsAmong(candidates, chosen.map(unordered));
  const byOrder = rivalsAmong(ordered, chosen);
  return (pair) => {
    const rivals = byOrder(pair).length;
    if (rivals > 0) return { rivals };
    return byValues(unordered(pair)).length > 0 ? { isByOrder: true } : {};
  };
}
