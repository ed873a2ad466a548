/**
 * Collects what the workouts of a plan say about the clock of a log: which of them the log has with the same distance and duration at another time,
 * and whether these agree about one clock. Only what is compared is in memory.
 */
import { asIfUtc } from "../../../transforms/calendar.ts";
import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { clocksBetween } from "../../../transforms/matching/clocks.ts";
import { WEIGHTS } from "../../../transforms/matching/likeness.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isOfAnotherRow, isOfSameTable } from "../compare/own-records.ts";

/** Clocks are off by whole quarters of an hour. Starts may differ by two minutes besides. */
const STEP_MS = 15 * 60_000;
const WITHIN_MS = 120_000;

/** Distances and durations that are as close as this are the same. A runner seldom has several such pairs by chance. */
const SAME_SHARE = 0.01;

/** The fewest pairs that make it likely that a clock is off, and their share of the workouts of a source that would be created. */
const LIKELY = { pairs: 3, share: 0.5 } as const;

/**
 * One workout proves no clock. It is perhaps that of the log in another zone, if nothing else tells the two apart: the distance is the same and so is each
 * second of the duration, and the starts are half hours apart, as zones are. A duration in whole minutes beside a distance in tenths of a kilometre is
 * rounded, and many workouts have it: it takes two such workouts of different lengths, as many hours apart.
 */
const EQUAL = {
  stepMs: 30 * 60_000,
  mostMs: 15 * 60 * 60_000,
  withinMs: 61_000,
  distance: 0.005,
  seconds: 1,
  rounded: 2,
} as const;

/** People round their distances to tenths of a kilometre. */
const ROUND_METRES = 100;

/** Summer time moves a clock that ignores it, or a log that lost its zone, by an hour, and twice a year. */
const SUMMER_TIME_MS = 60 * 60_000;
const YEAR_MS = 366 * 86_400_000;

/**
 * The fewest pairs that prove it, and how many lengths they must have: a run of 10 km each Tuesday is like that of any other hour. The share is of the
 * measured workouts from the first pair to the last one that the log doesn't have by their starts. Of these, a phone may have measured some less
 * closely. Once the clock is set, they count too, if they surely are workouts of the log.
 */
const PROVEN = { pairs: 8, lengths: 5, share: 0.8 } as const;

/** A record of the log with the same values as a workout. */
interface Alike {
  readonly id: string;
  /** Its start on its clock, as if it were UTC. */
  readonly wall: number;
  readonly facts: WorkoutFacts;
}

/** A workout that would be created, and that the log has at other times. */
interface OpenWorkout {
  readonly seq: number;
  readonly wall: number;
  readonly facts: WorkoutFacts;
  readonly alike: readonly Alike[];
}

/** The workouts of a source that would be created. */
interface OpenSource {
  /** How many have a time of day. */
  timed: number;
  /** Those with a distance and a duration. */
  readonly measured: { readonly seq: number; readonly wall: number }[];
  readonly workouts: OpenWorkout[];
}

/** How much later the log may have a workout, in milliseconds, and what speaks for or against it besides its values. */
interface Later {
  readonly ms: number;
  readonly bonus: number;
}

/** A clock of the log that is off against a source. */
export interface ClockOfLog {
  readonly source: number;
  /** Whether enough workouts prove it. */
  readonly isProven: boolean;
  /** How much later the log may have a workout of the source, the likeliest first. */
  readonly laterAt: (workout: { readonly seq: number; readonly wall: number }) => readonly Later[];
  /** The pairs that show it, oldest first: how much later, and their two. */
  readonly shownBy: readonly Shown[];
  /** Whether it is one once these workouts, by their numbers, are found in the log by it. */
  readonly isBorneOut: (found: readonly number[]) => boolean;
  /** How many workouts of the source would be created. */
  readonly open: number;
}

/** A pair that shows a clock. */
interface Shown {
  readonly ms: number;
  readonly seq: number;
  readonly id: string;
  readonly wall: number;
}

/** A workout of a plan that would be created, with its time of day. */
export interface TimedLine {
  readonly line: WorkoutLine;
  readonly facts: WorkoutFacts;
  readonly wall: number;
}

/** How sure a clock is: enough workouts prove it, or some make it likely. */
export type ClockEvidence = "proven" | "likely";

/** Finds the clocks of a log that are off against the sources of a plan, with this evidence. */
export async function clocksOfLog(
  run: number,
  context: ComparisonContext,
  evidence: ClockEvidence,
): Promise<readonly ClockOfLog[]> {
  const sources = new Map<number, OpenSource>();
  const openOf = (source: number) => {
    const open = sources.get(source) ?? { timed: 0, measured: [], workouts: [] };
    sources.set(source, open);
    return open;
  };
  if (evidence === "proven")
    for await (const { source, ...workout } of provenBefore(run, context)) {
      openOf(source).measured.push(workout);
      openOf(source).workouts.push(workout);
    }
  for await (const { line, facts, wall } of openWorkouts(run, context)) {
    const { source, seq } = line;
    const open = openOf(source);
    open.timed++;
    if (facts.metres === undefined || facts.seconds === undefined) continue;
    open.measured.push({ seq, wall });
    const alike = await freeRecords(line, facts, context, (record) => hasSameValues(facts, record.facts));
    if (alike.length > 0) open.workouts.push({ seq, wall, facts, alike });
  }
  const find = evidence === "proven" ? provenClock : likelyClock;
  return [...sources].flatMap(([source, open]) => find(source, open) ?? []);
}

/** What a plan had found so before a person changed a part of it. That part alone would prove nothing. */
async function* provenBefore(
  run: number,
  { journal }: ComparisonContext,
): AsyncGenerator<OpenWorkout & { readonly source: number }> {
  for (const { one, inLog, ms, verdict, isClockUnproven } of await journal.links.pairs(run)) {
    if (inLog === undefined || ms === 0 || verdict !== "one" || isClockUnproven) continue;
    const line = await journal.lineWithKey(run, one);
    const facts = line?.kind === "workout" ? toFacts(line.value) : undefined;
    const theirs = (await journal.logEntry("workout", inLog))?.facts;
    if (line === undefined || facts?.time === undefined || theirs?.time === undefined) continue;
    const record = { id: inLog, wall: asIfUtc(theirs), facts: { ...theirs, activity: facts.activity } };
    yield { source: line.source, seq: line.seq, wall: asIfUtc(facts), facts, alike: [record] };
  }
}

/** The workouts that would be created, as far as they have a time of day. */
export async function* openWorkouts(run: number, context: ComparisonContext): AsyncGenerator<TimedLine> {
  for await (const line of context.journal.lines(run, { state: ["planned"], kind: "workout" })) {
    // A log itself keeps its workouts apart.
    if (line.kind !== "workout" || line.action !== "create" || context.isOfLog?.(line.source) === true) continue;
    const facts = toFacts(line.value);
    if (facts?.time !== undefined) yield { line, facts, wall: asIfUtc(facts) };
  }
}

/**
 * The free records of the log around a workout that may be it by another clock: neither another row of its file nor one that a person keeps apart.
 *
 * @param isWanted whether a record is like the workout. Few are, so few need a further look into the journal
 */
export async function freeRecords(
  line: WorkoutLine,
  facts: WorkoutFacts,
  context: ComparisonContext,
  isWanted: (record: Alike) => boolean,
): Promise<readonly (Alike & { readonly entry: ClaimedEntry })[]> {
  const { journal, settings } = context;
  const activityID = facts.activity === undefined ? undefined : settings.activityIDs[facts.activity];
  if (activityID === undefined) return [];
  // With an instant, the journal gives the records of all zones.
  const nearby = await journal.logCandidates(line.run, { ...facts, instant: facts.instant ?? 0 }, activityID);
  const free: (Alike & { readonly entry: ClaimedEntry })[] = [];
  for (const entry of nearby) {
    const theirs = entry.facts;
    if (theirs?.time === undefined) continue;
    // The log gives only the number of an activity, which is the same.
    const record = { id: entry.id, wall: asIfUtc(theirs), facts: { ...theirs, activity: facts.activity } };
    if (!isWanted(record) || settings.manualDecisions?.pairs.areTwoInLog(line.key, entry) === true) continue;
    if ((await isOfSameTable(line, entry, journal)) || (await isOfAnotherRow(line, entry, context))) continue;
    free.push({ ...record, entry });
  }
  return free;
}

/** A clock that many workouts agree on. Whether the log has most of the others by it, too, is still to be seen. */
function provenClock(source: number, { workouts, measured, timed }: OpenSource): ClockOfLog | undefined {
  const records = new Map(workouts.flatMap(({ alike }) => alike.map((record) => [record.id, record] as const)));
  const clocked = ({ wall, facts: { activity, metres, seconds } }: Pick<OpenWorkout, "wall" | "facts">) => ({
    ...{ wall, activity, metres, seconds },
  });
  const { around, ever } = clocksBetween(workouts.map(clocked), [...records.values()].map(clocked));
  const taken = new Set<string>();
  const pairs = workouts.flatMap(({ seq, wall, facts, alike }) => {
    const ahead = around(wall);
    const found = alike.find(
      (record) => ahead !== undefined && !taken.has(record.id) && Math.abs(wall - ahead - record.wall) <= WITHIN_MS,
    );
    if (ahead === undefined || found === undefined) return [];
    taken.add(found.id);
    return [{ seq, wall, facts, id: found.id, ms: -ahead }];
  });
  const lengths = new Set(pairs.map(({ facts }) => lengthOf(facts))).size;
  if (pairs.length < PROVEN.pairs || lengths < PROVEN.lengths) return undefined;
  const walls = pairs.map(({ wall }) => wall);
  const [first, last] = [walls.reduce(smaller, Infinity), walls.reduce(larger, -Infinity)];
  const between = new Set(measured.flatMap(({ seq, wall }) => (wall >= first && wall <= last ? [seq] : [])));
  const shown = pairs.map(({ seq }) => seq);
  // Where too few workouts of the weeks tell, the clock is that of other weeks: a season ends, or the log begins.
  const elsewhere = ever.map((ahead) => ({ ms: -ahead, bonus: WEIGHTS.clockOfOtherWeeks }));
  return {
    ...{ source, isProven: true, shownBy: pairs, open: timed },
    laterAt: ({ wall }) => {
      const ahead = around(wall);
      return ahead === undefined ? elsewhere : [{ ms: -ahead, bonus: 0 }];
    },
    isBorneOut: (found) => {
      const inLog = new Set([...shown, ...found].filter((seq) => between.has(seq)));
      return inLog.size >= PROVEN.share * between.size;
    },
  };
}

/** A clock that some workouts agree on: the one that most of them have. Where too few agree, the workouts that are equal but for their zones. */
function likelyClock(source: number, { workouts, timed }: OpenSource): ClockOfLog | undefined {
  const apart = workouts.flatMap(({ seq, wall, facts, alike }) => {
    const [record, ...others] = alike;
    const ms = record === undefined || others.length > 0 ? undefined : offsetBetween(wall, record.wall);
    if (record === undefined || ms === undefined) return [];
    // A distance such as 12.12 km, whole hours apart, is nobody's by chance.
    const isTelling = Math.round(facts.metres ?? 0) % ROUND_METRES !== 0 && ms % SUMMER_TIME_MS === 0;
    const isRounded = (facts.seconds ?? 0) % 60 === 0 && !isTelling;
    const isEqual = areEqualByZone({ wall, facts }, record);
    return [{ ms, seq, wall, id: record.id, isEqual, isRounded, length: lengthOf(facts) }];
  });
  const byTime = Map.groupBy(apart, ({ ms }) => ms);
  const clocks = [...byTime].flatMap(([ms, pairs]) => {
    const inSummer = [...pairs, ...(byTime.get(ms + SUMMER_TIME_MS) ?? [])].toSorted((a, b) => a.wall - b.wall);
    return areSeasons(inSummer) ? [pairs, inSummer] : [pairs];
  });
  const [agreeing = []] = clocks.toSorted((a, b) => b.length - a.length);
  const isLikely = agreeing.length >= LIKELY.pairs && agreeing.length >= LIKELY.share * timed;
  const equal = apart.filter(({ isEqual }) => isEqual);
  const isTold = ({ ms, isRounded }: (typeof equal)[number]) =>
    !isRounded || new Set(equal.flatMap((other) => (other.ms === ms ? [other.length] : []))).size >= EQUAL.rounded;
  const shownBy = isLikely ? agreeing : equal.filter(isTold);
  if (shownBy.length === 0) return undefined;
  const bySeq = new Map(shownBy.map((pair) => [pair.seq, { ms: pair.ms, bonus: 0 }]));
  return {
    ...{ source, isProven: false, shownBy, open: timed, isBorneOut: () => true },
    // A doubtful clock is no reason to compare more than what shows it.
    laterAt: ({ seq }) => [bySeq.get(seq) ?? []].flat(),
  };
}

/** Whether pairs of two times change from one to the other at most twice a year, as by summer time. @param pairs oldest first */
function areSeasons(pairs: readonly Shown[]): boolean {
  const [first, last] = [pairs.at(0), pairs.at(-1)];
  if (first === undefined || last === undefined) return false;
  const changes = pairs.filter(({ ms }, at) => at > 0 && ms !== pairs[at - 1]?.ms).length;
  return changes <= 2 * Math.ceil((last.wall - first.wall + 1) / YEAR_MS);
}

/** How much later a record is than a workout; undefined for another time than clocks are off by. */
function offsetBetween(ours: number, theirs: number): number | undefined {
  const apart = theirs - ours;
  const ms = Math.round(apart / STEP_MS) * STEP_MS;
  return ms === 0 || Math.abs(apart - ms) > WITHIN_MS ? undefined : ms;
}

function hasSameValues(a: WorkoutFacts, b: WorkoutFacts): boolean {
  return isSame(a.metres, b.metres) && isSame(a.seconds, b.seconds);
}

function isSame(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= SAME_SHARE * Math.max(a, b);
}

/** Whether a workout and a record of the log are equal, but for a start that is as far away as another zone. */
function areEqualByZone(ours: Pick<OpenWorkout, "wall" | "facts">, theirs: Pick<Alike, "wall" | "facts">): boolean {
  const apart = Math.abs(ours.wall - theirs.wall);
  const zones = Math.round(apart / EQUAL.stepMs) * EQUAL.stepMs;
  if (zones === 0 || zones > EQUAL.mostMs || Math.abs(apart - zones) > EQUAL.withinMs) return false;
  const [{ metres = 0, seconds = 0 }, { metres: others = 0, seconds: long = 0 }] = [ours.facts, theirs.facts];
  const isSameDistance = Math.abs(metres - others) <= EQUAL.distance * Math.max(metres, others);
  return isSameDistance && Math.abs(seconds - long) <= EQUAL.seconds;
}

/** A distance in steps of 100 m. */
function lengthOf({ metres = 0 }: WorkoutFacts): number {
  return Math.round(metres / 100);
}

function smaller(a: number, b: number): number {
  return Math.min(a, b);
}

function larger(a: number, b: number): number {
  return Math.max(a, b);
}
