/**
 * Finds workouts of two sources, or of two apps in one, and equal ones of one source, that were done at the same time, and are too different to count as one, or even to be doubtful: a phone that was started
 * later and stopped early. Nobody does a sport twice at once, so the plan names them. No score changes.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { compareAsTheyAre } from "../../../transforms/matching/compare-facts.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import { type FoundPair, REPEATS } from "../../journal/links.ts";
import { shortId } from "../../journal/short-id.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import type { Groups } from "../compare/groups.ts";
import { areOfOneApp, type LinkedWorkout } from "../pairs/linked-workout.ts";
import type { PairAnswers } from "../pairs/pair-answers.ts";

/** The rule of the remark. */
export const OVERLAPS = "plan/same-time";

/** So much of the shorter one must lie within the longer one. At a start, a note of yesterday may still touch. */
const LEAST_SHARE = 0.5;

/** A watch that somebody forgot to stop says nothing about the hours behind this, in milliseconds. */
const LONGEST_MS = 12 * 3_600_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks change in the hours before four. */
const CHANGED_BY_MS = 4 * HOUR_MS;

/** So many workouts behind one are looked at. Damaged clocks put thousands at one time. */
const MOST_BEHIND = 20;

/** The most pairs that the remark names. */
export const MOST_NAMED = 4;

/** Two workouts at one time. */
export type Overlap = readonly [one: LinkedWorkout, other: LinkedWorkout];

interface Span {
  readonly workout: LinkedWorkout;
  readonly from: number;
  readonly until: number;
  /** The instant of the start, if it is known. */
  readonly instant?: number | undefined;
}

/**
 * Finds the pairs, by the times that their sources show.
 *
 * @param isSettled whether the two are one already, are named as doubtful, or are two by a person's word
 */
export function findOverlaps(
  workouts: Iterable<LinkedWorkout>,
  isSettled: (one: LinkedWorkout, other: LinkedWorkout) => boolean,
): readonly Overlap[] {
  const spans = [...workouts].flatMap(spanOf).toSorted((a, b) => a.from - b.from);
  const found: Overlap[] = [];
  for (const bySport of Map.groupBy(spans, ({ workout }) => workout.facts.activity).values())
    for (const [at, one] of bySport.entries())
      for (const other of bySport.slice(at + 1, at + 1 + MOST_BEHIND)) {
        if (other.from >= one.until) break;
        if (!shareTime(one, other)) continue;
        if (areOfOneApp(one.workout, other.workout) && !isRepeat(one, other)) continue;
        if (!isSettled(one.workout, other.workout)) found.push([one.workout, other.workout]);
      }
  return found;
}

/**
 * Whether a source may have one workout under two numbers. A platform lists a session once more after it was sent from another device, some seconds apart.
 * Otherwise two workouts of one source stay two.
 */
function isRepeat({ from, workout: { facts: a } }: Span, { from: other, workout: { facts: b } }: Span): boolean {
  const isAlike = (x: number | undefined, y: number | undefined) =>
    x === undefined || y === undefined ? x === y : Math.abs(x - y) <= 1;
  return other - from <= REPEATS.seconds * 1_000 && isAlike(a.seconds, b.seconds) && isAlike(a.metres, b.metres);
}

/** What of a plan is settled about its workouts, so that two at one time need no remark. */
export interface SettledPairs {
  /** The records that are one. */
  readonly groups: Groups;
  readonly answers: PairAnswers;
  /** The pairs that are named as doubtful. */
  readonly doubtful: readonly Overlap[];
  /** Whether a workout is a whole or a part that was found. */
  readonly isOfSplit: (key: string) => boolean;
}

/** Keeps the pairs at one time that nothing else names, and names them in the plan. They replace those that it had before. */
export async function settleOverlaps(
  run: number,
  workouts: Iterable<LinkedWorkout>,
  { groups, answers, doubtful, isOfSplit }: SettledPairs,
  context: ComparisonContext,
): Promise<void> {
  const { links } = context.journal;
  const rootsOf = (one: string, other: string) => nameOf(groups.rootOf(one), groups.rootOf(other));
  const inDoubt = new Set(doubtful.map(([one, other]) => rootsOf(one.key, other.key)));
  const all = new Map([...workouts].map((workout) => [workout.key, workout]));
  const found = findOverlaps(
    all.values(),
    ({ key: one }, { key: other }) =>
      groups.rootOf(one) === groups.rootOf(other) ||
      inDoubt.has(rootsOf(one, other)) ||
      isOfSplit(one) ||
      isOfSplit(other) ||
      answers.separate(groups.membersOf(one), groups.membersOf(other)),
  );
  // One answer is about all copies of a workout: the pair of those that stay. What is merged is not asked about.
  const isStaying = ({ key }: LinkedWorkout) => groups.rootOf(key) === key;
  const stayingOf = (workout: LinkedWorkout) => all.get(groups.rootOf(workout.key)) ?? workout;
  const byRoots = Map.groupBy(found, ([one, other]) => rootsOf(one.key, other.key));
  const overlaps = [...byRoots.values()].flatMap((same) => {
    const staying = same.filter((pair) => pair.every(isStaying));
    return [...staying, ...same.map(([one, other]) => inOrder(stayingOf(one), stayingOf(other)))].slice(0, 1);
  });
  const known = new Map((await links.pairs(run)).map((pair) => [nameOf(pair.one, pair.other), pair]));
  const before = [...known.values()].filter(({ isSameTime, inLog }) => isSameTime === true && inLog === undefined);
  await links.keepPairs(
    run,
    before.map(({ isSameTime: _, ...pair }) => pair),
  );
  await links.keepPairs(
    run,
    overlaps.map(([one, other]) => ({
      ...(known.get(nameOf(one.key, other.key)) ?? unscored(one, other)),
      ...{ verdict: "two", isSameTime: true },
    })),
  );
  await links.dropIssue(run, OVERLAPS);
  await tellOverlaps(overlaps, context);
}

/** Two workouts in the order of their sources, as a pair is named everywhere. */
function inOrder(a: LinkedWorkout, b: LinkedWorkout): Overlap {
  return a.source <= b.source ? [a, b] : [b, a];
}

/** A pair that is too different to be scored by its values alone. */
function unscored(a: LinkedWorkout, b: LinkedWorkout): FoundPair {
  const [one, other] = inOrder(a, b);
  const likeness = compareAsTheyAre(one.facts, other.facts, { steps: [one.steps, other.steps] });
  return { one: one.key, other: other.key, verdict: "two", ms: 0, ...likeness, isClockUnproven: false };
}

function nameOf(one: string, other: string): string {
  return [one, other].toSorted().join(" ");
}

function spanOf(workout: LinkedWorkout): readonly Span[] {
  const time = timeOf(workout.facts);
  return time === undefined ? [] : [{ workout, ...time }];
}

function timeOf({ time, date, instant, seconds = 0 }: WorkoutFacts): Time | undefined {
  if (time === undefined || seconds <= 0) return undefined;
  const from = asIfUtc({ date, time });
  return { from, until: from + Math.min(seconds * 1_000, LONGEST_MS), instant };
}

/** Whether two workouts share at least half of the shorter one's time, by their instants, or else by the clocks as they show it. */
export function areAtOneTime(one: WorkoutFacts, other: WorkoutFacts): boolean {
  const [a, b] = [timeOf(one), timeOf(other)];
  return a !== undefined && b !== undefined && shareTime(a, b);
}

type Time = Omit<Span, "workout">;

/**
 * In the night on which clocks go back an hour, two runs an hour apart show the same time. Their instants say that they are two. Elsewhere instants
 * don't count against the clocks: one of two sources may have a wrong zone.
 */
function areAnHourApart(a: Time, b: Time): boolean {
  if (a.instant === undefined || b.instant === undefined) return false;
  const isAtNight = [a, b].every(({ from }) => from % DAY_MS < CHANGED_BY_MS);
  if (!isAtNight) return false;
  const byClock = b.from - a.from;
  const apart = b.instant - a.instant;
  if (Math.abs(apart - byClock) !== HOUR_MS) return false;
  // The instants of both in order, and neither within the other.
  const [first, second] = apart >= 0 ? [a, b] : [b, a];
  return Math.abs(apart) >= first.until - first.from && second.until > second.from;
}

function shareTime(a: Time, b: Time): boolean {
  if (areAnHourApart(a, b)) return false;
  const shared = Math.min(a.until, b.until) - Math.max(a.from, b.from);
  return shared > 0 && shared >= LEAST_SHARE * Math.min(a.until - a.from, b.until - b.from);
}

/** Names them in the plan, each with the name that an answer needs. */
async function tellOverlaps(all: readonly Overlap[], { report }: Pick<ComparisonContext, "report">): Promise<void> {
  if (all.length === 0) return;
  const named = all
    .slice(0, MOST_NAMED)
    .map(([one, other]) => sentenceOf([inWords(one), inWords(other)], [one.key, other.key]));
  const rest = all.length > MOST_NAMED ? [restInWords(all.length - MOST_NAMED)] : [];
  await report({
    severity: "warning",
    rule: OVERLAPS,
    found: `two workouts of one sport at the same time: ${[...named, ...rest].join("; ")}`,
    each: [...named, ...rest],
    expected: `one workout at a time. Both are loaded. ${answerWords(all[0]?.map(({ key }) => key) ?? [])}`,
  });
}

/** Two workouts at one time, with the name of the pair. @param sides both in words @param keys their keys */
export function sentenceOf(sides: readonly [string, string], keys: readonly [string, string]): string {
  return `${sides.join(" and ")} (${keys.map(shortId).join("+")})`;
}

/** How to say that a pair is one. @param keys those of the first pair */
export function answerWords(keys: readonly string[]): string {
  return `If a pair is one, answer with its name: logferry plan review --answer ${keys.map(shortId).join("+")}=one`;
}

/** The pairs that a remark has no room for. */
export function restInWords(more: number): string {
  return more === 1 ? "and 1 more pair" : `and ${more} more pairs`;
}

/** `watch.csv line 2 (2024-05-01 07:00, 50 min, 10.0 km)`. */
function inWords({ origin, facts }: Pick<LinkedWorkout, "origin" | "facts">): string {
  return `${describeOrigin(origin)} (${timeInWords(facts)})`;
}

/** `2024-05-01 07:00, 50 min, 10.0 km` */
export function timeInWords({ date, time = "", seconds = 0, metres }: WorkoutFacts): string {
  const distance = metres === undefined ? "" : `, ${(metres / 1000).toFixed(1)} km`;
  return `${date} ${time.slice(0, 5)}, ${Math.round(seconds / 60)} min${distance}`;
}
