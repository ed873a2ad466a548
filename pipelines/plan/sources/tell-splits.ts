/** Names the workouts that are perhaps the parts of another one. */
import { factsInWords } from "../../../transforms/matching/describe-likeness.ts";
import { verdictOf } from "../../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { FoundPair } from "../../journal/links.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { numbersOf, sumOf, type WholeAndParts } from "../pairs/describe-split.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import type { GroupsContext } from "./merge-groups.ts";
import { findObstacle, WHOLE_AND_PART_IN_LOG } from "./merge-parts.ts";
import type { Split } from "./split-recordings.ts";
import { LINK_RULES } from "./tell-links.ts";

/** Most of them that a remark names. */
const MOST_SENTENCES = 6;

/** The rules of the remarks, each with the way to decide. */
const EXPECTED = {
  [LINK_RULES.splits]:
    "a workout that is there once: the whole and its parts all stay; decide with logferry plan review, or count each as one with --doubtful one",
  [LINK_RULES.partsTwice]: "one side in your log, or your answer that they are two, with logferry plan review",
  "plan/split-unknown-sport":
    "a known sport for each part: name it before you import, with --sport NAME=ACTIVITY. Otherwise the whole and the other parts are all loaded",
  "plan/split-in-log":
    "a workout that is there once: the whole and its parts all stay; if it is one, plan again with --doubtful one",
} as const;

/** Names workouts of one source that are perhaps the parts of one of another source, the likeliest first. */
export async function tellSplits(splits: readonly Split[], context: GroupsContext, run: number): Promise<void> {
  const named: NamedSplit[] = [];
  for (const split of splits) named.push({ ...inWords(split), apart: await findObstacle(run, split, context) });
  const isTwice = ({ split, apart }: NamedSplit) => apart === WHOLE_AND_PART_IN_LOG && verdictOf(split.score) === "one";
  const twice = named.filter(isTwice);
  await remarkSplits(
    LINK_RULES.splits,
    named.filter((one) => !isTwice(one)),
    context,
  );
  await remarkSplits(LINK_RULES.partsTwice, twice, context);
}

/** Names triathlons of one source that are one with the legs of another source, once the sport of each leg is known. */
export async function tellUnknownLegs(splits: readonly Split[], context: ComparisonContext): Promise<void> {
  const named = splits.map((split) => {
    const unknown = split.parts.filter(({ facts }) => facts.activity === undefined);
    const places = unknown.map(({ origin }) => describeOrigin(origin)).join(" and ");
    return { ...inWords(split), apart: `the sport of ${places} is unknown` };
  });
  await remarkSplits("plan/split-unknown-sport", named, context);
}

function inWords(split: Split): NamedSplit {
  const parts = split.parts.map(({ origin }) => describeOrigin(origin));
  return { split, whole: describeOrigin(split.whole.origin), parts };
}

/** A workout and its parts, with their places. */
export interface NamedSplit {
  readonly split: WholeAndParts;
  readonly whole: string;
  readonly parts: readonly string[];
  /** What keeps them apart, whatever the score says. */
  readonly apart?: string | undefined;
}

/** Makes the remark of a rule. */
export async function remarkSplits(
  rule: keyof typeof EXPECTED,
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
    ...(rule === LINK_RULES.partsTwice && { count: splits.length }),
    found: `${rule === LINK_RULES.partsTwice ? "surely" : "perhaps"} one workout in parts: ${sentences.join("; ")}`,
    expected: EXPECTED[rule],
  });
}

function sentenceOf({ split, whole, parts, apart }: NamedSplit): string {
  const [last = "", ...others] = parts.toReversed();
  const start = factsInWords({ ...split.whole.facts, metres: undefined });
  return `${whole} (${start}) and ${others.toReversed().join(", ")} and ${last} (${sumOf(split)}, ${numbersOf(split)})${apart === undefined ? "" : `, apart because ${apart}`}`;
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
    const { secondsApart, distanceApart, durationApart } = pair.differences;
    const apart = { secondsApart, distanceApart, durationApart: durationApart?.share ?? 0, stops: 0 };
    return [{ whole, parts, apart, score: pair.score }];
  });
}
