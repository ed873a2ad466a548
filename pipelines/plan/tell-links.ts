/** Says in remarks what linking the sources found: clocks that are apart, and pairs of which nobody can tell. */
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Pair } from "./candidate-pairs.ts";
import type { ComparisonContext } from "./comparison.ts";
import { differencesOf } from "./describe-match.ts";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Most times apart, and most doubtful pairs, that a remark names. */
const MOST_SENTENCES = 6;

/** The rules of these remarks. */
export const LINK_RULES = { clocks: "plan/clocks-apart", doubtful: "plan/doubtful-duplicates" } as const;

/** Says how far the clocks of the sources are apart, with the number of workouts that show it: the most workouts first. */
export async function tellOffsets(all: readonly Pair[], { sources, report }: ComparisonContext): Promise<void> {
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
      return `${theirs} has ${workouts} of ${ours} ${inWords(-middle)}, from ${days[0]} to ${days.at(-1)}`;
    });
  const rest = sentences.length > MOST_SENTENCES ? [`and ${sentences.length - MOST_SENTENCES} more such times`] : [];
  await report({
    severity: "warning",
    rule: LINK_RULES.clocks,
    found: [...sentences.slice(0, MOST_SENTENCES), ...rest].join("; "),
    expected: "clocks that agree: each pair counts as one workout; if they are two, plan again with --trust-clocks",
  });
}

/** Names the pairs of which nobody can tell whether they are one workout, the likeliest first. */
export async function tellDoubtful(pairs: readonly Pair[], { report }: ComparisonContext): Promise<void> {
  if (pairs.length === 0) return;
  const sentences = pairs
    .toSorted((a, b) => b.score - a.score || newestFirst(a, b))
    .slice(0, MOST_SENTENCES)
    .map(
      (pair) => `${describeOrigin(pair.one.origin)} and ${describeOrigin(pair.other.origin)} (${differencesOf(pair)})`,
    );
  const rest = pairs.length > MOST_SENTENCES ? [`and ${pairs.length - MOST_SENTENCES} more pairs`] : [];
  await report({
    severity: "warning",
    rule: LINK_RULES.doubtful,
    found: `perhaps one workout: ${[...sentences, ...rest].join("; ")}`,
    expected:
      "pairs that are surely one or surely two: these stay two. Decide with logferry plan review, or count all as one with --doubtful one",
  });
}

/** The order of pairs that are equally likely. It is the same when a part of the plan is made again. */
function newestFirst(a: Pair, b: Pair): number {
  const [one, other] = [a, b].map(({ one: { facts, key } }) => `${facts.date} ${facts.time ?? ""} ${key}`);
  return one === other ? 0 : (one ?? "") > (other ?? "") ? -1 : 1;
}

/** `60 min later` */
export function inWords(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS;
  const span = minutes < 5 ? `${Math.round(Math.abs(ms) / 1_000)} s` : `${Math.round(minutes)} min`;
  return `${span} ${ms < 0 ? "earlier" : "later"}`;
}
