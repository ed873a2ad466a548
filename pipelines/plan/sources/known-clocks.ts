/** Remembers whose clock is off, while the sources of a plan are linked pair by pair, in the order in which they are named. */
import { asIfUtc, atOffset } from "../../../transforms/calendar.ts";
import { toFacts } from "../../../transforms/duplicates.ts";
import { assumedLater, isAssumed, withLocalTimeSet } from "../../../transforms/matching/assumed-starts.ts";
import { firstAtLeast } from "../../../transforms/matching/in-order.ts";
import type { Start, Workout } from "../../../transforms/model/workout.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import { clockOf, type LinkedWorkout } from "../pairs/linked-workout.ts";

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

type Placed = Pick<LinkedWorkout, "source" | "facts" | "isTyped" | "isSure" | "isAssumed">;

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

/** Of two that are one, the one whose local time is assumed alone, and the one that knows it. Undefined where both know it, or neither does. */
export function assumedOf<T extends Pick<LinkedWorkout, "isAssumed">>(one: T, other: T) {
  if (one.isAssumed === other.isAssumed) return undefined;
  return one.isAssumed === true ? { assumed: one, known: other } : { assumed: other, known: one };
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

/** A start, and the line that it is from. */
export interface StartOfLine {
  readonly start: Start;
  readonly from: WorkoutLine;
}

function withAssumed(line: WorkoutLine) {
  return { line, ...(isAssumed(line.value.start) && { isAssumed: true as const }) };
}

/** Whose clock is off, and from which source a merged workout has its start. */
export class KnownClocks {
  /** By the number of a clock, in the order of time. */
  readonly #byClock = new Map<number, readonly Seen[]>();
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

  /**
   * Learns from merged pairs of two sources. The source that is named first counts, unless its own clock is off against an earlier one. An assumed local time
   * counts for nothing.
   */
  learn(pairs: readonly OnePair[]): void {
    const learnt = pairs.flatMap((pair): (Seen & { readonly clock: number })[] => {
      const { one, other, ms } = pair;
      if (one.isTyped === true || other.isTyped === true) return [];
      if (one.facts.time === undefined || other.facts.time === undefined) return [];
      const two = assumedOf(one, other);
      if (two !== undefined) return this.#learnAssumed(two.assumed, two.known);
      if (this.#find(other) !== undefined) return [];
      const later = ms + (this.#find(one)?.ms ?? 0);
      return [{ clock: clockOf(other), at: asIfUtc(other.facts), ms: later, isOff: (ms !== 0) !== this.isOff(one) }];
    });
    for (const [clock, some] of Map.groupBy(learnt, ({ clock }) => clock)) {
      const all = [...(this.#byClock.get(clock) ?? []), ...some];
      this.#byClock.set(
        clock,
        all.toSorted((a, b) => a.at - b.at),
      );
    }
  }

  #learnAssumed(assumed: LinkedWorkout, known: LinkedWorkout) {
    const ms = this.#find(assumed) === undefined ? this.assumedLater(assumed, known) : undefined;
    return ms === undefined ? [] : [{ clock: clockOf(assumed), at: asIfUtc(assumed.facts), ms, isOff: ms !== 0 }];
  }

  /** How much later an assumed local time is to be set, as another record of the workout has it. Undefined where that can't be. */
  assumedLater({ facts }: Pick<Placed, "facts">, known: Placed): number | undefined {
    const seen = this.#find(known);
    return assumedLater(facts, known.facts, this.#setStart(known) ?? (seen?.isOff === true ? seen.ms : 0));
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

  /**
   * Of two workouts that are one, that with the start that counts: one that is assumed never before a local time, then the surer one, else the one whose clock
   * isn't known to be off, else the first.
   */
  rightOf(one: LinkedWorkout, other: LinkedWorkout): LinkedWorkout {
    const two = assumedOf(one, other);
    if (two !== undefined && two.known.facts.instant === undefined) return two.known;
    if (one.isSure !== other.isSure) return one.isSure === true ? one : other;
    return this.isOnlyRightOf(other, one) ? other : one;
  }

  /**
   * The start of two lines that are one, with the line that it is from. Where one has an assumed local time, the start is as far from UTC as the local time of
   * the other one.
   *
   * @param right the line whose start counts, if neither is assumed
   */
  startOf(right: WorkoutLine, other: WorkoutLine): StartOfLine {
    const two = assumedOf(withAssumed(right), withAssumed(other));
    if (two === undefined) return { start: right.value.start, from: right };
    const [assumed, known] = [two.assumed.line, two.known.line];
    const [ours, theirs] = [this.#placed(assumed), this.#placed(known)];
    const isSure = this.isStartSure(assumed) && (right === assumed || known.value.start.instant === undefined);
    const ms = ours && theirs && isSure ? this.assumedLater(ours, theirs) : undefined;
    if (ms !== undefined) return { start: withLocalTimeSet(assumed.value.start, ms), from: assumed };
    return { start: this.ownStart(known, known.value), from: known };
  }

  /** Notes that a line of the plan has the start of another one now. */
  keepStart(line: WorkoutLine, from: WorkoutLine): void {
    this.#startOf.set(line.key, this.#startSourceOf(from));
  }

  /**
   * How far two clocks are apart by what a third source shows of both: the clock of `other` is to be set so much later. Undefined where it doesn't.
   *
   * @param one the number of a clock, and so is `other`
   * @param wall a time on the clock of `one`, as if it were UTC
   */
  between(one: number, other: number, wall: number): number | undefined {
    const [ours, theirs] = [this.#nearest(one, wall), this.#nearest(other, wall)];
    // Of an assumed local time it is known how far it is from the right one.
    if (ours === undefined) return one >= 0 && other < 0 ? theirs?.ms : undefined;
    return theirs === undefined && !(one < 0 && other >= 0) ? undefined : (theirs?.ms ?? 0) - ours.ms;
  }

  /** Whether the clock is known to be off that a line of a plan has its start from. */
  isStartOff(line: WorkoutLine): boolean {
    const placed = this.#placed(line);
    return placed !== undefined && this.isOff(placed);
  }

  /** Whether the instant of a line of a plan surely is right. Its local time may be assumed. */
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
    return {
      ...{ source: this.#startSourceOf(line).source, facts },
      ...(this.isStartSure(line) && { isSure: true }),
      ...(isAssumed(line.value.start) && { isAssumed: true }),
    };
  }

  /** Whether the clock of a workout's source is known to be off around its day. */
  isOff(workout: Placed): boolean {
    const set = this.#setStart(workout);
    return set === undefined ? this.#find(workout)?.isOff === true : set !== 0;
  }

  /** The start that the source of a workout has, set as it surely is to be. */
  ownStart(line: WorkoutLine, own: Workout): Start {
    const { start } = own;
    const ms = this.#setLater(line, own);
    // Where an instant is sure, its distance from UTC alone was assumed.
    const isLocal = isAssumed(start) && this.#isSure(line, start.instant);
    return ms !== 0 && isLocal ? withLocalTimeSet(start, ms) : withClockSet(start, ms);
  }

  #setLater(line: WorkoutLine, own: Workout): number {
    const facts = toFacts(own);
    if (facts?.time === undefined || own.start.isTyped === true) return 0;
    const isSure = this.#isSure(line, own.start.instant);
    const placed = {
      ...{ source: line.source, facts },
      ...(isSure && { isSure }),
      ...(isAssumed(own.start) && { isAssumed: true as const }),
    };
    return this.#setStart(placed) ?? 0;
  }

  #find(workout: Placed): Seen | undefined {
    return this.#nearest(clockOf(workout), asIfUtc(workout.facts));
  }

  /** The nearest workout of a clock that shows how far it is off. */
  #nearest(clock: number, wall: number): Seen | undefined {
    const seen = this.#byClock.get(clock) ?? [];
    const next = firstAtLeast(seen, wall);
    const [before, after] = [seen[next - 1], seen[next]];
    const far = (one: Seen | undefined) => (one === undefined ? Infinity : Math.abs(one.at - wall));
    const nearest = far(before) < far(after) ? before : after;
    return far(nearest) <= NEAR_MS ? nearest : undefined;
  }
}
