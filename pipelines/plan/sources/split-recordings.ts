/** Finds the workouts of one source that another source has in parts. */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { LEAST_SCORE, verdictOf } from "../../../transforms/matching/likeness.ts";
import { findParts, type PartsFound, type Span, scoreOfParts } from "../../../transforms/matching/parts.ts";
import type { Clocked, LinkedWorkout } from "../pairs/linked-workout.ts";
import type { OffsetsOf } from "./clock-offsets.ts";

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
  return eachOnce([...splitsOf(ours, theirs), ...splitsOf(theirs, ours)]);
}

/** The likeliest first, so that each workout is in one of them at most. */
function eachOnce<T>(found: readonly PartsOf<T>[]): readonly PartsOf<T>[] {
  const taken = new Set<T>();
  return found
    .toSorted((a, b) => b.score - a.score)
    .filter(({ whole, parts }) => {
      const all = [whole, ...parts];
      if (all.some((span) => taken.has(span))) return false;
      for (const span of all) taken.add(span);
      return true;
    });
}

/** A workout that may know its day alone. */
export interface DaySpan extends Span {
  readonly facts: WorkoutFacts;
}

/** Most workouts of a day that are tried as the first part. */
const MOST_FIRST = 20;

/** Nobody trains so often on a day. Beyond it nothing is compared: a damaged file has thousands of rows on one day. */
const MOST_OF_DAY = 100;

/**
 * The span of a workout. One without a time of day begins with its day.
 *
 * @returns undefined for a workout without a duration
 */
export function spanOfDay(facts: WorkoutFacts): DaySpan | undefined {
  const { activity, metres, seconds } = facts;
  return seconds === undefined ? undefined : { facts, activity, at: asIfUtc(facts), metres, seconds };
}

/**
 * Finds the workouts that the other one of two lists has in parts, where the whole or its parts know their day alone. Nothing says that they begin
 * together, so they are doubtful at most.
 *
 * @param one in the order of the rows, and so is `other`
 * @returns the likeliest first. Each workout is in one of them at most
 */
export function partsOfDay<T extends DaySpan>(one: readonly T[], other: readonly T[]): readonly PartsOf<T>[] {
  const byDay = ({ facts }: T) => facts.date;
  const [ours, theirs] = [Map.groupBy(one, byDay), Map.groupBy(other, byDay)];
  return eachOnce(
    [...ours].flatMap(([day, some]) => {
      const others = theirs.get(day) ?? [];
      if (some.length > MOST_OF_DAY || others.length > MOST_OF_DAY) return [];
      return [...splitsOfDay(some, others), ...splitsOfDay(others, some)];
    }),
  );
}

/** The wholes of a day. The first part may be any workout of the day. */
function* splitsOfDay<T extends DaySpan>(wholes: readonly T[], others: readonly T[]): Generator<PartsOf<T>> {
  const isTimed = ({ facts }: T) => facts.time !== undefined;
  const timed = others.filter(isTimed).toSorted((a, b) => a.at - b.at);
  const untimed = others.filter((other) => !isTimed(other));
  if (timed.length < 2 && untimed.length < 2) return;
  for (const whole of wholes) {
    const found = [
      ...(isTimed(whole)
        ? []
        : timed.slice(0, MOST_FIRST).flatMap(({ at }) => findParts({ ...whole, at }, timed) ?? [])),
      ...untimed.slice(0, MOST_FIRST).flatMap((_first, from) => findRows(whole, untimed.slice(from)) ?? []),
    ];
    const [best] = found.toSorted((a, b) => b.score - a.score);
    if (best === undefined) continue;
    const apart = { ...best.apart, secondsApart: undefined };
    const score = Math.min(scoreOfParts(apart), LEAST_SCORE.one - 1);
    if (verdictOf(score) !== "two") yield { whole, parts: best.parts, apart, score };
  }
}

/** Finds the parts of a workout among rows that know their day alone. They are laid one after the other, as if there were no stops. */
function findRows<T extends DaySpan>(
  whole: T,
  rows: readonly T[],
): (PartsFound<Span> & { parts: readonly T[] }) | undefined {
  let at = whole.at;
  const laid = rows.map((row) => {
    const span = { ...row, at, row };
    at += row.seconds * 1_000;
    return span;
  });
  const found = findParts(whole, laid);
  return found && { ...found, parts: found.parts.map(({ row }) => row) };
}

/** Each whole is compared with the few workouts after its start. */
function* splitsOf<T extends Span>(wholes: readonly T[], others: readonly T[]): Generator<PartsOf<T>> {
  for (const whole of wholes) {
    const found = findParts(whole, others);
    if (found !== undefined) yield { whole, ...found };
  }
}

/**
 * Finds the workouts that the other one of two sources has in parts, by each time that their clocks are shown to be apart.
 *
 * @param offsets how far the clocks of two workouts may be apart
 */
export function splitsBetween(
  one: readonly Clocked[],
  other: readonly Clocked[],
  offsets: OffsetsOf,
): readonly Split[] {
  const [ours, theirs] = [one, other].map((all) => all.find(({ workout }) => workout.isAssumed !== true) ?? all[0]);
  if (ours === undefined || theirs === undefined) return [];
  // Where only too few workouts show a time, or equal ones, it is no clock for parts.
  const shown = (a: Clocked, b: Clocked, wall: number) =>
    offsets(a.workout, b.workout)(wall).filter(({ isUnproven, isOfEqualsOnly }) => !isUnproven && !isOfEqualsOnly);
  const found: Split[] = [];
  for (let at = 0, isMore = true; isMore; at++) {
    isMore = false;
    const offsetOf = (a: Clocked, b: Clocked, wall: number) => {
      const all = shown(a, b, wall);
      if (all.length > at + 1) isMore = true;
      return all[Math.min(at, all.length - 1)] ?? NOT_SET;
    };
    const ofOne = spansOf(one, (each, wall) => {
      const { ms, bonus } = offsetOf(each, theirs, wall);
      return { at: wall - ms, bonus };
    });
    const ofOther = spansOf(other, (each, wall) => {
      if (each.workout.isAssumed === theirs.workout.isAssumed) return { at: wall, bonus: 0 };
      const { ms, bonus } = offsetOf(ours, each, wall);
      return { at: wall + ms - offsetOf(ours, theirs, wall).ms, bonus };
    });
    found.push(...partsBetween(ofOne, ofOther).flatMap(weighed));
  }
  return eachOnce(found);
}

/** Lets a time that only other weeks show count less. */
function weighed({ whole, parts, apart, score: ofParts }: PartsOf<SpanOfWorkout>): readonly Split[] {
  const score = ofParts + Math.min(...[whole, ...parts].map(({ bonus }) => bonus));
  if (verdictOf(score) === "two") return [];
  return [{ whole: whole.workout, parts: parts.map(({ workout }) => workout), apart, score }];
}

/**
 * Finds the workouts that the other one of two sources has in parts, where the whole or its parts know their day alone.
 *
 * @param one in the order of the rows, and so is `other`
 */
export function splitsByDay(one: readonly LinkedWorkout[], other: readonly LinkedWorkout[]): readonly Split[] {
  const spans = (workouts: readonly LinkedWorkout[]) =>
    workouts.flatMap((workout) => {
      const span = spanOfDay(workout.facts);
      return span === undefined ? [] : [{ ...span, workout }];
    });
  return partsOfDay(spans(one), spans(other)).map(({ whole, parts, ...found }) => ({
    ...{ ...found, whole: whole.workout },
    parts: parts.map(({ workout }) => workout),
  }));
}

/** The span of a workout by a clock that may be set, and what speaks against that clock. */
interface SpanOfWorkout extends Span {
  readonly workout: LinkedWorkout;
  readonly bonus: number;
}

const NOT_SET = { ms: 0, bonus: 0 } as const;

function spansOf(
  workouts: readonly Clocked[],
  clock: (each: Clocked, wall: number) => Pick<SpanOfWorkout, "at" | "bonus">,
): readonly SpanOfWorkout[] {
  return workouts.flatMap((each) => {
    const { workout, wall } = each;
    const { activity, metres, seconds } = workout.facts;
    if (wall === undefined || seconds === undefined) return [];
    return [{ workout, activity, metres, seconds, ...clock(each, wall) }];
  });
}
