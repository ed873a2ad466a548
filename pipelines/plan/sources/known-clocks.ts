/** Remembers whose clock is off, while the sources of a plan are linked pair by pair, in the order in which they are named. */
import { asIfUtc, atOffset } from "../../../transforms/calendar.ts";
import { toFacts } from "../../../transforms/duplicates.ts";
import { firstAtLeast } from "../../../transforms/matching/in-order.ts";
import type { Start, Workout } from "../../../transforms/model/workout.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";

const MINUTE_MS = 60_000;
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

type Placed = Pick<LinkedWorkout, "source" | "facts" | "isTyped" | "isSure">;

/** How much later the start of a workout surely is to be set, in milliseconds; undefined where nothing shows it. */
export type SetStart = (workout: Placed) => number | undefined;

/** The source of a start, and the record that has it from there. */
type StartSource = Pick<LinkedWorkout, "source" | "key">;

/** A start that is set so many milliseconds later. 0 leaves it as it is. */
export function withClockSet(start: Start, ms: number): Start {
  const { date, time, instant } = start;
  if (ms === 0 || date === undefined || time === undefined) return start;
  return {
    ...{ ...start, ...atOffset(asIfUtc({ date, time }), ms / MINUTE_MS), clockSet: ms },
    ...(instant !== undefined && { instant: instant + ms }),
  };
}

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
 * @param clocks what is known of the starts
 */
export function agreedPairs(
  into: ReadonlyMap<LinkedWorkout, string>,
  kept: ReadonlyMap<string, LinkedWorkout>,
  clocks: KnownClocks,
): readonly OnePair[] {
  return [...into].flatMap(([workout, key]) => {
    const found = kept.get(key);
    if (found === undefined || found.source === workout.source) return [];
    const [one, other] = clocks.withSureStarts(found.source < workout.source ? [found, workout] : [workout, found]);
    return one === undefined || other === undefined ? [] : [{ one, other, ms: 0 }];
  });
}

/** Whose clock is off, and from which source a merged workout has its start. */
export class KnownClocks {
  /** In the order of time. */
  readonly #bySource = new Map<number, readonly Seen[]>();
  /** The source of a start, by the key of the line that has it from another one. */
  readonly #startOf = new Map<string, StartSource>();
  /** The keys of device files whose instants are only what a device took for UTC. */
  readonly #bare = new Set<string>();
  #setStart: SetStart = () => undefined;

  /**
   * Notes whether the instant of a workout surely is right: from satellites, with an offset from UTC beside it, or in a table, which says that it is in UTC.
   * The bare instant of a device file is only what a device took for UTC, and some write their local time there. Files with satellites beside it prove
   * nothing: a folder may hold those of several devices. Call it for all workouts first.
   *
   * @param isRecording whether the workout comes from a device file itself
   */
  noteStart(key: string, { instant, basis }: Start, isRecording: boolean): void {
    if (instant !== undefined && isRecording && (basis === "named zone" || basis === "utcOffset")) this.#bare.add(key);
  }

  /** Marks the workouts whose starts surely are right. */
  withSureStarts(workouts: readonly LinkedWorkout[]): LinkedWorkout[] {
    return workouts.map((one) => (this.#isSure(one, one.facts.instant) ? { ...one, isSure: true as const } : one));
  }

  #isSure({ key }: StartSource, instant: number | undefined): boolean {
    return instant !== undefined && !this.#bare.has(key);
  }

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
    const [ours, theirs] = [this.#placed(line), this.#placed(other)];
    return ours !== undefined && theirs !== undefined && this.isOnlyRightOf(ours, theirs);
  }

  /** The same of two workouts. What all pairs together surely say counts first. */
  isOnlyRightOf(one: Placed, other: Placed): boolean {
    const [ours, theirs] = [this.#setStart(one), this.#setStart(other)];
    if (ours !== undefined && ours !== 0) return false;
    if (theirs !== undefined) return theirs !== 0;
    return ours === 0 || (this.isOff(other) && !this.isOff(one));
  }

  /** Of two workouts that are one, that with the start that counts: the surer one, else the one whose clock isn't known to be off, else the first. */
  rightOf(one: LinkedWorkout, other: LinkedWorkout): LinkedWorkout {
    if (one.isSure !== other.isSure) return one.isSure === true ? one : other;
    return this.isOnlyRightOf(other, one) ? other : one;
  }

  /** Notes that a line of the plan has the start of another one now. */
  keepStart(line: WorkoutLine, from: WorkoutLine): void {
    this.#startOf.set(line.key, this.#startSourceOf(from));
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
  isStartOff(line: WorkoutLine): boolean {
    const placed = this.#placed(line);
    return placed !== undefined && this.isOff(placed);
  }

  /** Whether the start of a line of a plan surely is right. */
  isStartSure(line: WorkoutLine): boolean {
    return this.#isSure(this.#startSourceOf(line), line.value.start.instant);
  }

  #startSourceOf({ key, source }: WorkoutLine): StartSource {
    return this.#startOf.get(key) ?? { source, key };
  }

  /** A line with the source of its start; undefined where it has no time that a clock could have shown. */
  #placed(line: WorkoutLine): Placed | undefined {
    const facts = toFacts(line.value);
    if (facts === undefined || line.value.start.isTyped === true) return undefined;
    return { source: this.#startSourceOf(line).source, facts, ...(this.isStartSure(line) && { isSure: true }) };
  }

  /** Whether the clock of a workout's source is known to be off around its day. */
  isOff(workout: Placed): boolean {
    const set = this.#setStart(workout);
    return set === undefined ? this.#find(workout)?.isOff === true : set !== 0;
  }

  /** How much later the start that the source of a workout has surely is to be set, in milliseconds. 0: not at all, or nothing shows it. */
  setLater(line: WorkoutLine, own: Workout): number {
    const facts = toFacts(own);
    if (facts?.time === undefined || own.start.isTyped === true) return 0;
    return (
      this.#setStart({ source: line.source, facts, ...(this.#isSure(line, own.start.instant) && { isSure: true }) }) ??
      0
    );
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
