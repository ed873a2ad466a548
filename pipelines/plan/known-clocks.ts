/** Remembers whose clock is off, while the sources of a plan are linked pair by pair, in the order in which they are named. */
import { asIfUtc } from "../../transforms/calendar.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { LinkedWorkout } from "./linked-workout.ts";

const DAY_MS = 86_400_000;

/** A clock may be off in summer alone. So only the workouts of these weeks count. */
const NEAR_MS = 60 * DAY_MS;

interface Seen {
  readonly wall: number;
  readonly isOff: boolean;
}

type Placed = Pick<LinkedWorkout, "source" | "facts">;

/** Whose clock is off, and from which source a merged workout has its start. */
export class KnownClocks {
  readonly #bySource = new Map<number, Seen[]>();
  /** The source of a start, by the key of the line that has it from another one. */
  readonly #startOf = new Map<string, number>();

  /** Learns from merged pairs of two sources. The source that is named first counts, unless its own clock is off against an earlier one. */
  learn(pairs: readonly Pair[]): void {
    const learnt = pairs.flatMap(({ one, other, ms }) => {
      if (one.facts.time === undefined || other.facts.time === undefined || this.#find(other) !== undefined) return [];
      return [{ source: other.source, wall: asIfUtc(other.facts), isOff: (ms !== 0) !== this.#isOff(one) }];
    });
    for (const { source, ...seen } of learnt) {
      const known = this.#bySource.get(source);
      if (known === undefined) this.#bySource.set(source, [seen]);
      else known.push(seen);
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

  #hasStartOff({ key, source, value }: WorkoutLine): boolean {
    const facts = toFacts(value);
    return facts !== undefined && this.#isOff({ source: this.#startOf.get(key) ?? source, facts });
  }

  /** Whether the clock of a workout's source is known to be off around its day. */
  #isOff(workout: Placed): boolean {
    return this.#find(workout)?.isOff === true;
  }

  /** The nearest workout of its source that shows its clock. */
  #find({ source, facts }: Placed): Seen | undefined {
    const at = asIfUtc(facts);
    let nearest: Seen | undefined;
    for (const seen of this.#bySource.get(source) ?? [])
      if (Math.abs(seen.wall - at) <= Math.min(NEAR_MS, Math.abs((nearest?.wall ?? Infinity) - at))) nearest = seen;
    return nearest;
  }
}
