/** Names the workouts that are perhaps the parts of another one. */
import { factsInWords } from "../../transforms/matching/describe-likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { FoundPair } from "../journal/links.ts";
import type { ComparisonContext } from "./comparison.ts";
import { numbersOf, sumOf, type WholeAndParts } from "./describe-split.ts";
import type { LinkedWorkout } from "./linked-workout.ts";
import type { Split } from "./split-recordings.ts";
import { LINK_RULES } from "./tell-links.ts";

/** Most of them that a remark names. */
const MOST_SENTENCES = 6;

/** The rules of the remarks, each with the way to decide. */
const DECIDE_BY = {
  [LINK_RULES.splits]: "decide with logferry plan review, or count each as one with --doubtful one",
  "plan/split-in-log": "if it is one, plan again with --doubtful one",
} as const;

/** Names workouts of one source that are perhaps the parts of one of another source, the likeliest first. */
export async function tellSplits(splits: readonly Split[], context: ComparisonContext): Promise<void> {
  const named = splits.map((split) => ({
    ...{ split, whole: describeOrigin(split.whole.origin) },
    parts: split.parts.map(({ origin }) => describeOrigin(origin)),
  }));
  await remarkSplits(LINK_RULES.splits, named, context);
}

/** A workout and its parts, with their places. */
export interface NamedSplit {
  readonly split: WholeAndParts;
  readonly whole: string;
  readonly parts: readonly string[];
}

/** Makes the remark of a rule. */
export async function remarkSplits(
  rule: keyof typeof DECIDE_BY,
  splits: readonly NamedSplit[],
  { report }: Pick<ComparisonContext, "report">,
): Promise<void> {
  if (splits.length === 0) return;
  const sentences = splits
    .toSorted((a, b) => b.split.score - a.split.score || (a.whole < b.whole ? -1 : 1))
    .slice(0, MOST_SENTENCES)
    .map(sentenceOf);
  const rest = splits.length - sentences.length;
  if (rest > 0) sentences.push(`and ${rest} more`);
  await report({
    severity: "warning",
    rule,
    found: `perhaps one workout in parts: ${sentences.join("; ")}`,
    expected: `a workout that is there once: the whole and its parts all stay; ${DECIDE_BY[rule]}`,
  });
}

function sentenceOf({ split, whole, parts }: NamedSplit): string {
  const [last = "", ...others] = parts.toReversed();
  const start = factsInWords({ ...split.whole.facts, metres: undefined });
  return `${whole} (${start}) and ${others.toReversed().join(", ")} and ${last} (${sumOf(split)}, ${numbersOf(split)})`;
}

/** The workouts in parts that the journal keeps as pairs. @param byKey the workouts of the plan */
export function splitsOfPairs(
  pairs: readonly FoundPair[],
  byKey: ReadonlyMap<string, LinkedWorkout>,
): readonly Split[] {
  const groups = Map.groupBy(
    pairs.filter(({ parts }) => parts !== undefined),
    ({ parts }) => JSON.stringify(parts),
  );
  return [...groups.values()].flatMap(([pair]) => {
    if (pair?.parts === undefined) return [];
    const whole = byKey.get(pair.parts.includes(pair.one) ? pair.other : pair.one);
    const parts = pair.parts.flatMap((key) => byKey.get(key) ?? []);
    if (whole === undefined || parts.length < pair.parts.length) return [];
    const { secondsApart = 0, distanceApart, durationApart } = pair.differences;
    const apart = { secondsApart, distanceApart, durationApart: durationApart?.share ?? 0, stops: 0 };
    return [{ whole, parts, apart, score: pair.score }];
  });
}
