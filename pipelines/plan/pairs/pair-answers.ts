/** A person's answers about pairs of records, as a plan obeys them: these two are one workout, these two are two. */
import { utcDay } from "../../../transforms/calendar.ts";
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import { canonicalJson } from "../../../transforms/text/canonical.ts";
import type { Journal } from "../../journal/journal.ts";
import type { AnsweredRecord, PairAnswer } from "../../journal/links.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import { placeOfSource, type RunSource } from "../../journal/run.ts";
import { TWICE_BY_ANSWER } from "../../journal/summary.ts";
import { keyInLog, originInLog, valuesInLog } from "./record-in-log.ts";

/** Most answers that a remark names. */
const MOST_NAMED = 6;

/** The values of a source that decide whether two records are one workout. */
const COMPARED = ["start", "sport", "distance", "duration"] as const;

/** The fields of a workout of which a person may choose one of two values: the name for people, and the path in the workout. */
export const CHOOSABLE: readonly (readonly [field: string, path: string])[] = [
  ["sport", "activity"],
  ["type", "type"],
  ["start", "start"],
  ["distance", "distance"],
  ["duration", "duration"],
  ["notes", "notes"],
  ["equipment", "equipment"],
  ["course", "course"],
  ["average-heart-rate", "health.avgHR"],
  ["maximum-heart-rate", "health.maxHR"],
  ["weight", "health.weight"],
  ["effort", "ratings.effort"],
  ["quality", "ratings.quality"],
  ["conditions", "weather.conditions"],
  ["temperature", "weather.temperature"],
];

/** The place of a record in its source, as one text to compare. */
export function placeInSource({ connector, entry, locator = "" }: Origin): string {
  return [connector, entry, locator].join("\n");
}

/** Answers, found by the keys of their records. */
export class PairAnswers {
  #all: readonly PairAnswer[] = [];
  readonly #twos = new Map<string, Set<string>>();
  /** The records that are apart from another one, by their places. */
  #apart: ReadonlyMap<string, readonly AnsweredRecord[]> = new Map();

  constructor(all: readonly PairAnswer[]) {
    this.replace(all);
  }

  /** All answers, oldest first. */
  get all(): readonly PairAnswer[] {
    return this.#all;
  }

  /** From now on these are the answers. */
  replace(all: readonly PairAnswer[]): void {
    this.#all = all;
    this.#twos.clear();
    const twos = all.filter(({ answer }) => answer === "two");
    for (const { records } of twos) this.#separate(records[0].key, records[1].key);
    this.#apart = Map.groupBy(
      twos.flatMap(({ records }) => records),
      ({ origin }) => placeInSource(origin),
    );
  }

  /** A record as it is read. If it is a row that was edited since its answer, it stays apart from what that row is apart from. */
  meet(key: string, origin: Origin, asRead: Readonly<Record<string, unknown>>): void {
    for (const record of this.#apart.get(placeInSource(origin)) ?? [])
      if (record.key !== key && record.origin.archive === origin.archive && changeOf(record, asRead) === undefined)
        for (const other of this.#twos.get(record.key) ?? []) this.#separate(key, other);
  }

  #separate(a: string, b: string): void {
    this.#twos.set(a, (this.#twos.get(a) ?? new Set()).add(b));
    this.#twos.set(b, (this.#twos.get(b) ?? new Set()).add(a));
  }

  /** Whether any two records are two workouts by a person's word. */
  get hasTwos(): boolean {
    return this.#twos.size > 0;
  }

  /** The answers that make two records one. */
  ones(): readonly PairAnswer[] {
    return this.all.filter(({ answer }) => answer === "one");
  }

  /** The answers that make a record one with another one. */
  onesOf(key: string): readonly PairAnswer[] {
    return this.ones().filter(({ records }) => records.some((record) => record.key === key));
  }

  /** Whether a person said that these two records are one workout. */
  areOne(a: string, b: string): boolean {
    return this.onesOf(a).some(({ records }) => records.some(({ key }) => key === b));
  }

  /** Whether a person said that these two records are two workouts. */
  areTwo(a: string, b: string | undefined): boolean {
    return b !== undefined && this.#twos.get(a)?.has(b) === true;
  }

  /** Whether a person said that a record and a record of the log are two workouts. An edit of the log's record since then ends that. */
  areTwoInLog(key: string, entry: ClaimedEntry): boolean {
    if (this.areTwo(key, entry.claimedBy)) return true;
    const inLog = keyInLog(entry.id);
    if (!this.areTwo(key, inLog)) return false;
    const said = this.#apart.get(placeInSource(originInLog(entry.id))) ?? [];
    return said.some((record) => record.key === inLog && changeOf(record, valuesInLog(entry)) === undefined);
  }

  /** The records that a record is apart from by a person's word. */
  apartFrom(key: string): readonly string[] {
    return [...(this.#twos.get(key) ?? [])];
  }

  /** Whether a person said of a record that it and another one are two workouts. */
  isApart(key: string): boolean {
    return this.#twos.has(key);
  }

  /** Whether a record of one group and one of another are two workouts. */
  separate(group: Iterable<string>, other: ReadonlySet<string>): boolean {
    if (this.#twos.size === 0) return false;
    for (const key of group) for (const two of this.#twos.get(key) ?? []) if (other.has(two)) return true;
    return false;
  }
}

/** Whether an answer is about a workout and one of its parts. It stands for all parts then. */
export function isOfParts({ records }: PairAnswer): boolean {
  return records.some(({ isOfParts = false }) => isOfParts);
}

/** No answers. */
export const NO_ANSWERS = new PairAnswers([]);

/** The values of a record that an answer keeps. A change of them makes it another record. */
export function comparedValues(asRead: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(COMPARED.flatMap((name) => (asRead[name] === undefined ? [] : [[name, asRead[name]]])));
}

/** An answer that a plan doesn't obey, and why. */
export interface UnusedAnswer {
  readonly answer: PairAnswer;
  readonly why: string;
}

/**
 * Sorts the answers of a journal: those that fit the records of a run, and those whose records changed or vanished. An answer about records of other
 * sources is neither.
 */
export async function sortAnswers(
  run: number,
  { journal, sources, all }: { journal: Journal; sources: readonly RunSource[]; all: readonly PairAnswer[] },
): Promise<{ readonly usable: readonly PairAnswer[]; readonly unused: readonly UnusedAnswer[] }> {
  const usable: PairAnswer[] = [];
  const unused: UnusedAnswer[] = [];
  const retries = (await journal.run(run))?.options.retryOf !== undefined;
  const places = new Set(sources.map(placeOfSource));
  for (const answer of all) {
    const problems: (string | undefined)[] = [];
    let isThere = true;
    for (const record of answer.records) {
      const line = await journal.lineWithKey(run, record.key);
      if (line === undefined) isThere = false;
      // A retry reads single records, so all others seem to be gone.
      if (line === undefined && places.has(record.place) && !retries)
        problems.push(`${describeOrigin(record.origin)} changed, or is no longer in its source`);
      if (line !== undefined) problems.push(changeOf(record, (await journal.auditTrail.details(run, line.seq)).asRead));
    }
    const why = problems.find((problem) => problem !== undefined);
    if (why !== undefined) unused.push({ answer, why });
    else if (isThere) usable.push(answer);
  }
  return { usable, unused };
}

/** What changed in a record since its answer; undefined when nothing did, or when the plan doesn't know. */
export function changeOf(
  { values, origin }: AnsweredRecord,
  asRead: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  if (asRead === undefined) return undefined;
  const now = comparedValues(asRead);
  const changed = COMPARED.find((name) => canonicalJson(now[name]) !== canonicalJson(values[name]));
  return changed === undefined ? undefined : `${describeOrigin(origin)} has another ${changed} now`;
}

/** An answer in words: `a.csv line 2 and b.csv line 2 are one workout (2026-05-01)`. */
export function describeAnswer({ records: [one, other], answer, at }: PairAnswer): string {
  const are = answer === "one" ? "one workout" : "two workouts";
  return `${describeOrigin(one.origin)} and ${describeOrigin(other.origin)} are ${are} (${utcDay(at)})`;
}

/** Why an answer joins nothing whose two records were loaded both: a log can't delete. */
export const BOTH_IN_LOG =
  "both are in your log, and a log can delete nothing. Delete one of them there, or answer that they are two";

/** The remarks about answers that a plan doesn't obey. Those by which your log has a workout twice are a remark of their own. */
export function unusedIssues(unused: readonly UnusedAnswer[]): readonly Issue[] {
  const isTwice = ({ why }: UnusedAnswer) => why === BOTH_IN_LOG;
  const twice = unused.filter(isTwice);
  const others = unused.filter((one) => !isTwice(one));
  const issues: Issue[] = [];
  if (twice.length > 0)
    issues.push({
      severity: "warning",
      rule: TWICE_BY_ANSWER,
      count: twice.length,
      found: named(twice, ({ answer }) => describeAnswer(answer)),
      expected: `one of each in your log: ${BOTH_IN_LOG}, with logferry plan review`,
    });
  if (others.length > 0)
    issues.push({
      severity: "warning",
      rule: "plan/answers-not-used",
      found: named(others, ({ answer, why }) => `${describeAnswer(answer)}: ${why}`),
      expected: "records as they were when you answered: answer again, or forget the answer, with logferry plan review",
    });
  return issues;
}

function named(unused: readonly UnusedAnswer[], sentence: (one: UnusedAnswer) => string): string {
  const rest = unused.length > MOST_NAMED ? [`and ${unused.length - MOST_NAMED} more`] : [];
  return [...unused.slice(0, MOST_NAMED).map(sentence), ...rest].join("; ");
}
