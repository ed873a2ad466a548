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

/** Two workouts of two sources that are one. */
export interface OnePair {
  readonly one: LinkedWorkout;
  readonly other: LinkedWorkout;
  /** The clock of `other` is to be set so much later. */
  readonly ms: number;
}

/** Whose clock is off, and from which source a merged workout has its start. */
export class KnownClocks {
  /** In the order of time. */
  readonly #bySource = new Map<number, readonly Seen[]>();
  /** The source of a start, by the key of the line that has it from another one. */
  readonly #startOf = new Map<string, number>();

  /** Learns from merged pairs of two sources. The source that is named first counts, unless its own clock is off against an earlier one. */
  learn(pairs: readonly OnePair[]): void {
    const learnt = pairs.flatMap(({ one, other, ms }) => {
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

  /** Whether of two lines of a plan the first has a start of a clock that isn't known to be off, and the other one of a clock that is. */
  isOnlyRight(line: WorkoutLine, other: WorkoutLine): boolean {
    return this.#hasStartOff(other) && !this.#hasStartOff(line);
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

  #hasStartOff({ key, source, value }: WorkoutLine): boolean {
    const facts = toFacts(value);
    return facts !== undefined && this.isOff({ source: this.#startOf.get(key) ?? source, facts });
  }

  /** Whether the clock of a workout's source is known to be off around its day. */
  isOff(workout: Placed): boolean {
    return this.#find(workout)?.isOff === true;
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
