/**
 * Finds the workouts that only a source with a wrong clock has. No other source gives them a start. Where the pairs around them agree, they are set like
 * these pairs. Where these don't agree, or are too few, nobody knows whether the clock was off for them, too: they keep their starts, and the plan names them.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { isAssumed, withLocalTimeSet } from "../../../transforms/matching/assumed-starts.ts";
import { FEWEST, isChanging, isSummer, timesOfDay, WINDOWS_DAYS } from "../../../transforms/matching/clocks.ts";
import { firstAtLeast } from "../../../transforms/matching/in-order.ts";
import { MOST_SECONDS_APART } from "../../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { offsetInWords } from "../pairs/describe-match.ts";
import { clockOf, type LinkedWorkout } from "../pairs/linked-workout.ts";
import { assumedOf, type KnownClocks, NEAR_MS, type OnePair, type SetStart, withClockSet } from "./known-clocks.ts";
import { LINK_RULES } from "./tell-links.ts";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** A clock that lost its zone or its summer time is off by quarters of an hour. One that is off by another time drifts, and shows no start to the minute. */
const OFF_A_QUARTER_MS = 2 * MINUTE_MS;

/** Most workouts that a remark names. */
const MOST_NAMED = 3;

/** What a pair says about the clock of one of its two. */
interface Shown {
  readonly at: number;
  /** How much later the clock is to be set. 0: it is right. */
  readonly ms: number;
  /**
   * Whether too few times of day show that a clock is off, and a person let such pairs be one. Or whether nothing shows that the other clock is right: of
   * two sheets, the one that is named first may be the wrong one.
   */
  readonly isUnproven: boolean;
}

type ClockPair = OnePair & { readonly isClockUnproven?: boolean };

/** A workout whose clock is off by the pairs around it: so much later it is to be set. Where it is kept, the pairs before and after may differ. */
interface Wrong {
  readonly workout: LinkedWorkout;
  readonly ms: readonly number[];
}

/** The plan that is settled. */
interface Settling {
  readonly run: number;
  readonly clocks: KnownClocks;
  /** Whether the line of a workout may change. */
  readonly isWanted: (key: string) => boolean;
}

/**
 * Tells by how much single starts surely are to be set, as all pairs of a plan show it.
 *
 * @param pairs the merged pairs, which say whose clock is off
 * @returns undefined where no clock is off. The function gives undefined for a start that a device or a person knows, and where nothing is sure
 */
export function surelySet(pairs: readonly ClockPair[], clocks: KnownClocks): SetStart | undefined {
  if (pairs.every(({ one, other, ms }) => ms === 0 && assumedOf(one, other) === undefined)) return undefined;
  const shown = new Map([...shownBy(pairs, clocks)].map(([clock, some]) => [clock, provenOf(some)]));
  return (workout) => {
    const proven = shown.get(clockOf(workout));
    return proven === undefined || !isOfSource(workout) ? undefined : surelyLaterBy(proven, asIfUtc(workout.facts));
  };
}

/** Whether a start has its time of day from the clock of its source alone. */
function isOfSource({ facts, isTyped, isSure, isAssumed }: Parameters<SetStart>[0]): boolean {
  return facts.time !== undefined && (isSure !== true || isAssumed === true) && isTyped !== true;
}

/**
 * Sets the starts that the pairs around them surely show, and names the others.
 *
 * @param workouts those that no other source has
 * @param pairs the merged pairs of the plan, which say whose clock is off
 * @returns the new facts of the workouts that were set, by their keys
 */
export async function settleWrongStarts(
  workouts: Iterable<LinkedWorkout>,
  pairs: readonly ClockPair[],
  { run, clocks, isWanted }: Settling,
  context: ComparisonContext,
): Promise<ReadonlyMap<string, WorkoutFacts>> {
  const set = new Map<string, WorkoutFacts>();
  const surely = surelySet(pairs, clocks);
  if (surely === undefined) return set;
  const shown = shownBy(pairs, clocks);
  const corrected: Wrong[] = [];
  const kept: Wrong[] = [];
  for (const workout of workouts) {
    const { facts, key } = workout;
    if (!isOfSource(workout)) continue;
    const [of = [], wall] = [shown.get(clockOf(workout)), asIfUtc(facts)];
    const sure = surely(workout);
    const now = sure === undefined ? undefined : await setStart(run, workout, sure, isWanted(key), context);
    if (now !== undefined) set.set(key, now);
    if (sure !== undefined && now !== undefined) corrected.push({ workout, ms: [sure] });
    else if (sure !== 0 && laterBy(of, wall).length > 0) kept.push({ workout, ms: laterBy(of, wall) });
  }
  await tellCorrected(corrected, context);
  await tellKept(kept, context);
  return set;
}

/**
 * Sets the start of a planned workout.
 *
 * @param mayChange whether its line may change. A line that may not was set before, or wasn't
 * @returns its facts, if it is set
 */
async function setStart(
  run: number,
  { key, isSure }: LinkedWorkout,
  ms: number,
  mayChange: boolean,
  { journal }: ComparisonContext,
): Promise<WorkoutFacts | undefined> {
  const line = ms === 0 ? undefined : await journal.lineWithKey(run, key);
  if (line?.kind !== "workout" || line.value.start.date === undefined) return undefined;
  const { start } = line.value;
  if (!mayChange || line.state !== "planned") return start.clockSet === undefined ? undefined : toFacts(line.value);
  // A sure instant stays: its distance from UTC alone was assumed.
  const isLocal = isSure === true && isAssumed(start);
  const value = { ...line.value, start: isLocal ? withLocalTimeSet(start, ms) : withClockSet(start, ms) };
  await journal.patchLine(run, line.seq, { value, facts: toFacts(value) });
  return toFacts(value);
}

async function tellCorrected(corrected: readonly Wrong[], { sources, report }: ComparisonContext): Promise<void> {
  for (const some of byKind(corrected)) {
    const [first] = some;
    if (first === undefined) continue;
    const sentences = groupsOf(some).map(
      ({ many, source, ms, places }) => `${many} of ${sources[source]?.name} ${offsetsInWords(ms)} (${places})`,
    );
    const [name] = sentences.length === 1 ? [sources[first.workout.source]?.name] : ["the source"];
    const { workout } = first;
    await report({
      ...{ severity: "warning", rule: LINK_RULES.corrected, origin: workout.origin },
      found: `no other source surely has these, and they are set like the pairs around them: ${sentences.join("; ")}`,
      expected: workout.isAssumed
        ? "the local time that other sources have around them. Their own source has UTC, and your log's offset is a guess. If you were somewhere else, plan again with --zone"
        : `the starts of the clock that counts. If ${name} is right, name it before the others. To take every start as its source has it, plan again with --trust-clocks`,
    });
  }
}

async function tellKept(kept: readonly Wrong[], { sources, report }: ComparisonContext): Promise<void> {
  for (const some of byKind(kept)) {
    const [first] = some;
    if (first === undefined) continue;
    const { isAssumed: isGuess, origin } = first.workout;
    const was = isGuess ? "whose local times by your log's offset were" : "whose clock was";
    const sentences = groupsOf(some).map(
      ({ many, source, ms, places }) =>
        `${many} of ${sources[source]?.name}, ${was} to be set ${offsetsInWords(ms)} for the workouts before or after (${places})`,
    );
    const starts = isGuess ? "by your log's offset, which may be off" : "of a clock that may be off";
    await report({
      ...{ severity: "warning", rule: LINK_RULES.starts, origin },
      found: `no other source surely has these, so they keep the starts ${starts}: ${sentences.join("; ")}`,
      expected: isGuess
        ? "their local times: plan again with your time zone, such as --zone Europe/Vienna"
        : "the starts that a right clock shows: correct them in the source, or in your log afterwards. If a spreadsheet is in UTC, say dates.zone: utc in its mapping file, and plan again",
    });
  }
}

/** The workouts whose clock is wrong, and those whose local time is assumed: the former are mended otherwise. */
function byKind(wrong: readonly Wrong[]): Iterable<readonly Wrong[]> {
  return Map.groupBy(wrong, ({ workout }) => workout.isAssumed === true).values();
}

function offsetsInWords(all: readonly number[]): string {
  return all.map(offsetInWords).join(" or ");
}

/** Groups workouts by their source and the time that their clock is off. */
function groupsOf(wrong: readonly Wrong[]) {
  const groups = Map.groupBy(wrong, ({ workout, ms }) => `${workout.source} ${ms.map(quartersOf)}`);
  return [...groups.values()].map((group) => {
    const named = group.slice(0, MOST_NAMED).map(({ workout }) => describeOrigin(workout.origin));
    const rest = group.length > MOST_NAMED ? [`${group.length - MOST_NAMED} more`] : [];
    const many = group.length === 1 ? "1 workout" : `${group.length} workouts`;
    const { workout: { source } = { source: 0 }, ms = [] } = group[0] ?? {};
    return { many, source, ms, places: [...named, ...rest].join(", ") };
  });
}

/** What the pairs say about the clocks of the sources, by the numbers of the clocks and in the order of time. A start from satellites, or of a platform that knows the zone, is right. */
function shownBy(found: readonly ClockPair[], clocks: KnownClocks): ReadonlyMap<number, readonly Shown[]> {
  // What a person typed says nothing about the clock of a source.
  const pairs = withThirds(found.filter(({ one, other }) => one.isTyped !== true && other.isTyped !== true));
  const isProven = provenBy(pairs);
  const knownZones = new Set(pairs.flatMap(({ one, other }) => byZone(assumedOf(one, other))));
  const all = pairs.flatMap(({ one, other, ms, isClockUnproven = false }) => {
    if (one.facts.time === undefined || other.facts.time === undefined) return [];
    const two = assumedOf(one, other);
    // A file that knows the zone shows more than a table.
    if (two !== undefined && knownZones.has(two.assumed.key) && byZone(two).length === 0) return [];
    if (two !== undefined) return shownOfAssumed(two.assumed, two.known, isClockUnproven, clocks);
    const [knowsOne, knowsOther] = [isProven(one), isProven(other)];
    const isOtherOff = knowsOne === knowsOther ? !clocks.isOff(one) : knowsOne;
    const isUnproven = isClockUnproven || !isProven(isOtherOff ? one : other);
    return [
      { clock: clockOf(one), at: asIfUtc(one.facts), ms: isOtherOff ? 0 : -ms, isUnproven },
      { clock: clockOf(other), at: asIfUtc(other.facts), ms: isOtherOff ? ms : 0, isUnproven },
    ];
  });
  const byClock = Map.groupBy(all, ({ clock }) => clock);
  return new Map([...byClock].map(([clock, some]) => [clock, some.toSorted((a, b) => a.at - b.at)]));
}

/** The key of a workout with an assumed local time that is one with a record that knows the zone. */
function byZone(two: ReturnType<typeof assumedOf<LinkedWorkout>>): readonly string[] {
  return two === undefined || two.known.facts.instant === undefined ? [] : [two.assumed.key];
}

/** How far an assumed local time is off. It needs no proof of the other clock: any source knows better than an offset that is a guess. */
function shownOfAssumed(
  assumed: LinkedWorkout,
  known: LinkedWorkout,
  isUnproven: boolean,
  clocks: KnownClocks,
): readonly (Shown & { readonly clock: number })[] {
  const ms = clocks.assumedLater(assumed, known);
  return ms === undefined ? [] : [{ clock: clockOf(assumed), at: asIfUtc(assumed.facts), ms, isUnproven }];
}

/**
 * The pairs, and those that they imply: two workouts that are one with a third are one with each other. Nothing compared them, and they show how far
 * these two clocks are apart.
 */
function withThirds(pairs: readonly ClockPair[]): readonly ClockPair[] {
  const known = new Set(pairs.map(({ one, other }) => nameOf(one, other)));
  const sides = pairs.flatMap(({ one, other, ms, isClockUnproven }) => [
    { third: one, workout: other, ms, isClockUnproven },
    { third: other, workout: one, ms: -ms, isClockUnproven },
  ]);
  const implied: ClockPair[] = [];
  for (const some of Map.groupBy(sides, ({ third }) => third.key).values())
    for (const [at, a] of some.entries())
      for (const b of some.slice(at + 1)) {
        const [one, other] = a.workout.source < b.workout.source ? [a, b] : [b, a];
        const name = nameOf(one.workout, other.workout);
        if (one.workout.source === other.workout.source || known.has(name)) continue;
        known.add(name);
        // One with an assumed local time is compared with one of them by instants, and with the other one by local times.
        const isGuess = one.third.isAssumed === true || other.third.isAssumed === true;
        const apart = isGuess ? timeBetween(one.workout.facts, other.workout.facts) : other.ms - one.ms;
        const ms = Math.abs(apart) > MOST_SECONDS_APART * 1_000 ? apart : 0;
        const isClockUnproven = one.isClockUnproven === true || other.isClockUnproven === true;
        implied.push({ one: one.workout, other: other.workout, ms, isClockUnproven });
      }
  return [...pairs, ...implied];
}

/** How much later the first starts than the second one, in milliseconds. */
function timeBetween(one: WorkoutFacts, other: WorkoutFacts): number {
  const areInstants = one.instant !== undefined && other.instant !== undefined;
  return areInstants ? (one.instant ?? 0) - (other.instant ?? 0) : asIfUtc(one) - asIfUtc(other);
}

function nameOf({ key: one }: LinkedWorkout, { key: other }: LinkedWorkout): string {
  return [one, other].toSorted().join(" ");
}

/**
 * Whether the clock of a workout is surely right: its start is sure, or its source agrees in this half of the year with all workouts that do.
 */
function provenBy(pairs: readonly ClockPair[]): (workout: LinkedWorkout) => boolean {
  const halfOf = (workout: LinkedWorkout) => `${clockOf(workout)} ${isSummer(asIfUtc(workout.facts))}`;
  const byHalf = new Map<string, { agree: number; apart: number }>();
  for (const { one, other, ms } of pairs)
    for (const [own, known] of [
      [one, other],
      [other, one],
    ] as const) {
      if (own.facts.time === undefined || own.isSure === true || known.isSure !== true) continue;
      if (known.isAssumed === true && own.facts.instant === undefined) continue;
      const counts = byHalf.get(halfOf(own)) ?? { agree: 0, apart: 0 };
      counts[ms === 0 ? "agree" : "apart"]++;
      byHalf.set(halfOf(own), counts);
    }
  return (workout) => {
    const { agree = 0, apart = 0 } = byHalf.get(halfOf(workout)) ?? {};
    return workout.isSure === true || (agree >= FEWEST && apart === 0);
  };
}

/** The pairs that prove the clock of a source. */
interface Proven {
  /** In the order of time. */
  readonly pairs: readonly Shown[];
  /** What those of all summers say together, and those of all winters. */
  readonly ofHalf: (wall: number) => { readonly all: readonly Shown[]; readonly ms: number | undefined };
}

function provenOf(shown: readonly Shown[]): Proven {
  const pairs = shown.filter(({ isUnproven }) => !isUnproven);
  const [summer, winter] = [true, false].map((is) => {
    const all = pairs.filter(({ at }) => isSummer(at) === is);
    // In the weeks of the change a pair may have the clock of the other half.
    const telling = all.filter(({ at }) => !isChanging(at));
    return { all, ms: timesOfDay(telling) < FEWEST ? undefined : agreedOn(telling) };
  });
  const none = { all: [], ms: undefined };
  return { pairs, ofHalf: (wall) => (isSummer(wall) ? summer : winter) ?? none };
}

/**
 * How much later a clock surely is to be set at a time: the pairs of the days around it all say so, some before it and some after it. Else those of the same
 * season of all years do, outside of the weeks in which clocks are changed. Undefined where neither is so.
 */
function surelyLaterBy({ pairs, ofHalf }: Proven, wall: number): number | undefined {
  for (const days of WINDOWS_DAYS) {
    const [from, until] = [wall - days * DAY_MS, wall + days * DAY_MS + 1].map((at) => firstAtLeast(pairs, at));
    const near = pairs.slice(from, until);
    if (timesOfDay(near) < FEWEST) continue;
    const ms = agreedOn(near);
    if (ms !== undefined && isBetween(near, wall)) return ms;
    const nearOfHalf = near.filter(({ at }) => isSummer(at) === isSummer(wall) && !isChanging(at));
    // Of the pairs around that disagree in one half of the year, none tells. A pair of another year tells less.
    if (ms === undefined && (isChanging(wall) || agreedOn(nearOfHalf) === undefined)) return undefined;
  }
  const { all, ms } = ofHalf(wall);
  return !isChanging(wall) && isBetween(all, wall) ? ms : undefined;
}

/** Whether a time lies between the first and the last of some pairs. */
function isBetween(ordered: readonly Shown[], wall: number): boolean {
  const [first, last] = [ordered.at(0), ordered.at(-1)];
  return first !== undefined && last !== undefined && first.at <= wall && wall <= last.at;
}

/** The quarters of an hour that all of some pairs agree on, in milliseconds. Undefined where they don't, or are off by another time. */
function agreedOn(shown: readonly Shown[]): number | undefined {
  const ms = Math.round((shown[0]?.ms ?? 0) / QUARTER_MS) * QUARTER_MS;
  return shown.every((pair) => Math.abs(pair.ms - ms) <= OFF_A_QUARTER_MS) ? ms : undefined;
}

/**
 * How much later a clock may have to be set at a time, by the pairs before and after it. Where none is near, those of the same half of the year count, and
 * without any of these all do: after its last pair a wrong clock stays wrong as long as nobody sets it. None where all of them show that it is right.
 */
function laterBy(shown: readonly Shown[], wall: number): readonly number[] {
  const all = besides(shown, wall);
  const near = all.filter(({ at }) => Math.abs(at - wall) <= NEAR_MS);
  const ofHalf = shown.filter(({ at }) => isSummer(at) === isSummer(wall));
  const telling = near.length > 0 ? near : ofHalf.length > 0 ? besides(ofHalf, wall) : all;
  const later = telling.map(({ ms }) => ms).filter((ms) => quartersOf(ms) !== 0);
  return [...new Map(later.toReversed().map((ms) => [quartersOf(ms), ms])).values()].toReversed();
}

/** The last pair before a time, and the first one after it. */
function besides(shown: readonly Shown[], wall: number): readonly Shown[] {
  const next = firstAtLeast(shown, wall);
  return [shown[next - 1], shown[next]].filter((pair) => pair !== undefined);
}

function quartersOf(ms: number): number {
  return Math.round(ms / QUARTER_MS);
}
