/**
 * Links the records of one workout that several sources have, beyond those that agree at once: at other times, because one clock was off; with other
 * distances and durations; without a time of day. What is doubtful stays two workouts, unless the person said otherwise, and the plan names it.
 */
import { mergeDuplicates, toFacts } from "../../transforms/duplicates.ts";
import { verdictOf } from "../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Start, Workout } from "../../transforms/model/workout.ts";
import type { WorkoutLine } from "../journal/line.ts";
import { type LinkedWorkout, type Pair, pairsOf } from "./candidate-pairs.ts";
import { chooseLine, isRecording } from "./choose-line.ts";
import type { ComparisonContext } from "./comparison.ts";
import { describePair, offsetInWords } from "./describe-match.ts";
import type { DoubtfulPairs } from "./doubtful-pairs.ts";
import { Groups } from "./groups.ts";
import { withSecondEquipment } from "./second-equipment.ts";

const QUARTER_MS = 15 * 60_000;

/** Most times apart that the remark names. */
const MOST_SENTENCES = 6;

/**
 * Merges the workouts that two sources have, as far as their values and the clocks of both say so. The plan says for each pair of sources how far the
 * clocks are apart, with the counts, and which pairs are doubtful.
 *
 * Call this before the plan is compared with the log.
 *
 * @param pairs gets the doubtful ones
 */
export async function linkSources(run: number, context: ComparisonContext, pairs: DoubtfulPairs): Promise<void> {
  const { trustClocks = false, doubtful = "two" } = context.settings;
  if (context.sources.length < 2) return;
  const { bySource, groups } = await workoutsOf(run, context);
  const sources = [...bySource.keys()].toSorted((a, b) => a - b);
  // What the plan merged before says that two clocks agree. It is nothing to learn how they are apart from.
  const before = groups.copy();
  const [found, unsure]: [Pair[], Pair[]] = [[], []];
  // Times come first. A note of the day then belongs to what is one by its times.
  for (const by of ["time", "day"] as const)
    for (const [first, second] of pairsAmong(sources)) {
      const without = (source: number, other: number, known: Groups) =>
        (bySource.get(source) ?? []).filter(({ key }) => !known.sourcesOf(key).has(other));
      const between = (known: Groups) => [without(first, second, known), without(second, first, known)] as const;
      for (const pair of pairsOf({ clocks: between(before), open: between(groups), by, trustClocks })) {
        // Both have times, and these say that they are two.
        if (by === "day" && groups.isTimed(pair.one.key) && groups.isTimed(pair.other.key)) continue;
        if (doubtful === "two" && verdictOf(pair.score) === "doubtful") unsure.push(pair);
        else if (await mergePair(run, pair, { ...context, groups })) found.push(pair);
      }
    }
  await tellOffsets(found, context);
  // Another source may have shown meanwhile that the two are one.
  for (const pair of unsure) if (groups.rootOf(pair.one.key) !== groups.rootOf(pair.other.key)) pairs.add(pair);
}

function pairsAmong(sources: readonly number[]): readonly (readonly [number, number])[] {
  return sources.flatMap((first, at) => sources.slice(at + 1).map((second) => [first, second] as const));
}

/** The workouts with a known sport, by source, and which of them are one already. */
async function workoutsOf(
  run: number,
  { journal, isOfLog }: ComparisonContext,
): Promise<{ readonly bySource: ReadonlyMap<number, readonly LinkedWorkout[]>; readonly groups: Groups }> {
  const bySource = new Map<number, LinkedWorkout[]>();
  const groups = new Groups();
  const states = ["planned", "merged"] as const;
  for await (const line of journal.lines(run, { state: states, kind: "workout" })) {
    const { key, source, origin, value, duplicateOf } = line;
    // A log itself keeps its workouts apart.
    if (isOfLog?.(source) === true) continue;
    const facts = toFacts(value);
    groups.add(key, source, line.state === "merged" ? duplicateOf : undefined, facts?.time !== undefined);
    if (facts?.activity === undefined) continue;
    const workout = { key, source, origin, facts };
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [workout]);
    else known.push(workout);
  }
  return { bySource, groups };
}

/**
 * Merges the two workouts of a pair, or those that they were merged into before. Two rows of one source stay two workouts.
 *
 * @returns whether it did
 */
async function mergePair(
  run: number,
  pair: Pair,
  { groups, ...context }: ComparisonContext & { readonly groups: Groups },
): Promise<boolean> {
  const { journal, sources } = context;
  const { one, other, ms } = pair;
  const [ofOne, ofOther] = [groups.rootOf(one.key), groups.rootOf(other.key)];
  const theirs = groups.sourcesOf(ofOther);
  if (ofOne === ofOther || [...groups.sourcesOf(ofOne)].some((source) => theirs.has(source))) return false;
  const [a, b] = [await journal.lineWithKey(run, ofOne), await journal.lineWithKey(run, ofOther)];
  if (a?.kind !== "workout" || b?.kind !== "workout" || a.state !== "planned" || b.state !== "planned") return false;
  const chosen = await chooseLine(a, b, context, "may join");
  if (chosen === undefined) return false;
  const { kept, dropped } = chosen;
  const both = mergeDuplicates(kept.value, dropped.value, isRecording(dropped, sources));
  const merged = await withSecondEquipment(both, dropped.value, { run, journal });
  const value: Workout = ms === 0 ? merged : { ...merged, start: surerStart(kept, dropped) };
  await journal.patchLine(run, kept.seq, { value, facts: toFacts(value) });
  for (const line of await journal.mergedInto(run, dropped.key))
    await journal.patchLine(run, line.seq, { duplicateOf: kept.key });
  const later = kept.key === ofOne ? ms : -ms;
  await journal.patchLine(run, dropped.seq, {
    state: "merged",
    action: "none",
    duplicateOf: kept.key,
    reason: `${describePair(pair)} as ${describeOrigin(kept.origin)}${later === 0 ? "" : `, once its clock is set ${offsetInWords(later)}`}`,
  });
  groups.join(dropped.key, kept.key);
  return true;
}

/** The start that knows its instant: a device has it from satellites. Of two such starts, or none, that of the line that stays. */
function surerStart({ value: kept }: WorkoutLine, { value: dropped }: WorkoutLine): Start {
  return kept.start.instant === undefined && dropped.start.instant !== undefined ? dropped.start : kept.start;
}

/** Says how far the clocks of the sources are apart, with the number of workouts that show it: the most workouts first. */
async function tellOffsets(all: readonly Pair[], { sources, report }: ComparisonContext): Promise<void> {
  const pairs = all.filter(({ ms }) => ms !== 0);
  if (pairs.length === 0) return;
  const groups = Map.groupBy(
    pairs,
    ({ one, other, ms }) => `${one.source} ${other.source} ${Math.round(ms / QUARTER_MS)}`,
  );
  const sentences = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const days = group.map(({ one }) => one.facts.date).toSorted();
      const middle = group.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(group.length / 2)] ?? 0;
      const [ours, theirs] = [group[0]?.one.source ?? 0, group[0]?.other.source ?? 0].map((at) => sources[at]?.name);
      const workouts = group.length === 1 ? "1 workout" : `${group.length} workouts`;
      return `${theirs} has ${workouts} of ${ours} ${offsetInWords(-middle)}, from ${days[0]} to ${days.at(-1)}`;
    });
  const rest = sentences.length > MOST_SENTENCES ? [`and ${sentences.length - MOST_SENTENCES} more such times`] : [];
  await report({
    severity: "warning",
    rule: "plan/clocks-apart",
    found: [...sentences.slice(0, MOST_SENTENCES), ...rest].join("; "),
    expected: "clocks that agree: each pair counts as one workout; if they are two, plan again with --trust-clocks",
  });
}
