/** Pairs of workouts for the page of decisions: those that may be one, and merged duplicates side by side. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { FoundPair } from "../../pipelines/journal/links.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import {
  type ComparedField,
  canChoose,
  canTake,
  findPairs,
  type ReviewedPair,
  readPair,
} from "../../pipelines/review/pairs.ts";
import { LEAST_SCORE } from "../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { clockSentence, describeGiven, describeSide } from "../printing/print-pairs.ts";
import { many } from "../terminal/output.ts";
import { type Doubt, type DoubtButton, type DoubtGroup, type GroupView, type Shown, shownOf } from "./doubt.ts";
import { workoutTitle } from "./workout-title.ts";

/** The doubtful pairs, the decided ones, and the merged ones with the least likely first. */
export async function pairGroups(
  journal: JournalReader,
  run: Run,
  view: GroupView | undefined,
): Promise<readonly DoubtGroup[]> {
  const reviewed = await findPairs(journal, run, { answered: true });
  const open = reviewed.filter(({ answer }) => answer === undefined);
  const { overlaps = [], doubtful = [] } = Object.groupBy(open, ({ found }) =>
    found?.isSameTime ? "overlaps" : "doubtful",
  );
  const answered = reviewed.filter(({ answer }) => answer !== undefined);
  const known = new Set(answered.map(({ left, right }) => keysOf(left.key, right.key)));
  const merged = (await journal.links.pairs(run.id))
    .filter((pair) => isShownOnce(pair) && pair.verdict === "one" && !known.has(keysOf(pair.one, pair.other)))
    .toSorted((a, b) => a.score - b.score);
  const group = (name: string, pairs: readonly ReviewedPair[], words: Words) => {
    const id = `pairs-${name}`;
    const shown = shownOf(id, pairs.length, "pair", view);
    return groupOf(id, pairs.length, { shown, pairs: pairs.slice(shown.from, shown.until), words });
  };
  return [
    group("doubtful", doubtful, {
      title: "may be one workout",
      text: "Each stays two workouts until you decide.",
    }),
    group("same-time", overlaps, {
      title: "done at the same time",
      text: "They are too different for one workout, or stand in one source. Nobody does a sport twice at once, so one of the two may be a part or a copy of the other. Each stays two until you decide.",
    }),
    group("answered", answered, {
      title: "decided by you",
      text: "A decision counts from the next rehearsal on.",
    }),
    await mergedGroup(journal, run, merged, view),
  ].filter(({ doubts }) => doubts.length > 0);
}

/** The merged pairs. Only those that the page shows are read. */
async function mergedGroup(
  journal: JournalReader,
  run: Run,
  merged: readonly FoundPair[],
  view: GroupView | undefined,
): Promise<DoubtGroup> {
  const id = "pairs-merged";
  const shown = shownOf(id, merged.length, "pair", view);
  const pairs: ReviewedPair[] = [];
  for (const { one, other } of merged.slice(shown.from, shown.until)) {
    const pair = await readPair(journal, run, [one, other]);
    if (pair !== undefined) pairs.push(pair);
  }
  const words = {
    title: "counted as one workout",
    text: "Each is in this log once. The values that differ are shown side by side; the least certain pairs come first.",
  };
  return groupOf(id, merged.length, { shown, pairs, words });
}

interface Words {
  readonly title: string;
  readonly text: string;
}

/** A group with the pairs that are shown. */
function groupOf(
  id: string,
  all: number,
  {
    shown,
    pairs,
    words: { title, text },
  }: { readonly shown: Shown; readonly pairs: readonly ReviewedPair[]; readonly words: Words },
): DoubtGroup {
  const { more, pages = [] } = shown;
  return { id, title: `${many(all, "pair")} ${title}`, text, buttons: [], doubts: pairs.map(toDoubt), more, pages };
}

/** Why a pair with a low score is one all the same. */
const BY_OTHERS = "They count as one because of --doubtful one, or because each of them is one with a third record.";

function toDoubt(pair: ReviewedPair): Doubt {
  const { id, left, right, fields, found, answer } = pair;
  const isByOthers = answer === undefined && found?.verdict === "one" && found.score < LEAST_SCORE.one;
  const score =
    found === undefined || found.isSameTime
      ? ""
      : `Score ${found.score}; ${LEAST_SCORE.one} is enough for one workout. ${isByOthers ? `${BY_OTHERS} ` : ""}${clockSentence(found)}`.trim();
  const rows = fields.map((field) => ({
    name: field.field,
    left: describeSide(field, "left"),
    right: describeSide(field, "right"),
    differs: field.differs,
  }));
  return {
    id: `pair-${id.replace("+", "-")}`,
    title: `${workoutTitle(left.value, left.origin)} and ${workoutTitle(right.value, right.origin)}`,
    text:
      found?.parts === undefined
        ? score
        : `${score} One of the two is a part of the other one: the decision is about all parts.`,
    sides: { left: describeOrigin(left.origin), right: describeOrigin(right.origin), rows },
    workoutId: left.remoteId ?? right.remoteId,
    ...(answer !== undefined && { decided: `${sentence(describeGiven(answer))}.` }),
    buttons: buttonsOf(pair),
  };
}

function buttonsOf(pair: ReviewedPair): readonly DoubtButton[] {
  const { id, found, answer, fields, left, right } = pair;
  const isOne = answer === undefined ? found?.verdict === "one" : answer.answer === "one";
  const taken = new Map(
    Object.entries(answer?.take ?? {}).map(([field, key]) => [field, key === left.key ? "left" : "right"] as const),
  );
  const takes = (field: ComparedField, side: "left" | "right"): DoubtButton[] => {
    if (!field.differs || field[side] === undefined || !canTake(field, side) || taken.get(field.field) === side)
      return [];
    const all = [...new Map([...taken, [field.field, side]])].map(([name, of]) => `${name}:${of}`);
    const source = describeOrigin((side === "left" ? left : right).origin);
    return [
      answerButton(`Take ${field.field} ${describeSide(field, side)} of ${source}`, `${id}=one,${all.join(",")}`),
    ];
  };
  return [
    // Also for a merged pair: to say that it is right makes room for the next one.
    ...(isOne && answer !== undefined ? [] : [answerButton("These are one", `${id}=one`)]),
    ...(isOne || answer === undefined ? [answerButton("These are two", `${id}=two`)] : []),
    ...(isOne && canChoose(pair) ? fields.flatMap((field) => [...takes(field, "left"), ...takes(field, "right")]) : []),
    ...(answer === undefined
      ? []
      : [{ label: "Take back", command: `plan review --forget ${id}`, action: { forget: id } }]),
  ];
}

function answerButton(label: string, answer: string): DoubtButton {
  return { label, command: `plan review --answer ${answer}`, action: { answer } };
}

/** One doubt is about all parts. */
function isShownOnce({ one, other, parts: [first = one] = [] }: FoundPair): boolean {
  return [one, other].includes(first);
}

function keysOf(one: string, other: string): string {
  return [one, other].toSorted().join(" ");
}

function sentence(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}
