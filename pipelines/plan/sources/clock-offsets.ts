/**
 * Tells how far the clocks of two sources may be apart: a zone that was lost, summer time that was ignored, a watch that drifts, or a zone that nobody knew.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { clocksBetween, isChanging } from "../../../transforms/matching/clocks.ts";
import { WEIGHTS } from "../../../transforms/matching/likeness.ts";
import { type Clocked, clockOf, type LinkedWorkout } from "../pairs/linked-workout.ts";

/** How far a clock is off that ignores summer time, or has it in winter. A single pair may be apart by it, so it makes a pair doubtful at most. */
export const SUMMER_TIME_MS = [60 * 60_000, -60 * 60_000] as const;

/** How far apart two clocks may be. */
export interface ClockOffset {
  readonly ms: number;
  /** What speaks for or against a pair besides its own values. */
  readonly bonus: number;
  readonly isUnproven?: boolean;
  /** Whether it holds only for two that have the same distance and duration. */
  readonly isOfEqualsOnly?: boolean;
}

/** The times by which two clocks may be apart, the likeliest first, at a time of the first. */
export type OffsetsAt = (wall: number) => readonly ClockOffset[];

/** The same for the clocks of two workouts. */
export type OffsetsOf = (a: LinkedWorkout, b: LinkedWorkout) => OffsetsAt;

/** What the clocks of two sources are judged by. */
export interface ClocksOfTwo {
  /** The workouts of each that the other doesn't have yet. */
  readonly clocks: readonly [readonly LinkedWorkout[], readonly LinkedWorkout[]];
  /** The workouts of the first that are one with a workout of the other at the same time, by two clocks of them. Default: none. */
  readonly agreed?: (one: number, other: number) => readonly LinkedWorkout[];
  /** How far two clocks of the sources are apart by a third source, at a time of the first: milliseconds. */
  readonly byThird?: (one: number, other: number, wall: number) => number | undefined;
}

/** What two clocks are judged by. */
interface TwoClocks {
  readonly clocks: readonly [readonly LinkedWorkout[], readonly LinkedWorkout[]];
  readonly agreed: readonly LinkedWorkout[];
  readonly byThird: (wall: number) => number | undefined;
}

/** Takes every start as its source has it. */
export function asTheyAre(): readonly ClockOffset[] {
  return [{ ms: 0, bonus: 0 }];
}

/** Reads the clock that both sources have: the instant if most workouts of both know it, else the time on the wall. */
export function commonClock(...sources: readonly (readonly LinkedWorkout[])[]) {
  const isUtc = sources.every((all) => {
    const timed = all.filter(({ facts }) => facts.time !== undefined);
    return timed.filter(({ facts }) => facts.instant !== undefined).length > timed.length / 2;
  });
  const read = (facts: WorkoutFacts) => (facts.time === undefined ? undefined : isUtc ? facts.instant : asIfUtc(facts));
  return { isUtc, read };
}

/**
 * How far the clocks of two workouts may be apart. The local times that a source knows, and those that are assumed, are judged each by themselves: a zone
 * that nobody knew moves the latter alone. Instants are one clock.
 */
export function offsetsByClocks(
  { clocks: [ours, theirs], agreed, byThird }: ClocksOfTwo,
  clocked: (workouts: readonly LinkedWorkout[]) => readonly Clocked[],
  isUtc: boolean,
): OffsetsOf {
  const known = new Map<string, OffsetsAt>();
  return (a, b) => {
    const [one, other] = [clockOf(a), clockOf(b)];
    const name = isUtc ? "UTC" : `${one} ${other}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const ofClock = (workouts: readonly LinkedWorkout[], clock: number) =>
      isUtc ? workouts : workouts.filter((workout) => clockOf(workout) === clock);
    const offsets = offsetsOf(
      {
        clocks: [ofClock(ours, one), ofClock(theirs, other)],
        agreed: agreed?.(one, other) ?? [],
        byThird: (wall) => byThird?.(one, other, wall),
      },
      clocked,
    );
    known.set(name, offsets);
    return offsets;
  };
}

/** How far the clocks may be apart around an instant of the first: what the workouts of these weeks say, then what those of others or of a third source say. */
function offsetsOf(
  { clocks, agreed, byThird }: TwoClocks,
  clocked: (workouts: readonly LinkedWorkout[]) => readonly Clocked[],
): OffsetsAt {
  const facts = (workouts: readonly LinkedWorkout[]) =>
    clocked(workouts).flatMap(({ workout, wall }) =>
      wall === undefined || workout.isTyped === true ? [] : [{ ...workout.facts, wall }],
    );
  const walls = facts(agreed).map(({ wall }) => wall);
  const apart = clocksBetween(facts(clocks[0]), facts(clocks[1]), walls);
  const elsewhere = apart.ever.map((ms) => ({ ms, bonus: WEIGHTS.clockOfOtherWeeks }));
  const anHour = SUMMER_TIME_MS.map((ms) => ({ ms, bonus: 0, isUnproven: true, isOfEqualsOnly: true }));
  return (wall) => {
    const perhaps = apart.perhapsAround(wall);
    const known = apart.around(wall);
    const season = known === undefined ? apart.inSeason(wall) : undefined;
    // In the weeks of the change either half may hold. At other times a clock may be off like in the other half, which makes a pair doubtful at most.
    const halves = apart.ofSeasons.map((ms) =>
      isChanging(wall)
        ? { ms, bonus: WEIGHTS.clockOfOtherWeeks }
        : { ms, bonus: 0, isUnproven: true, isOfEqualsOnly: true },
    );
    const third = known === undefined ? byThird(wall) : undefined;
    return [
      { ms: known ?? 0, bonus: 0 },
      ...(season === undefined ? [] : [{ ms: season, bonus: 0 }]),
      ...elsewhere,
      ...(third === undefined ? [] : [{ ms: third, bonus: WEIGHTS.clockOfOtherWeeks }]),
      ...(perhaps === undefined ? [] : [{ ms: perhaps, bonus: 0, isUnproven: true }]),
      ...halves,
      ...anHour,
    ];
  };
}
