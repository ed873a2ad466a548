/**
 * Pairs the workouts of a plan with those that the log has, by the same score as the workouts of two sources, and over a whole day. The log's records
 * come from the journal day by day, so memory doesn't grow with the log.
 */
import { matchDuplicates, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import { assign, type Candidate } from "../../../transforms/matching/assignment.ts";
import type { Likeness } from "../../../transforms/matching/compare-facts.ts";
import { LEAST_SCORE, verdictOf, WEIGHTS } from "../../../transforms/matching/likeness.ts";
import { rivalsAmong } from "../../../transforms/matching/rivals.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { idInKey, isOfAnotherRow, isOfSameTable, type Placed } from "../compare/own-records.ts";
import { describePair } from "../pairs/describe-match.ts";
import { equalRecords, MOST_OF_DAY } from "./equal-records.ts";
import { compareWithRecord } from "./instants-of-log.ts";

/** What is compared of a workout: its own line, or one that was merged into it. */
export interface View {
  readonly line: Placed;
  readonly facts: WorkoutFacts;
  readonly activityID: number;
}

/** A workout of the plan that the log may have. Only what is compared is in memory. */
export interface OpenWorkout {
  readonly seq: number;
  /** The keys of its records that a person may have said to be another workout than one of the log. */
  readonly keys: readonly string[];
  readonly views: readonly View[];
}

/** A workout of the plan and a record of the log that are surely or perhaps one. */
export interface LogMatch {
  readonly entry: ClaimedEntry;
  /** Undefined for a record with the workout's own id. */
  readonly likeness: Likeness | undefined;
  /** How many other pairs of the day would be as good, and give a workout without a time of day another time. */
  readonly rivals: number;
}

/** A record of the log with its values. */
export type RecordOfDay = ClaimedEntry & { readonly facts: WorkoutFacts };

interface Judged {
  readonly likeness: Likeness | undefined;
  readonly score: number;
  /** The times of day of the two. */
  readonly times: readonly [string | undefined, string | undefined];
}

/** A pair, by the places of its two in their lists. */
type LogCandidate = Candidate & Judged & { readonly entry: ClaimedEntry };

/** What a record's own id counts. No values count as much. */
const SAME_ID = 1_000;

/** So little counts how close the values of two equal scores are. */
const CLOSENESS = 0.01;

/**
 * Pairs the workouts of one day with the free records of the log, each with one at most, so that the sum of the scores is the highest.
 *
 * @param settled workouts of the day that have a record already. They get no other one, and count as rivals
 * @returns the matches by the numbers of their lines
 */
export async function matchDay(
  workouts: readonly OpenWorkout[],
  context: ComparisonContext,
  settled: readonly OpenWorkout[] = [],
): Promise<ReadonlyMap<number, LogMatch>> {
  const all = await candidatesOfDay([...workouts, ...settled], context);
  const candidates = all.filter(({ one }) => one < workouts.length);
  // Sure pairs come first: two doubtful ones together may have a higher score than a sure one.
  const sure = candidates.filter(({ score }) => score > LEAST_SCORE.one - 1);
  const chosen = assign(sure);
  const rivalsOf = rivalsAmong(
    all.filter(({ score }) => score > LEAST_SCORE.one - 1),
    chosen,
  );
  const [ones, others] = [new Set(chosen.map(({ one }) => one)), new Set(chosen.map(({ other }) => other))];
  const doubtful = assign(candidates.filter(({ one, other }) => !ones.has(one) && !others.has(other)));
  const matches = new Map<number, LogMatch>();
  for (const pair of [...chosen, ...doubtful]) {
    const seq = workouts[pair.one]?.seq;
    const rivals = rivalsOf(pair).filter((rival) => givesAnotherTime(pair, rival)).length;
    if (seq !== undefined) matches.set(seq, { entry: pair.entry, likeness: pair.likeness, rivals });
  }
  return matches;
}

/** How a workout was recognised in the log. */
export function whyInLog({ likeness, rivals }: Pick<LogMatch, "likeness" | "rivals">): string {
  if (likeness === undefined) return "same id, day and activity";
  const why = describePair(likeness);
  if (rivals === 0) return why;
  return `${why}. ${rivals === 1 ? "1 other pair" : `${rivals} other pairs`} of the day would be as good`;
}

/** Whether a person typed the record of a pair, and it or the workout would get another time of day by the other pair. */
function givesAnotherTime({ one, entry, times: [ours, theirs] }: LogCandidate, rival: LogCandidate): boolean {
  if (entry.claimedBy !== undefined || (ours === undefined) === (theirs === undefined)) return false;
  return rival.one === one ? rival.times[1] !== theirs : rival.times[0] !== ours;
}

type ViewOfDay = View & { readonly one: number; readonly keys: readonly string[] };

async function candidatesOfDay(
  workouts: readonly OpenWorkout[],
  context: ComparisonContext,
): Promise<readonly LogCandidate[]> {
  const views = workouts.flatMap((workout, one) =>
    workout.views.map((view): ViewOfDay => ({ ...view, one, keys: workout.keys })),
  );
  const places = new Map<string, number>();
  const best = new Map<string, LogCandidate>();
  for (const [activityID, some] of Map.groupBy(views, (view) => view.activityID)) {
    const records = await recordsNear(some, activityID, context);
    for await (const { view, record, ...pair } of pairsAmong(some, records, context)) {
      const other = places.get(record.id) ?? places.size;
      places.set(record.id, other);
      const name = `${view.one} ${other}`;
      if (pair.score > (best.get(name)?.score ?? 0)) best.set(name, { one: view.one, other, entry: record, ...pair });
    }
  }
  return [...best.values()];
}

/** The free records of the log around the days of some workouts. */
async function recordsNear(views: readonly ViewOfDay[], activityID: number, { journal }: ComparisonContext) {
  const records = new Map<string, RecordOfDay>();
  for (const ofDay of Map.groupBy(views, ({ facts }) => facts.date).values()) {
    const instant = ofDay.find(({ facts }) => facts.instant !== undefined)?.facts.instant;
    for (const { line, facts } of ofDay.slice(0, 1))
      for (const entry of await journal.logCandidates(line.run, { ...facts, instant }, activityID))
        if (entry.facts !== undefined) records.set(entry.id, { ...entry, facts: entry.facts });
  }
  return [...records.values()];
}

async function* pairsAmong(
  views: readonly ViewOfDay[],
  records: readonly RecordOfDay[],
  context: ComparisonContext,
): AsyncGenerator<{ readonly view: ViewOfDay; readonly record: RecordOfDay } & Judged> {
  const isCrowded = views.length > MOST_OF_DAY && records.length > MOST_OF_DAY;
  const near = isCrowded ? equalRecords(records) : () => records;
  const byId = new Map(records.map((record) => [record.id, record]));
  const areOneWorkout = new Set(views.map(({ one }) => one)).size === 1;
  for (const view of views) {
    const itself = byId.get(idInKey(view.line) ?? "");
    const times = (record: RecordOfDay) => [view.facts.time, record.facts.time] as const;
    if (itself !== undefined) {
      yield { view, record: itself, likeness: undefined, score: SAME_ID, times: times(itself) };
      continue;
    }
    const areOnly = areOneWorkout && records.filter(({ facts }) => facts.date === view.facts.date).length === 1;
    for (const record of near(view)) {
      const likeness = await judged(view, record, areOnly, context);
      if (likeness !== undefined)
        yield { view, record, likeness, score: likeness.score - CLOSENESS * howFar(likeness), times: times(record) };
    }
  }
}

/** @returns undefined when the two are surely two workouts */
async function judged(
  { line, facts, keys }: ViewOfDay,
  record: RecordOfDay,
  areOnly: boolean,
  context: ComparisonContext,
) {
  const { journal, isOfLog, settings, steps } = context;
  const pairs = settings.manualDecisions?.pairs;
  if (keys.some((key) => pairs?.areTwoInLog(key, record) === true)) return undefined;
  // The log gives only the number of an activity, which is the same.
  const theirs = { ...record.facts, activity: facts.activity };
  const isUntimed = facts.time === undefined || theirs.time === undefined;
  const bonus = areOnly && isUntimed && facts.date === theirs.date ? WEIGHTS.onlyOnesOfDay : 0;
  const rounded = steps && ([await steps.ofWorkout(line, facts), await steps.ofRecord(record)] as const);
  const known = { bonus, ...defined({ steps: rounded }) };
  const likeness = await compareWithRecord(facts, { id: record.id, facts: theirs }, known, { run: line.run, journal });
  if (verdictOf(likeness.score) === "two") return undefined;
  // A log itself keeps its workouts apart. So does a table: what looks like an edited row is judged by itself.
  const isKeptApart = async () => isOfLog?.(line.source) === true || (await isOfSameTable(line, record, journal));
  if (matchDuplicates(facts, theirs) === undefined && (await isKeptApart())) return undefined;
  return (await isOfAnotherRow(line, record, context)) ? undefined : likeness;
}

/** How far the values of a pair are apart, from 0 to below 1. */
function howFar({ differences: { secondsApart = 0, distanceApart = 0, durationApart } }: Likeness): number {
  return secondsApart / 1_000 + distanceApart + (durationApart?.share ?? 0);
}
