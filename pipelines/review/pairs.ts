/** The pairs of workouts of the newest plan that may be one, for a person who decides about them, and the answers so far. */
import { scoreOf } from "../../transforms/matching/likeness.ts";
import { at, type Body } from "../../transforms/merge/at-path.ts";
import { canonicalJson } from "../../transforms/text/canonical.ts";
import type { Journal, JournalReader } from "../journal/journal.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { AnsweredRecord, FoundPair, PairAnswer } from "../journal/links.ts";
import { placeOfSource, type Run } from "../journal/run.ts";
import { shortId } from "../journal/short-id.ts";
import { CHOOSABLE, comparedValues } from "../plan/pair-answers.ts";
import { recordsNamed } from "./explain.ts";

/** A field of the two sides of a pair. */
export interface ComparedField {
  readonly field: string;
  /** Undefined where a side has no value. */
  readonly left: unknown;
  readonly right: unknown;
  readonly differs: boolean;
}

/** What speaks for or against one workout. */
export interface Weight {
  readonly of: "start" | "distance" | "duration" | "archives";
  /** Bits of evidence (see `likeness.ts`). */
  readonly weight: number;
}

/** A pair of records, for a person. */
export interface ReviewedPair {
  /** The name to type: `5f3a2c+9b1d00`. */
  readonly id: string;
  readonly left: WorkoutLine;
  readonly right: WorkoutLine;
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

/** The doubtful pairs of a plan, the likeliest first. With `answered` also those that a person decided about, which come last. */
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
    ({ one, other, verdict, parts: [first = one] = [] }) =>
      // One answer is about all parts.
      verdict === "doubtful" && answerOf(one, other) === undefined && [one, other].includes(first),
  );
  const wanted: (readonly [string, string])[] = open
    .toSorted((a, b) => b.score - a.score)
    .map(({ one, other }) => [one, other] as const);
  if (answered) wanted.push(...answers.map(({ records }) => [records[0].key, records[1].key] as const));
  const pairs: ReviewedPair[] = [];
  for (const keys of wanted) {
    const pair = await readPair(journal, run, keys);
    if (pair !== undefined) pairs.push(pair);
  }
  return pairs;
}

/** A pair of two records of a plan; undefined when the plan lacks one of them. */
export async function readPair(
  journal: JournalReader,
  run: Run,
  [one, other]: readonly [string, string],
): Promise<ReviewedPair | undefined> {
  const [a, b] = [await journal.lineWithKey(run.id, one), await journal.lineWithKey(run.id, other)];
  if (a?.kind !== "workout" || b?.kind !== "workout") return undefined;
  const [left, right] = a.source < b.source || (a.source === b.source && a.seq < b.seq) ? [a, b] : [b, a];
  const own = async (line: WorkoutLine): Promise<WorkoutLine> => ({
    ...line,
    value: (await journal.links.ownValue(line.run, line.seq)) ?? line.value,
  });
  const [leftAlone, rightAlone] = [await own(left), await own(right)];
  const found = (await journal.links.pairs(run.id, left.key)).find((pair) =>
    [pair.one, pair.other].includes(right.key),
  );
  const answer = (await journal.links.answers()).find(({ records }) =>
    records.every(({ key }) => key === left.key || key === right.key),
  );
  const weights = found === undefined ? [] : weightsOf(found);
  return {
    id: pairId(left.key, right.key),
    left: leftAlone,
    right: rightAlone,
    fields: fieldsOf(leftAlone, rightAlone),
    ...{ found, answer, weights },
    kind: JSON.stringify([left.source, right.source, weights]),
  };
}

function fieldsOf(one: WorkoutLine, other: WorkoutLine): readonly ComparedField[] {
  return CHOOSABLE.flatMap(([field, path]) => {
    const [left, right] = [one, other].map(({ value }) => at(value as unknown as Body, path));
    if (left === undefined && right === undefined) return [];
    return [{ field, left, right, differs: canonicalJson(left ?? null) !== canonicalJson(right ?? null) }];
  });
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
  if (parts !== undefined) return [];
  const none = { distanceApart: undefined, durationApart: undefined, measured: 1 };
  const start = scoreOf({ ...none, secondsApart: differences.secondsApart });
  const distance = scoreOf({ ...differences, durationApart: undefined }) - start;
  const all = scoreOf(differences);
  const weights: readonly Weight[] = [
    { of: "start", weight: start },
    { of: "distance", weight: distance },
    { of: "duration", weight: all - start - distance },
    { of: "archives", weight: score - all },
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
      const lines = (await recordsNamed(journal, word.trim())).filter(({ kind }) => kind === "workout");
      const [line] = lines;
      if (lines.length === 1 && line !== undefined) sides.push(line.key);
      else
        error ??= `${JSON.stringify(word.trim())} names ${lines.length === 0 ? "no workout" : `${lines.length} workouts`}`;
    }
    const [one, other] = sides;
    if (one === undefined || other === undefined) continue;
    if (one === other) return { error: "both sides name the same record" };
    for (const key of [one, other])
      if ((await journal.lineWithKey(run.id, key)) === undefined)
        return { error: `${shortId(key)} is not in run ${run.id}, the newest plan` };
    return { keys: [one, other] };
  }
  return { error: error ?? "expected two records with a + between them, such as 5f3a2c+9b1d00" };
}

/** A person's decision about a pair. */
export interface Decision {
  readonly answer: PairAnswer["answer"];
  /** The fields whose value is not chosen by the usual rules, with the side that has it. */
  readonly take?: Readonly<Record<string, "left" | "right">>;
}

/** Keeps an answer about a pair of a plan. It says nothing about the plan itself: `amendPlan` changes that. */
export async function keepDecision(
  journal: Journal,
  run: Run,
  { pair, decision, at: when }: { readonly pair: ReviewedPair; readonly decision: Decision; readonly at: number },
): Promise<PairAnswer> {
  const { left, right, found } = pair;
  const recordOf = async ({ key, origin, source, seq }: WorkoutLine): Promise<AnsweredRecord> => {
    const { asRead } = await journal.auditTrail.details(run.id, seq);
    const from = run.sources[source];
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
