/** Remembers whose clock is off, while the sources of a plan are linked pair by pair, in the order in which they are named. */
import { asIfUtc } from "../../transforms/calendar.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import { firstAtLeast } from "../../transforms/matching/in-order.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { LinkedWorkout } from "./linked-workout.ts";

const DAY_MS = 86_400_000;

/** A clock may be off in summer alone. So only the workouts of these weeks count. Milliseconds before and after. */
export const NEAR_MS = 60 * DAY_MS;

interface Seen {
  /** Its start on its own clock, as if it were UTC. */
  readonly at: number;
  /** How much later the clock is to be set, to agree with that of the source that counts. */
  readonly ms: number;
  readonly isOff: boolean;
}

type Placed = Pick<LinkedWorkout, "source" | "facts">;

/** How much later the start of a workout surely is to be set, in milliseconds; undefined where nothing shows it. */
export type SetStart = (workout: Placed & Pick<LinkedWorkout, "isTyped">) => number | undefined;

/** Two workouts of two sources that are one. */
export interface OnePair {
  readonly one: LinkedWorkout;
  readonly other: LinkedWorkout;
  /** The clock of `other` is to be set so much later. */
  readonly ms: number;
}

/**
 * Pairs of two sources that were one at once, in the order of the sources.
 *
 * @param into workouts, with the key that each was merged into
 * @param kept those that others were merged into, by their keys
 */
export function agreedPairs(
  into: ReadonlyMap<LinkedWorkout, string>,
  kept: ReadonlyMap<string, LinkedWorkout>,
): readonly OnePair[] {
  return [...into].flatMap(([workout, key]) => {
    const other = kept.get(key);
    if (other === undefined || other.source === workout.source) return [];
    return [other.source < workout.source ? { one: other, other: workout, ms: 0 } : { one: workout, other, ms: 0 }];
  });
}

/** Whose clock is off, and from which source a merged workout has its start. */
export class KnownClocks {
  /** In the order of time. */
  readonly #bySource = new Map<number, readonly Seen[]>();
  /** The source of a start, by the key of the line that has it from another one. */
  readonly #startOf = new Map<string, number>();
  #setStart: SetStart = () => undefined;

  /** Learns from merged pairs of two sources. The source that is named first counts, unless its own clock is off against an earlier one. */
  learn(pairs: readonly OnePair[]): void {
    const learnt = pairs.flatMap(({ one, other, ms }) => {
      if (one.isTyped === true || other.isTyped === true) return [];
      if (one.facts.time === undefined || other.facts.time === undefined || this.#find(other) !== undefined) return [];
      const later = ms + (this.#find(one)?.ms ?? 0);
      return [{ source: other.source, at: asIfUtc(other.facts), ms: later, isOff: (ms !== 0) !== this.isOff(one) }];
    });
    for (const [source, some] of Map.groupBy(learnt, ({ source }) => source)) {
      const all = [...(this.#bySource.get(source) ?? []), ...some];
      this.#bySource.set(
        source,
        all.toSorted((a, b) => a.at - b.at),
      );
    }
  }

  /** Takes what all pairs together surely say of single starts. It counts before the nearest pair. */
  setStarts(setStart: SetStart): void {
    this.#setStart = setStart;
  }

  /** Whether of two lines of a plan the first has a start of a clock that isn't known to be off, and the other one of a clock that is. */
  isOnlyRight(line: WorkoutLine, other: WorkoutLine): boolean {
    return this.isStartOff(other) && !this.isStartOff(line);
  }

  /** Notes that a line of the plan has the start of another one now. */
  keepStart(line: WorkoutLine, from: WorkoutLine): void {
    this.#startOf.set(line.key, this.#startOf.get(from.key) ?? from.source);
  }

  /**
   * How far two clocks are apart by what a third source shows of both: the clock of `other` is to be set so much later. Undefined where it doesn't.
   *
   * @param wall a time on the clock of `one`, as if it were UTC
   */
  between(one: number, other: number, wall: number): number | undefined {
    const [ours, theirs] = [this.#nearest(one, wall), this.#nearest(other, wall)];
    return ours === undefined || theirs === undefined ? undefined : theirs.ms - ours.ms;
  }

  /** Whether the clock is known to be off that a line of a plan has its start from. */
  isStartOff({ key, source, value }: WorkoutLine): boolean {
    const facts = toFacts(value);
    return (
      facts !== undefined &&
      value.start.isTyped !== true &&
      this.isOff({ source: this.#startOf.get(key) ?? source, facts })
    );
  }

  /** Whether the clock of a workout's source is known to be off around its day. */
  isOff(workout: Placed): boolean {
    const set = this.#setStart(workout);
    return set === undefined ? this.#find(workout)?.isOff === true : set !== 0;
  }

  #find({ source, facts }: Placed): Seen | undefined {
    return this.#nearest(source, asIfUtc(facts));
  }

  /** The nearest workout of a source that shows its clock. */
  #nearest(source: number, wall: number): Seen | undefined {
    const seen = this.#bySource.get(source) ?? [];
    const next = firstAtLeast(seen, wall);
    const [before, after] = [seen[next - 1], seen[next]];
    const far = (one: Seen | undefined) => (one === undefined ? Infinity : Math.abs(one.at - wall));
    const nearest = far(before) < far(after) ? before : after;
    return far(nearest) <= NEAR_MS ? nearest : undefined;
  }
}
