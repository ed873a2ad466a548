/**
 * Finds the pairs of workouts of two sources that may be one. The clocks of the sources come first: a zone that was lost, summer time that was
 * ignored, a watch that drifts. One pair proves nothing about clocks. Many pairs that are apart by the same time do.
 */
import { DUPLICATE_TOLERANCE } from "../../../transforms/duplicates.ts";
import { assign, type Candidate } from "../../../transforms/matching/assignment.ts";
import { compareFacts, type Likeness } from "../../../transforms/matching/compare-facts.ts";
import { LEAST_SCORE, MOST_SECONDS_APART, verdictOf, WEIGHTS } from "../../../transforms/matching/likeness.ts";
import { roundedStart } from "../../../transforms/matching/rounded-start.ts";
import { type Clocked, clockOf, type LinkedWorkout } from "../pairs/linked-workout.ts";
import {
  asTheyAre,
  type ClockOffset,
  type ClocksOfTwo,
  commonClock,
  type OffsetsOf,
  offsetsByClocks,
  SUMMER_TIME_MS,
} from "./clock-offsets.ts";
import { inOrderOfDay, whatDecides } from "./row-order.ts";
import { type Split, splitsBetween } from "./split-recordings.ts";

/** Two workouts that may be one. */
export interface Pair extends Likeness {
  readonly one: LinkedWorkout;
  readonly other: LinkedWorkout;
  /** The second clock is to be set so much later. 0 when that is seconds, or when one of the two knows its day alone. */
  readonly ms: number;
  /** Whether too few times of day show that a clock is to be set. Such a pair is doubtful at most. */
  readonly isClockUnproven: boolean;
  /** As in `FoundPair`. */
  readonly isTwiceInLog?: true;
}

/** Two workouts and how far apart their clocks are. */
interface Compared extends ClockOffset {
  readonly a: Clocked;
  readonly b: Clocked;
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

/** Starts that are an hour apart are so to the minute, and have the same values but for rounding. Two runs of a day seldom do. */
const AN_HOUR_APART = { seconds: 61, share: 0.005 } as const;

/**
 * How far a clock may be off that has another zone, where nothing else shows it: half hours, as zones have them. Two that are as far apart, and have one
 * distance, duration and average heart rate, are one workout perhaps. A run of each morning is a day later, and one of each week a week.
 */
const ZONES_APART = { stepMs: 30 * 60_000, mostMs: 15 * 60 * 60_000, heartRate: 1 } as const;

/** Nobody trains so often in a quarter of an hour, or on a day. Beyond it only equal workouts are paired: all pairs would be the square. */
const MOST_NEAR = 100;

/** The two sources, and what is known about their workouts. */
export interface TwoSources extends ClocksOfTwo {
  /** What is to be paired. */
  readonly open: readonly [readonly LinkedWorkout[], readonly LinkedWorkout[]];
  /** Whether to compare times of day, or days where one of two workouts has no time. */
  readonly by: "time" | "day";
  /** Takes every start as its source has it. */
  readonly trustClocks: boolean;
  /**
   * How much later the start of a workout surely is to be set, in milliseconds; undefined where nothing shows it. With it, only pairs with such a workout
   * are compared, by the set starts.
   */
  readonly setStarts?: ((workout: LinkedWorkout) => number | undefined) | undefined;
  /** Whether two workouts may be one. Default: all may. */
  readonly mayBeOne?: (one: LinkedWorkout, other: LinkedWorkout) => boolean;
  /** Called for every pair that is scored. */
  readonly onScored?: ((one: string, other: string) => void) | undefined;
}

/**
 * Pairs the workouts of two sources so that the sum of the scores is the highest. Each workout is in one pair at most.
 *
 * @returns pairs that are surely or perhaps one workout, the likeliest first; all pairs that could be, with those that were not chosen; and workouts that
 * the other source has in parts, without any in a pair
 */
export function pairsOf({ open, by, mayBeOne = () => true, onScored, setStarts, ...two }: TwoSources): {
  readonly pairs: readonly Pair[];
  readonly candidates: readonly Pair[];
  readonly splits: readonly Split[];
} {
  const clock = commonClock(...two.clocks);
  const clocked = (workouts: readonly LinkedWorkout[]) =>
    workouts.map((workout, at): Clocked => {
      // What is assumed is the distance from UTC. An instant stays.
      const isSettable = !clock.isUtc || workout.isAssumed !== true;
      const [wall, set] = [clock.read(workout.facts), isSettable ? setStarts?.(workout) : undefined];
      return set === undefined || wall === undefined
        ? { at, workout, wall }
        : { at, workout, wall: wall + set, setLater: set };
    });
  const [one, other] = [clocked(open[0]), clocked(open[1])];
  const offsets = by === "day" || two.trustClocks ? () => asTheyAre : offsetsByClocks(two, clocked, clock.isUtc);
  const compared = by === "day" ? byDay(one, other) : byClocks(one, other, offsets);
  const byZone = by === "day" || two.trustClocks ? [] : equalByZone(one, other);
  const isSet = ({ setLater }: Clocked) => setLater !== undefined;
  const candidates = [...compared, ...byZone].flatMap((compared) => {
    if (setStarts !== undefined && !isSet(compared.a) && !isSet(compared.b)) return [];
    const pair = judged(compared);
    onScored?.(pair.one.key, pair.other.key);
    return verdictOf(pair.score) === "two"
      ? []
      : [{ one: compared.a.at, other: compared.b.at, score: pair.score, pair }];
  });
  const splits = by === "day" ? [] : splitsBetween(one, other, offsets);
  const isPart = partsOf(splits);
  const allowed = candidates.filter(({ pair }) => !isPart(pair) && mayBeOne(pair.one, pair.other));
  const pairs = (by === "day" ? assignByDay(allowed, one, other) : assign(allowed).map(({ pair }) => pair)).toSorted(
    (a, b) => b.score - a.score,
  );
  const paired = new Set(pairs.flatMap(({ one, other }) => [one, other]));
  const areFree = ({ whole, parts }: Split) => ![whole, ...parts].some((workout) => paired.has(workout));
  return { pairs, candidates: candidates.map(({ pair }) => pair), splits: splits.filter(areFree) };
}

type OfPair = Candidate & { readonly pair: Pair };

/** Where other pairs are as good and the order of the rows doesn't tell either, a pair is doubtful at most. */
function assignByDay(candidates: readonly OfPair[], one: readonly Clocked[], other: readonly Clocked[]): Pair[] {
  const ordered = inOrderOfDay(candidates, one, other);
  const chosen = assign(ordered);
  const decides = whatDecides(candidates, ordered, chosen);
  return chosen.map((candidate) => {
    const { pair } = candidate;
    const by = decides(candidate);
    const score = by.rivals === undefined ? pair.score : Math.min(pair.score, LEAST_SCORE.one - 1);
    return { ...pair, score, differences: { ...pair.differences, ...by } };
  });
}

/** Whether a pair is a workout and the larger one of its parts, which are surely its parts, and not two records of one size. */
function partsOf(splits: readonly Split[]): (pair: Pair) => boolean {
  const wholeOf = new Map(
    splits.flatMap(({ whole, parts, score }) =>
      verdictOf(score) === "one" ? parts.map((part) => [part, whole] as const) : [],
    ),
  );
  return ({ one, other, differences: { distanceApart, durationApart } }) => {
    if (wholeOf.get(one) !== other && wholeOf.get(other) !== one) return false;
    return (distanceApart ?? durationApart?.share ?? 0) > DUPLICATE_TOLERANCE.distance;
  };
}

/** The pairs of workouts that agree by the offsets of their clocks. */
function* byClocks(one: readonly Clocked[], other: readonly Clocked[], offsets: OffsetsOf): Generator<Compared> {
  const kinds = (workouts: readonly Clocked[]) => Map.groupBy(workouts, ({ workout }) => clockOf(workout)).values();
  for (const ours of kinds(one))
    for (const theirs of [...kinds(other)]) {
      const [a, b] = [ours[0]?.workout, theirs[0]?.workout];
      if (a !== undefined && b !== undefined) yield* byTime(ours, theirs, offsets(a, b));
    }
}

/** Whether two workouts have the same distance and duration, and starts as far apart as an offset says. */
function areEqualBy({ ms }: ClockOffset, a: Clocked, b: Clocked): boolean {
  const apart = Math.abs((a.wall ?? 0) - ms - (b.wall ?? 0)) / 1_000;
  const isSame = (one: number | undefined, other: number | undefined) =>
    one !== undefined && other !== undefined && Math.abs(one - other) <= AN_HOUR_APART.share * Math.max(one, other);
  const [ours, theirs] = [a.workout.facts, b.workout.facts];
  return apart <= AN_HOUR_APART.seconds && isSame(ours.metres, theirs.metres) && isSame(ours.seconds, theirs.seconds);
}

/** The pairs whose starts agree by one of the offsets: the first one that does. */
function* byTime(
  one: readonly Clocked[],
  other: readonly Clocked[],
  offsetsAt: (wall: number) => readonly ClockOffset[],
): Generator<Compared> {
  const byQuarter = Map.groupBy(
    other.filter(({ wall }) => wall !== undefined),
    ({ wall = 0 }) => Math.floor(wall / QUARTER_MS),
  );
  const equalOf = equalsAmong([...byQuarter.values()].filter(({ length }) => length > MOST_NEAR).flat());
  for (const a of one) {
    if (a.wall === undefined) continue;
    const seen = new Set<Clocked>();
    for (const offset of offsetsAt(a.wall)) {
      const { ms } = offset;
      if (ms !== 0 && a.workout.isTyped === true) continue;
      const quarter = Math.floor((a.wall - ms) / QUARTER_MS);
      const equal = equalOf(a, a.wall - ms);
      if (equal !== undefined && offset.isOfEqualsOnly !== true) yield { a, b: equal, ...offset };
      for (const near of [quarter - 1, quarter, quarter + 1]) {
        const others = byQuarter.get(near) ?? [];
        if (others.length > MOST_NEAR) continue;
        for (const b of others) {
          const secondsApart = Math.abs(a.wall - ms - (b.wall ?? 0)) / 1_000;
          if (ms !== 0 && b.workout.isTyped === true) continue;
          if (seen.has(b) || (offset.isOfEqualsOnly === true && !areEqualBy(offset, a, b))) continue;
          const isNear = secondsApart <= MOST_SECONDS_APART;
          if (!isNear && (ms !== 0 || roundedStart(a.workout.facts, b.workout.facts, secondsApart) === undefined))
            continue;
          // A clock that is set may bring the two closer.
          if (isNear) seen.add(b);
          if (haveOneActivity(a, b)) yield { a, b, ...offset };
        }
      }
    }
  }
}

/** The pairs that are equal but for a zone. No clock shows it, so they are doubtful at most. */
function* equalByZone(one: readonly Clocked[], other: readonly Clocked[]): Generator<Compared> {
  const dayOf = (wall: number) => Math.floor(wall / DAY_MS);
  const isUsable = ({ wall, workout }: Clocked) =>
    wall !== undefined && workout.isTyped !== true && workout.facts.heartRate !== undefined;
  const byDay = Map.groupBy(other.filter(isUsable), ({ wall = 0 }) => dayOf(wall));
  for (const a of one.filter(isUsable)) {
    const { wall = 0 } = a;
    for (const day of [dayOf(wall) - 1, dayOf(wall), dayOf(wall) + 1]) {
      const others = byDay.get(day) ?? [];
      if (others.length > MOST_NEAR) continue;
      for (const b of others) {
        const apart = wall - (b.wall ?? 0);
        const ms = Math.round(apart / ZONES_APART.stepMs) * ZONES_APART.stepMs;
        // An hour is compared already, without heart rates.
        if (Math.abs(ms) <= SUMMER_TIME_MS[0] || Math.abs(ms) > ZONES_APART.mostMs) continue;
        const [ours = 0, theirs = 0] = [a.workout.facts.heartRate, b.workout.facts.heartRate];
        const offset = { ms, bonus: 0, isUnproven: true, isOfEqualsOnly: true };
        if (Math.abs(ours - theirs) > ZONES_APART.heartRate || !haveOneActivity(a, b) || !areEqualBy(offset, a, b))
          continue;
        yield { a, b, ...offset };
      }
    }
  }
}

/** The pairs of which one or both know their day alone. */
function* byDay(one: readonly Clocked[], other: readonly Clocked[]): Generator<Compared> {
  const dayOf = ({ workout: { facts } }: Clocked) => `${facts.date} ${facts.activity}`;
  const [ours, theirs] = [Map.groupBy(one, dayOf), Map.groupBy(other, dayOf)];
  for (const [day, some] of ours) {
    const others = theirs.get(day) ?? [];
    if (some.length > MOST_NEAR && others.length > MOST_NEAR) {
      const equalOf = equalsAmong(others);
      for (const a of some) {
        const b = equalOf(a, a.wall);
        if (b !== undefined) yield { a, b, ms: 0, bonus: 0 };
      }
      continue;
    }
    const bonus = some.length === 1 && others.length === 1 ? WEIGHTS.onlyOnesOfDay : 0;
    for (const a of some)
      for (const b of others)
        if (a.workout.facts.time === undefined || b.workout.facts.time === undefined) yield { a, b, ms: 0, bonus };
  }
}

/** Gives for a workout, at a time of the other clock, one that is equal to it. Each is given once. */
function equalsAmong(others: readonly Clocked[]): (a: Clocked, wall: number | undefined) => Clocked | undefined {
  const keyOf = ({ workout: { facts } }: Clocked, wall: number | undefined) =>
    JSON.stringify([wall ?? facts.date, facts.activity, facts.metres, facts.seconds]);
  const byKey = Map.groupBy(others, (other) => keyOf(other, other.wall));
  return (a, wall) => byKey.get(keyOf(a, wall))?.pop();
}

function haveOneActivity(a: Clocked, b: Clocked): boolean {
  return a.workout.facts.activity === b.workout.facts.activity;
}

function judged({ a, b, ms, bonus, isUnproven = false }: Compared): Pair {
  const isTimed = a.wall !== undefined && b.wall !== undefined;
  const asTheyAre = (a.wall ?? 0) - (b.wall ?? 0);
  const secondsApart = isTimed ? Math.abs(asTheyAre - ms) / 1_000 : undefined;
  const setMs = ms + (b.setLater ?? 0) - (a.setLater ?? 0);
  // Nobody has to hear of seconds.
  const isApart = Math.abs(setMs) > MOST_SECONDS_APART * 1_000;
  // What counts as one workout in the log counts as one here.
  const steps = [a.workout.steps, b.workout.steps] as const;
  const likeness = compareFacts(a.workout.facts, b.workout.facts, {
    ...{ secondsApart, bonus, steps },
    isClockSet: setMs !== 0,
  });
  return {
    one: a.workout,
    other: b.workout,
    ms: isApart ? setMs : 0,
    ...likeness,
    differences: { ...likeness.differences, ...(!isApart && ms !== 0 && { asWritten: Math.abs(asTheyAre) / 1_000 }) },
    ...(isUnproven && { score: Math.min(likeness.score, LEAST_SCORE.one - 1) }),
    isClockUnproven: isUnproven,
  };
}
