/**
 * Estimates how far the clocks of two sources are apart, from all workouts that both may have. A zone that was lost, summer time that was ignored
 * or a watch that drifts moves every workout of a season by the same time. A chance pair of two workouts doesn't.
 */
import type { Activity } from "../activities.ts";
import { utcDay } from "../calendar.ts";
import { firstAtLeast } from "./in-order.ts";

/** A workout with a time of day, as the clock of its source shows it. */
export interface ClockedWorkout {
  readonly activity: Activity | undefined;
  /** The start on the source's clock, as if it were UTC: milliseconds since 1970. */
  readonly wall: number;
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Wall clocks of one moment are at most so far apart, in milliseconds: zones go from -12 to +14 hours. */
export const MOST_CLOCKS_APART_MS = 26 * HOUR_MS;

/** Pairs agree when their offsets lie within this span: two buttons are pressed a minute apart. */
const SPAN_MS = 200 * SECOND_MS;

/** An offset rests on the pairs of so many days before and after. Fewer days come first: a journey is short. */
export const WINDOWS_DAYS = [10, 25, 60] as const;

/** The fewest pairs, at different times of day, that an offset rests on, and their share of all that could be pairs. The others are chance. */
export const FEWEST = 5;
const LEAST_SHARE = 0.6;
const LEAST_SHARE_OF_WORKOUTS = 0.8;

/** The days of summer time in Europe and in most of North America. The other half of the year is the summer of the south. */
const SUMMER = { from: "04-01", to: "10-24" } as const;

/** The days on which one country has summer time already, or still, and another one hasn't: either half of the year may hold. */
const CHANGING = [
  { from: "03-08", to: "04-15" },
  { from: "09-24", to: "11-07" },
] as const;

/** Of the workouts of a season, at most this share may agree without a clock being set. */
const MOST_AGREEING = 0.2;

/** Nobody trains so often on a day. */
const MOST_OF_DAY = 100;

/** Clocks of one home are not further apart, in milliseconds: a zone was lost, or a journey ignored. */
const MOST_LIKELY_APART_MS = 15 * HOUR_MS;

/** The largest differences of two workouts that may be one. Chance pairs are kept rare. */
const LIKENESS = { distance: 0.04, duration: 0.02 } as const;

/**
 * What shows an offset that comes back, such as that of journeys to one zone. Chance pairs lie among those of the usual clock, and at all offsets. So of the
 * pairs that have it, at most this share has one by the usual clock within so many days, and fewer pairs are as far from it as half an hour.
 */
const COMES_BACK = { atHome: 0.35, withinMs: 2 * DAY_MS, besideMs: 2 * QUARTER_MS } as const;

/** Durations so many seconds apart agree, however short they are: many tables keep minutes. */
const SECONDS_OF_MINUTES = 61;

interface Apart {
  readonly at: number;
  readonly ms: number;
  readonly one: ClockedWorkout;
  readonly other: ClockedWorkout;
}

/** How far one clock is ahead of another one, in milliseconds; negative when it is behind. */
export interface ClocksApart {
  /** Around an instant of the first clock; undefined where too few workouts tell. */
  around(wall: number): number | undefined;
  /** The same where enough workouts agree, but at too few times of day: they may as well be workouts of another time of day. Undefined if none do. */
  perhapsAround(wall: number): number | undefined;
  /** At any time of the archives, each once: a journey may be too short to tell, and another one to the same zone may not, or all of them together. */
  readonly ever: readonly number[];
  /** What the same months of all years say together: a clock that ignores summer time is off each summer, and a summer may have three pairs. */
  inSeason(wall: number): number | undefined;
  /** What the halves of the year say, each once. */
  readonly ofSeasons: readonly number[];
}

/**
 * Estimates the offset between two clocks over time.
 *
 * @param one workouts of a source, in any order
 * @param other workouts of another source
 * @param agreeing the starts of workouts of the first that the other source has at the same time: neither list has them
 */
export function clocksBetween(
  one: readonly ClockedWorkout[],
  other: readonly ClockedWorkout[],
  agreeing: readonly number[] = [],
): ClocksApart {
  const pairs = likelyPairs(one, other);
  const around = byDayOf((at) => offsetAround(pairs, at, "many"));
  const few = byDayOf((at) => offsetAround(pairs, at, "few"));
  const byQuarter = new Map<number, number>();
  for (const { wall } of one) {
    const ms = around(wall);
    if (ms !== undefined) byQuarter.set(Math.round(ms / QUARTER_MS), ms);
  }
  const perhapsAround = (wall: number) => {
    const ms = around(wall) === undefined ? few(wall) : undefined;
    return ms !== undefined && Math.abs(ms) > SPAN_MS ? ms : undefined;
  };
  const ever = [...byQuarter.values(), ...comingBack(pairs, around, agreeing)];
  return { around, perhapsAround, ever, ...bySeason(pairs, agreeing) };
}

/**
 * The offsets on which pairs of all years agree whose workouts the usual clock leaves without a partner. Each of a few journeys may have one or two of them.
 *
 * @param usual the offset around an instant
 * @param agreeing as for `clocksBetween`
 */
function comingBack(
  pairs: readonly Apart[],
  usual: (wall: number) => number | undefined,
  agreeing: readonly number[],
): readonly number[] {
  const atHome = pairs.filter(({ at, ms }) => Math.abs(ms - (usual(at) ?? Number.NaN)) <= SPAN_MS);
  const paired = new Set(atHome.flatMap(({ one, other }) => [one, other]));
  const starts = [...atHome.map(({ at }) => at), ...agreeing].map((at) => ({ at })).toSorted((a, b) => a.at - b.at);
  const isNearHome = ({ at }: Apart) => {
    const next = starts[firstAtLeast(starts, at - COMES_BACK.withinMs)];
    return next !== undefined && next.at <= at + COMES_BACK.withinMs;
  };
  let chance: readonly Apart[] = pairs
    .filter(({ one, other, ms }) => !paired.has(one) && !paired.has(other) && Math.abs(ms) < MOST_LIKELY_APART_MS)
    .toSorted((a, b) => a.ms - b.ms);
  let open = chance;
  const found: number[] = [];
  for (;;) {
    const densest = densestOf(open);
    // Without more pairs by a usual clock, it is unknown which of the two is the exception.
    if (densest.length < FEWEST || densest.length > starts.length) return found;
    const [taken, ms] = [new Set(densest), middleOf(densest)];
    const others = chance.filter((pair) => !taken.has(pair));
    open = open.filter((pair) => !taken.has(pair));
    const beside = others.filter((pair) => Math.abs(pair.ms - ms) <= COMES_BACK.besideMs).length;
    const near = densest.filter(isNearHome).length;
    if (timesOfDay(densest) < FEWEST || beside >= densest.length || near > COMES_BACK.atHome * densest.length) continue;
    found.push(ms);
    chance = others;
  }
}

/** The offset of each half of the year, from the pairs of all years. */
function bySeason(pairs: readonly Apart[], agreeing: readonly number[]): Pick<ClocksApart, "inSeason" | "ofSeasons"> {
  const ofHalf = (isOfHalf: (wall: number) => boolean) => {
    const some = pairs.filter(({ at, ms }) => isOfHalf(at) && Math.abs(ms) < MOST_LIKELY_APART_MS);
    const densest = densestOf(some.toSorted((a, b) => a.ms - b.ms));
    const ms = middleOf(densest);
    const agree = agreeing.filter(isOfHalf).length;
    const isProven =
      Math.abs(ms) > SPAN_MS &&
      timesOfDay(densest) >= FEWEST &&
      isMostOf(densest, some) &&
      agree <= MOST_AGREEING * (agree + densest.length);
    return isProven ? ms : undefined;
  };
  const [summer, winter] = [ofHalf(isSummer), ofHalf((wall) => !isSummer(wall))];
  const inSeason = (wall: number) => {
    const known = isSummer(wall) ? summer : winter;
    const other = isSummer(wall) ? winter : summer;
    return known ?? (isChanging(wall) ? other : undefined);
  };
  const ofSeasons = [summer, winter].filter((ms) => ms !== undefined);
  return { inSeason, ofSeasons };
}

/** The month and the day of a start: `04-17`. */
function dayOfYear(wall: number): string {
  return utcDay(wall).slice(5);
}

/** Whether a start is of the half of the year that has summer time in the north. @param wall as if it were UTC: milliseconds since 1970 */
export function isSummer(wall: number): boolean {
  const day = dayOfYear(wall);
  return day >= SUMMER.from && day <= SUMMER.to;
}

/** Whether a start is of the weeks in which the clocks are changed somewhere. @param wall as for `isSummer` */
export function isChanging(wall: number): boolean {
  const day = dayOfYear(wall);
  return CHANGING.some(({ from, to }) => day >= from && day <= to);
}

/** Finds an offset once for each day. */
function byDayOf(offsetAt: (at: number) => number | undefined): (wall: number) => number | undefined {
  const known = new Map<number, number | undefined>();
  return (wall) => {
    const day = Math.floor(wall / DAY_MS);
    if (!known.has(day)) known.set(day, offsetAt(day * DAY_MS));
    return known.get(day);
  };
}

/** The pairs of workouts that have the same sport, and almost the same distance and duration, oldest first. */
function likelyPairs(one: readonly ClockedWorkout[], other: readonly ClockedWorkout[]): readonly Apart[] {
  const byDay = Map.groupBy(other, ({ wall }) => Math.floor(wall / DAY_MS));
  const pairs: Apart[] = [];
  for (const a of one) {
    const day = Math.floor(a.wall / DAY_MS);
    for (const near of [day - 2, day - 1, day, day + 1, day + 2])
      for (const b of ofUsualDay(byDay.get(near))) {
        const ms = a.wall - b.wall;
        if (Math.abs(ms) <= MOST_CLOCKS_APART_MS && areAlike(a, b)) pairs.push({ at: a.wall, ms, one: a, other: b });
      }
  }
  return pairs.toSorted((a, b) => a.at - b.at);
}

/** The workouts of a day, or none if they are more than anybody does: their pairs would be the square, and tell nothing. */
function ofUsualDay(workouts: readonly ClockedWorkout[] = []): readonly ClockedWorkout[] {
  return workouts.length > MOST_OF_DAY ? [] : workouts;
}

/** Whether two durations, in seconds, are at most this share apart, or a minute. */
export function durationsAgree(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= Math.max(SECONDS_OF_MINUTES, share * Math.max(a, b));
}

function areAlike(a: ClockedWorkout, b: ClockedWorkout): boolean {
  if (a.activity === undefined || a.activity !== b.activity || a.seconds === undefined || b.seconds === undefined)
    return false;
  if (!durationsAgree(a.seconds, b.seconds, LIKENESS.duration)) return false;
  if (a.metres === undefined || b.metres === undefined) return a.metres === b.metres;
  return Math.abs(a.metres - b.metres) <= LIKENESS.distance * Math.max(a.metres, b.metres);
}

/** The offset on which most pairs around an instant agree, at many times of day or at few. */
function offsetAround(pairs: readonly Apart[], at: number, times: "many" | "few"): number | undefined {
  for (const days of WINDOWS_DAYS) {
    const [from, until] = [at - days * DAY_MS, at + days * DAY_MS].map((bound) => firstAtLeast(pairs, bound));
    const near = pairs.slice(from, until);
    const densest = densestOf(near.toSorted((a, b) => a.ms - b.ms));
    if (densest.length < FEWEST || timesOfDay(densest) >= FEWEST !== (times === "many")) continue;
    if (isMostOf(densest, near)) return middleOf(densest);
  }
  return undefined;
}

/**
 * Whether pairs that agree are most of those that could be pairs, or have most of the workouts in them. Somebody who runs much the same every day has
 * pairs with the days around, too. Where another offset within a day has as many, nobody can tell.
 */
function isMostOf(agreeing: readonly Apart[], all: readonly Apart[]): boolean {
  if (agreeing.length >= LEAST_SHARE * all.length) return true;
  const workouts = (pairs: readonly Apart[]) =>
    Math.min(new Set(pairs.map(({ one }) => one)).size, new Set(pairs.map(({ other }) => other)).size);
  const least = LEAST_SHARE_OF_WORKOUTS * workouts(all);
  const chosen = new Set(agreeing);
  const rivals = all.filter((pair) => !chosen.has(pair) && Math.abs(pair.ms) < MOST_LIKELY_APART_MS);
  return workouts(agreeing) >= least && workouts(densestOf(rivals.toSorted((a, b) => a.ms - b.ms))) < least;
}

/**
 * How many times of day the pairs have. Somebody who runs at 07:00 and writes down another run at 18:00 has many pairs that are eleven hours apart, all
 * at one time of day: they say nothing about clocks.
 */
export function timesOfDay(pairs: readonly { readonly at: number }[]): number {
  return new Set(pairs.map(({ at }) => Math.floor((at % DAY_MS) / MINUTE_MS))).size;
}

/** The most pairs within one span. @param sorted by their time apart */
function densestOf(sorted: readonly Apart[]): readonly Apart[] {
  let [from, best, bestFrom] = [0, 0, 0];
  for (const [at, { ms }] of sorted.entries()) {
    while (ms - (sorted[from]?.ms ?? ms) > SPAN_MS) from++;
    if (at - from + 1 > best) [best, bestFrom] = [at - from + 1, from];
  }
  return sorted.slice(bestFrom, bestFrom + best);
}

function middleOf(sorted: readonly Apart[]): number {
  return sorted[Math.floor(sorted.length / 2)]?.ms ?? 0;
}
