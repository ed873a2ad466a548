/**
 * Finds new workouts of a plan that were done at the same time as a workout of the log, and are too different to be one with it, or even doubtful. The plan
 * names them as it names those of two sources.
 */
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { FoundPair } from "../../journal/links.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { keyOfEntry } from "../pairs/record-in-log.ts";
import { answerWords, areAtOneTime, MOST_NAMED, restInWords, sentenceOf, timeInWords } from "../sources/overlaps.ts";
import { freeRecords, openWorkouts } from "./clock-evidence.ts";
import { compareWithRecord } from "./instants-of-log.ts";

const RULE = "plan/same-time-in-log";

/** Keeps these pairs of a plan, and names them. Call it after everything else was compared with the log. */
export async function findOverlapsInLog(run: number, context: ComparisonContext): Promise<void> {
  const { journal } = context;
  // Read once: looking for those of a workout reads all pairs of the plan.
  const known = Map.groupBy(await journal.links.pairs(run), ({ one }) => one);
  for await (const { line, facts } of openWorkouts(run, context)) {
    const isWanted = (record: { readonly facts: typeof facts }) => areAtOneTime(facts, record.facts);
    const records = await freeRecords(line, facts, context, isWanted);
    if (records.length === 0) continue;
    const named = new Set(known.get(line.key)?.map(({ inLog }) => inLog));
    for (const { entry, ...record } of records) {
      if (named.has(entry.id)) continue;
      const likeness = await compareWithRecord(facts, record, {}, { run, journal });
      const pair = {
        one: line.key,
        other: await keyOfEntry(entry, journal),
        verdict: "two",
        ms: 0,
        ...likeness,
      } as const;
      await journal.links.keepPairs(run, [{ ...pair, isClockUnproven: false, inLog: entry.id, isSameTime: true }]);
    }
  }
  await tellOverlapsInLog(run, context);
}

/** Names the pairs that a plan has now, also after an answer changed it. */
export async function tellOverlapsInLog(run: number, { journal, report }: ComparisonContext): Promise<void> {
  await journal.links.dropIssue(run, RULE);
  const all = (await journal.links.pairs(run)).filter(({ isSameTime, inLog }) => isSameTime && inLog !== undefined);
  const [first] = all;
  if (first === undefined) return;
  const sentences: string[] = [];
  for (const pair of all.slice(0, MOST_NAMED)) sentences.push(...(await inWords(run, pair, journal)));
  const each = [...sentences, ...(all.length > MOST_NAMED ? [restInWords(all.length - MOST_NAMED)] : [])];
  await report({
    severity: "warning",
    rule: RULE,
    found: `new, and at the same time as a workout of your log of one sport: ${each.join("; ")}`,
    each,
    expected: `one workout at a time. These are loaded. ${answerWords([first.one, first.other])}`,
  });
}

async function inWords(
  run: number,
  pair: FoundPair,
  journal: ComparisonContext["journal"],
): Promise<readonly string[]> {
  const line = await journal.lineWithKey(run, pair.one);
  const entry = await journal.logEntry("workout", pair.inLog ?? "");
  return line?.kind !== "workout" || entry === undefined
    ? []
    : [sentenceOf(sidesOf(line, entry), [pair.one, pair.other])];
}

function sidesOf({ origin }: WorkoutLine, { id, facts }: ClaimedEntry): readonly [string, string] {
  return [describeOrigin(origin), `${id} in your log${facts === undefined ? "" : ` (${timeInWords(facts)})`}`];
}
