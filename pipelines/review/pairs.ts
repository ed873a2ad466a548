/** The pairs of workouts of the newest plan that may be one, for a person who decides about them, and the answers so far. */
import { weightsOfFields } from "../../transforms/matching/likeness.ts";
import { at } from "../../transforms/merge/at-path.ts";
import { defined } from "../../transforms/model/defined.ts";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import { convert, roundMeasure } from "../../transforms/units.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { LineState, WorkoutLine } from "../journal/line.ts";
import type { AnsweredRecord, FoundPair, PairAnswer } from "../journal/links.ts";
import type { ClaimedEntry } from "../journal/remote-record.ts";
import { placeOfSource, type Run } from "../journal/run.ts";
import { isShortId, longId, shortId } from "../journal/short-id.ts";
import { CHOOSABLE, comparedValues } from "../plan/pairs/pair-answers.ts";
import { idOfKeyInLog, keyInLog, lastWorkout, originInLog, valuesInLog } from "../plan/pairs/record-in-log.ts";
import { nameEquipment } from "../report/name-equipment.ts";
import { recordsNamed } from "./explain.ts";

/** A field of the two sides of a pair. */
export interface ComparedField {
  readonly field: string;
  /** Undefined where a side has no value. */
  readonly left: unknown;
  readonly right: unknown;
  readonly differs: boolean;
  /** What the pieces are called whose keys the two sides have. */
  readonly names?: ReadonlyMap<string, string>;
}

/** What speaks for or against one workout. */
export interface Weight {
  readonly of: "start" | "distance" | "duration" | "heart rate" | "archives";
  /** Bits of evidence (see `likeness.ts`). */
  readonly weight: number;
}

/** One record of a pair: a workout of the plan, or one of the log that the plan lacks. */
export type ReviewedSide = Pick<WorkoutLine, "key" | "origin" | "value"> &
  Partial<Pick<WorkoutLine, "run" | "source" | "seq" | "state" | "remoteId">> & {
    /** The log's record, with the values of its listing. Undefined for a workout of the plan. */
    readonly entry?: ClaimedEntry;
  };

/** A pair of records, for a person. */
export interface ReviewedPair {
  /** The name to type: `5f3a2c+9b1d00`. */
  readonly id: string;
  readonly left: ReviewedSide;
  /** Of a pair with the log: the log's record. */
  readonly right: ReviewedSide;
  /** The fields that a side has. */
  readonly fields: readonly ComparedField[];
  /** Undefined for a pair that was not scored: a person named its records, or a plan of another command scored it. */
  readonly found: FoundPair | undefined;
  readonly weights: readonly Weight[];
  readonly answer: PairAnswer | undefined;
  /** Pairs of the same sources with the same weights are alike. */
  readonly kind: string;
}

/** The name of a pair. */
export function pairId(left: string, right: string): string {
  return `${shortId(left)}+${shortId(right)}`;
}

/** States of a workout that no other one stands for, and that a log may get or has. */
const STAYING: readonly (LineState | undefined)[] = ["planned", "done", "unchanged", undefined];

/**
 * The pairs of a plan to decide about: the doubtful ones, the likeliest first, and then those that were done at one time. With `answered` also those that a person decided about, which come last. */
export async function findPairs(
  journal: JournalReader,
  run: Run,
  { answered = false }: { readonly answered?: boolean } = {},
): Promise<readonly ReviewedPair[]> {
  const answers = await journal.links.answers();
  const answerOf = (one: string, other: string) =>
    answers.find(({ records }) => records.every(({ key }) => key === one || key === other));
  const found = await journal.links.pairs(run.id);
  const open = found.filter(
    ({ one, other, verdict, isSameTime = false, parts: [first = one] = [] }) =>
      // One answer is about all parts.
      (verdict === "doubtful" || isSameTime) && answerOf(one, other) === undefined && [one, other].includes(first),
  );
  const wanted: (readonly [string, string])[] = open
    .toSorted((a, b) => Number(a.isSameTime === true) - Number(b.isSameTime === true) || likeliestFirst(a, b))
    .map(({ one, other }) => [one, other] as const);
  if (answered) wanted.push(...answers.map(({ records }) => [records[0].key, records[1].key] as const));
  const pairs: ReviewedPair[] = [];
  for (const keys of wanted) {
    const pair = await readPair(journal, run, keys);
    const isGone =
      pair?.found?.isSameTime === true && [pair.left, pair.right].some(({ state }) => !STAYING.includes(state));
    if (pair !== undefined && !(isGone && pair.answer === undefined)) pairs.push(pair);
  }
  return pairs;
}

/** Two scores may both be infinite. */
function likeliestFirst(a: FoundPair, b: FoundPair): number {
  return a.score === b.score ? 0 : a.score > b.score ? -1 : 1;
}

/** A pair of two records of a plan, or of one and a record of the log; undefined when one of them is in neither. */
export async function readPair(
  journal: JournalReader,
  run: Run,
  [one, other]: readonly [string, string],
): Promise<ReviewedPair | undefined> {
  const sides = await sidesOf(journal, run, [one, other]);
  if (sides === undefined) return undefined;
  const [left, right] = sides;
  const found = (await journal.links.pairs(run.id, left.key)).find((pair) =>
    [pair.one, pair.other].includes(right.key),
  );
  const answer = (await journal.links.answers()).find(({ records }) =>
    records.every(({ key }) => key === left.key || key === right.key),
  );
  const weights = found === undefined ? [] : weightsOf(found);
  return {
    id: pairId(left.key, right.key),
    ...{ left, right, fields: await withNames(fieldsOf(left, right), journal, run) },
    ...{ found, answer, weights },
    // Two at one time are like no other pair: nothing is weighed.
    kind: JSON.stringify([left.source, right.source, found?.isSameTime ? pairId(left.key, right.key) : weights]),
  };
}

/** The two sides, in the order of the sources. The log's record comes last. */
async function sidesOf(
  journal: JournalReader,
  run: Run,
  keys: readonly [string, string],
): Promise<readonly [ReviewedSide, ReviewedSide] | undefined> {
  const [a, b] = [await journal.lineWithKey(run.id, keys[0]), await journal.lineWithKey(run.id, keys[1])];
  const own = async (line: WorkoutLine): Promise<WorkoutLine> => {
    const value = (await journal.links.ownValue(line.run, line.seq)) ?? line.value;
    const { start } = line.value;
    // A workout is shown by the start that it gets, and that is not the one of its source where its clock is off.
    return { ...line, value: start.clockSet === undefined ? value : { ...value, start } };
  };
  if (a?.kind === "workout" && b?.kind === "workout") {
    const [left, right] = a.source < b.source || (a.source === b.source && a.seq < b.seq) ? [a, b] : [b, a];
    return [await own(left), await own(right)];
  }
  const [line, key] = a === undefined ? [b, keys[0]] : [a, keys[1]];
  if (line?.kind !== "workout" || (a !== undefined && b !== undefined)) return undefined;
  const left = await own(line);
  const entry = await entryWithKey(journal, run, left.key, key);
  return entry === undefined ? undefined : [left, sideInLog(key, entry, left, run)];
}

/** The record of the log that a pair or an answer about a workout names by a key. */
async function entryWithKey(journal: JournalReader, run: Run, own: string, key: string) {
  const found = (await journal.links.pairs(run.id, own)).find(({ other }) => other === key);
  const answered = (await journal.links.answers())
    .flatMap(({ records }) => (records.some((record) => record.key === own) ? records : []))
    .find((record) => record.key === key);
  const isAnswered = answered !== undefined && answered.inLog === undefined;
  const loaded = isAnswered ? (await journal.remoteRecord(key))?.remoteId : undefined;
  const id =
    found?.inLog ?? answered?.inLog ?? loaded ?? idOfKeyInLog(key) ?? (await journal.remoteRecord(key))?.remoteId;
  return id === undefined ? undefined : await journal.logEntry("workout", id);
}

function sideInLog(key: string, entry: ClaimedEntry, { value }: WorkoutLine, { options }: Run): ReviewedSide {
  const { date, time, metres, seconds } = entry.facts ?? {};
  const isSameSport = value.activity !== undefined && options.activityIDs[value.activity] === entry.activityID;
  const unit = value.distance?.unit ?? "km";
  const distance =
    metres === undefined
      ? undefined
      : roundMeasure("distance", convert("distance", { unit: "m", value: metres }, unit));
  const values = defined({ activity: isSameSport ? value.activity : undefined, distance, duration: seconds });
  const { id } = entry;
  return { key, origin: originInLog(id), entry, remoteId: id, value: { start: defined({ date, time }), ...values } };
}

/** The fields that a listing of the log shows. Of the others nobody knows whether the log has them. */
const LISTED: ReadonlySet<string> = new Set(["sport", "start", "distance", "duration"]);

function fieldsOf(one: ReviewedSide, other: ReviewedSide): readonly ComparedField[] {
  const ofLog = other.entry !== undefined;
  return CHOOSABLE.filter(([field]) => !ofLog || LISTED.has(field)).flatMap(([field, path]) => {
    const values = [one, other].map(({ value }) => at(value, path));
    // The log knows nothing of where a source has its time from.
    const [left, right] = ofLog && field === "start" ? values.map(shownStart) : values;
    if (left === undefined && right === undefined) return [];
    // Two starts of one day and time are shown alike, wherever each has it from.
    const [ours, theirs] = field === "start" ? [dayAndTime(left), dayAndTime(right)] : [left ?? null, right ?? null];
    return [{ field, left, right, differs: canonicalJson(ours) !== canonicalJson(theirs) }];
  });
}

/** Adds the names of shoes and bikes, which a workout has by their keys. */
async function withNames(
  fields: readonly ComparedField[],
  journal: JournalReader,
  run: Run,
): Promise<readonly ComparedField[]> {
  const equipment = fields.find(({ field }) => field === "equipment");
  if (equipment === undefined) return fields;
  const names = new Map<string, string>();
  for (const key of [equipment.left, equipment.right].flat().map(String)) {
    const line = await journal.lineWithKey(run.id, key);
    if (line?.kind === "equipment") names.set(key, nameEquipment(line.value));
  }
  // A piece that two sources have is one in the log, and has one name.
  const shown = (keys: unknown) => canonicalJson([keys].flat().map((key) => names.get(String(key)) ?? key ?? null));
  const differs = equipment.differs && shown(equipment.left) !== shown(equipment.right);
  return fields.map((each) => (each === equipment ? { ...each, names, differs } : each));
}

function shownStart(start: unknown): unknown {
  const { date, time, clockSet } = (start ?? {}) as WorkoutLine["value"]["start"];
  return defined({ date, time, clockSet });
}

function dayAndTime(start: unknown): unknown {
  const { date, time } = (start ?? {}) as WorkoutLine["value"]["start"];
  return defined({ date, time });
}

/**
 * Whether a side's value of a field can be taken. A start without a time of day can't, where the other side has the time: the log reads that time from
 * the track once more, and perhaps in another zone.
 */
export function canTake({ field, left, right }: ComparedField, side: "left" | "right"): boolean {
  const [own, other] = side === "left" ? [left, right] : [right, left];
  const hasTime = (start: unknown) => (start as { readonly time?: string } | undefined)?.time !== undefined;
  return field !== "start" || hasTime(own) || !hasTime(other);
}

/** The parts of a score. A part without any weight says nothing. */
function weightsOf({ differences, score, parts }: FoundPair): readonly Weight[] {
  if (parts !== undefined || !Number.isFinite(score)) return [];
  const { start, distance, duration, heartRate } = weightsOfFields(differences);
  const weights: readonly Weight[] = [
    { of: "start", weight: start },
    { of: "distance", weight: distance },
    { of: "duration", weight: duration },
    { of: "heart rate", weight: heartRate },
    { of: "archives", weight: score - start - distance - duration - heartRate },
  ];
  return weights.filter(({ weight }) => weight !== 0);
}

/**
 * The records of a plan that a text names: two ids (`5f3a2c+9b1d00`), or two places (`watch.csv:2+phone.csv:2`).
 *
 * @returns their keys; or a sentence about the problem
 */
export async function keysOfPair(
  journal: JournalReader,
  run: Run,
  text: string,
): Promise<{ readonly keys: readonly [string, string] } | { readonly error: string }> {
  let error: string | undefined;
  for (let plus = text.indexOf("+"); plus >= 0; plus = text.indexOf("+", plus + 1)) {
    const sides: string[] = [];
    for (const word of [text.slice(0, plus), text.slice(plus + 1)]) {
      const keys = await keysNamed(journal, run, word.trim());
      const [key] = keys;
      if (keys.length === 1 && key !== undefined) sides.push(key);
      else
        error ??= `${JSON.stringify(word.trim())} names ${keys.length === 0 ? "no workout" : `${keys.length} workouts`}`;
    }
    const [one, other] = sides;
    if (one === undefined || other === undefined) continue;
    if (one === other) return { error: "both sides name the same record" };
    if ((await sidesOf(journal, run, [one, other])) !== undefined) return { keys: [one, other] };
    for (const key of [one, other])
      if ((await journal.lineWithKey(run.id, key)) === undefined)
        return { error: `${shortId(key)} is not in run ${run.id}, the newest plan` };
    return { keys: [one, other] };
  }
  return { error: error ?? "expected two records with a + between them, such as 5f3a2c+9b1d00" };
}

/** The keys of the workouts that a word names: those of sources, else those of the log that a pair or an answer is about. */
async function keysNamed(journal: JournalReader, run: Run, word: string): Promise<readonly string[]> {
  const lines = (await recordsNamed(journal, word)).filter(({ kind }) => kind === "workout");
  if ((await journal.logEntry("workout", word)) !== undefined) return [await keyOfLogId(journal, word, lines)];
  if (lines.length > 0) return lines.map(({ key }) => key);
  const inLog = [
    ...(await journal.links.pairs(run.id)).map(({ other: key, inLog: id }) => ({ key, id })),
    ...(await journal.links.answers()).flatMap(({ records }) => records.map(({ key, inLog: id }) => ({ key, id }))),
  ].filter(({ key, id }) => id !== undefined && (id === word || (isShortId(word) && longId(key).startsWith(word))));
  return [...new Set(inLog.map(({ key }) => key))];
}

/** The key of a record that a person names by its id in the log: that of the record it was loaded for, where this journal loaded it. */
async function keyOfLogId(journal: JournalReader, id: string, lines: readonly { readonly key: string }[]) {
  for (const { key } of lines) if ((await journal.remoteRecord(key))?.remoteId === id) return key;
  return keyInLog(id);
}

/** A person's decision about a pair. */
export interface Decision {
  readonly answer: PairAnswer["answer"];
  /** The fields whose value is not chosen by the usual rules, with the side that has it. */
  readonly take?: Readonly<Record<string, "left" | "right">>;
}

/** Whether a person can choose the value of each field: not where one of the two is a part of the other one, nor of a record of the log. */
export function canChoose({ found, right }: Pick<ReviewedPair, "found" | "right">): boolean {
  return found?.parts === undefined && right.entry === undefined;
}

/** Why a person can't choose fields of such a pair, for people. */
export function whyNoChoice({ right }: Pick<ReviewedPair, "right">): string {
  return right.entry === undefined
    ? "one of the two is a part of the other one"
    : "one of the two is in your log, which keeps its values";
}

/** Keeps an answer about a pair of a plan. It says nothing about the plan itself: `amendPlan` changes that. */
export async function keepDecision(
  journal: Journal,
  run: Run,
  { pair, decision, at: when }: { readonly pair: ReviewedPair; readonly decision: Decision; readonly at: number },
): Promise<PairAnswer> {
  const { left, right, found } = pair;
  const recordOf = async ({ entry, ...side }: ReviewedSide): Promise<AnsweredRecord> => {
    if (entry !== undefined && side.key === keyInLog(entry.id))
      return { key: side.key, origin: side.origin, place: "", values: valuesInLog(entry), inLog: entry.id };
    const line = (await journal.lineWithKey(run.id, side.key)) ?? (await lastWorkout(side.key, journal));
    if (line === undefined) throw new Error(`Cannot keep an answer about ${side.key}: the journal lacks it`);
    const { key, origin, source, seq } = line;
    const { asRead } = await journal.auditTrail.details(line.run, seq);
    const from = (await journal.run(line.run))?.sources[source];
    return {
      ...{ key, origin, place: from === undefined ? "" : placeOfSource(from), values: comparedValues(asRead) },
      ...(found?.parts !== undefined && { isOfParts: true as const }),
    };
  };
  const take = Object.fromEntries(
    Object.entries(decision.take ?? {}).map(([field, side]) => [field, side === "left" ? left.key : right.key]),
  );
  const records = [await recordOf(left), await recordOf(right)] as const;
  const answer: PairAnswer = { records, answer: decision.answer, take, at: when };
  await journal.links.keepAnswer(answer);
  return answer;
}
