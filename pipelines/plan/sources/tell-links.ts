/** Says in remarks what linking the sources found: clocks that are apart, and doubtful pairs. */

import { describeOrigin } from "../../../transforms/model/issue.ts";
import { PARTS_TWICE_IN_LOG, TWICE_IN_LOG } from "../../journal/summary.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { offsetInWords } from "../pairs/describe-match.ts";
import { BOTH_IN_LOG, type PairAnswers } from "../pairs/pair-answers.ts";
import type { Pair } from "./candidate-pairs.ts";
import { DoubtfulPairs } from "./doubtful-pairs.ts";
import type { KnownClocks } from "./known-clocks.ts";

const QUARTER_MS = 15 * 60_000;

/** Most times apart that a remark names. */
const MOST_SENTENCES = 6;

/** The rules of these remarks. */
export const LINK_RULES = {
  clocks: "plan/clocks-apart",
  doubtful: "plan/doubtful-duplicates",
  splits: "plan/split-recording",
  twice: TWICE_IN_LOG,
  partsTwice: PARTS_TWICE_IN_LOG,
  starts: "plan/start-by-wrong-clock",
  corrected: "plan/start-corrected",
} as const;

/** Says how far the clocks of the sources are apart, with the number of workouts that show it: the most workouts first. It also says whose starts count. */
export async function tellOffsets(
  all: readonly Pair[],
  clocks: KnownClocks,
  { sources, report }: ComparisonContext,
): Promise<void> {
  const pairs = all.filter(({ ms }) => ms !== 0);
  if (pairs.length === 0) return;
  const groups = Map.groupBy(
    pairs,
    ({ one, other, ms }) => `${one.source} ${other.source} ${Math.round(ms / QUARTER_MS)}`,
  );
  const sentences = [...groups.values()]
    .map((group) => group.toSorted(newestFirst))
    .toSorted((a, b) => b.length - a.length || (a[0] && b[0] ? newestFirst(a[0], b[0]) : 0))
    .map((group) => {
      const days = group.map(({ one }) => one.facts.date).toSorted();
      const middle = group.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(group.length / 2)] ?? 0;
      const [ours, theirs] = [group[0]?.one.source ?? 0, group[0]?.other.source ?? 0].map((at) => sources[at]?.name);
      const workouts = group.length === 1 ? "1 workout" : `${group.length} workouts`;
      return `${theirs} has ${workouts} of ${ours} ${offsetInWords(-middle)}, from ${days[0]} to ${days.at(-1)}`;
    });
  const counting = pairs.map(({ one, other }) => {
    const right = clocks.rightOf(one, other);
    const wrong = right === one ? other : one;
    return `those of ${sources[right.source]?.name} before those of ${sources[wrong.source]?.name}`;
  });
  const starts = [...new Set(counting)].slice(0, MOST_SENTENCES).join(", ");
  const rest = sentences.length > MOST_SENTENCES ? [`and ${sentences.length - MOST_SENTENCES} more such times`] : [];
  const each = [...sentences.slice(0, MOST_SENTENCES), ...rest];
  await report({
    severity: "warning",
    rule: LINK_RULES.clocks,
    found: each.join("; "),
    each,
    expected: `clocks that agree. Each of these pairs is taken as one workout, with the clocks set. These starts count: ${starts}. If they are two workouts, plan again with --trust-clocks`,
  });
}

/**
 * Names the doubtful pairs, the likeliest first. A pair that a person called one is no question any more. If the plan can't obey that, a remark of its own
 * says why.
 */
export async function tellDoubtful(
  pairs: readonly Pair[],
  context: ComparisonContext & { readonly answers: PairAnswers },
): Promise<void> {
  const doubtful = new DoubtfulPairs(LINK_RULES.doubtful);
  const open = pairs.filter(({ one, other }) => !context.answers.areOne(one.key, other.key)).toSorted(newestFirst);
  for (const pair of open) if (pair.isTwiceInLog !== true) doubtful.add(pair);
  await doubtful.remark(context);
  const twice = open.filter(({ isTwiceInLog }) => isTwiceInLog);
  if (twice.length > 0) await tellTwice(twice, context);
}

/** Names the pairs that are surely one, and that the log has both: earlier runs loaded them one by one. */
async function tellTwice(pairs: readonly Pair[], { report }: ComparisonContext): Promise<void> {
  const named = pairs.slice(0, MOST_SENTENCES).map(({ one, other, ms }) => {
    const apart = ms === 0 ? "" : `, ${offsetInWords(-ms)}`;
    return `${describeOrigin(one.origin)} and ${describeOrigin(other.origin)}${apart}`;
  });
  const rest = pairs.length - named.length;
  const each = rest > 0 ? [...named, rest === 1 ? "and 1 more pair" : `and ${rest} more pairs`] : named;
  await report({
    severity: "warning",
    rule: LINK_RULES.twice,
    count: pairs.length,
    found: `surely one workout, and your log has both: ${each.join("; ")}`,
    each,
    expected: `one of each in your log: ${BOTH_IN_LOG}, with logferry plan review`,
  });
}

/** The order of pairs that are equally likely. It is the same when a part of the plan is made again. */
function newestFirst(a: Pair, b: Pair): number {
  const [one, other] = [a, b].map(({ one: { facts, key } }) => `${facts.date} ${facts.time ?? ""} ${key}`);
  return one === other ? 0 : (one ?? "") > (other ?? "") ? -1 : 1;
}
