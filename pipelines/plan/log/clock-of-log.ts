/**
 * Notices a log whose clock is off against a source by a constant time: an earlier import without its zone, or a platform that kept UTC. Its workouts
 * have the same distance and duration, an hour apart. By their starts they are two, so they would be in the log twice.
 */
import { compareFacts, type Likeness } from "../../../transforms/matching/compare-facts.ts";
import { factsInWords } from "../../../transforms/matching/describe-likeness.ts";
import { LEAST_SCORE, MOST_SECONDS_APART, verdictOf } from "../../../transforms/matching/likeness.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { ClaimedEntry } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { describePair, offsetInWords } from "../pairs/describe-match.ts";
import { keyOfEntry } from "../pairs/record-in-log.ts";
import { THESE_WAIT } from "../sources/doubtful-pairs.ts";
import {
  type ClockEvidence,
  type ClockOfLog,
  clocksOfLog,
  freeRecords,
  openWorkouts,
  type TimedLine,
} from "./clock-evidence.ts";

/** The rule of the remark. */
const RULE = "plan/clock-of-log";

/** In the reason of a workout that was recognised so. */
export const BY_CLOCK = "as by the clock of";

/** Starts are rounded to this in words, so that the drift of a watch is not a time of its own. */
const QUARTER_MS = 15 * 60_000;

/** A workout of a source, and the record of the log that has its values at the time of the log's clock. */
interface Found {
  readonly line: WorkoutLine;
  readonly entry: ClaimedEntry;
  readonly ms: number;
  readonly likeness: Likeness;
}

/** Takes a line for a record of the log. */
export type Settle = (line: WorkoutLine, entry: ClaimedEntry, why: string) => Promise<void>;

/**
 * Finds such workouts, source by source, and names them in the plan. Where enough of them prove the clock, each of them is that of the log. Where it is
 * likely only, they are doubtful: they are loaded unless doubtful pairs count as one.
 *
 * @param evidence which of both. What an earlier run knew comes between them
 */
export async function findClockOfLog(
  run: number,
  context: ComparisonContext,
  evidence: ClockEvidence,
  settle: Settle,
): Promise<void> {
  if (context.settings.trustClocks === true) return;
  const clocks = await clocksOfLog(run, context, evidence);
  if (clocks.length === 0) return;
  const bySource = new Map(clocks.map((clock) => [clock.source, clock]));
  const found = new Map(clocks.map((clock) => [clock, [] as Found[]]));
  const taken = new Set<string>();
  for await (const timed of openWorkouts(run, context)) {
    const clock = bySource.get(timed.line.source);
    const pair = clock && (await likeliest(timed, clock, taken, context));
    if (clock === undefined || pair === undefined) continue;
    taken.add(pair.entry.id);
    found.get(clock)?.push(pair);
  }
  for (const [clock, pairs] of found) {
    if (pairs.length === 0 || !clock.isBorneOut(pairs.map(({ line }) => line.seq))) continue;
    for (const pair of pairs) await decide(pair, clock, context, settle);
    await tell(clock, pairs, context);
  }
}

async function decide(
  { line, entry, ms, likeness }: Found,
  { isProven, shownBy }: ClockOfLog,
  context: ComparisonContext,
  settle: Settle,
): Promise<void> {
  const { journal, settings } = context;
  const isOne = isProven || settings.doubtful === "one";
  const { differences, score } = likeness;
  const found = { verdict: isOne ? "one" : "doubtful", ms: -ms, differences, score } as const;
  const sides = { one: line.key, other: await keyOfEntry(entry, journal), inLog: entry.id };
  await journal.links.keepPairs(line.run, [{ ...sides, ...found, isClockUnproven: !isProven }]);
  if (!isOne && entry.facts !== undefined)
    context.onDoubtfulInLog?.(line.seq, `${entry.id} in your log, ${factsInWords(entry.facts)}`);
  if (isOne)
    await settle(
      line,
      entry,
      `${describePair(likeness)}, ${offsetInWords(ms)} in the log ${BY_CLOCK} ${shownBy.length} workouts`,
    );
}

/** The likeliest free record at the times of the log's clock. */
async function likeliest(
  { line, facts, wall }: TimedLine,
  { laterAt, isProven }: ClockOfLog,
  taken: ReadonlySet<string>,
  context: ComparisonContext,
): Promise<Found | undefined> {
  let best: Found | undefined;
  for (const { ms, bonus } of laterAt({ seq: line.seq, wall })) {
    if (Math.abs(ms) <= MOST_SECONDS_APART * 1_000) continue;
    const secondsTo = (theirs: number) => Math.abs(wall + ms - theirs) / 1_000;
    const isFree = ({ id, wall: theirs }: { readonly id: string; readonly wall: number }) =>
      !taken.has(id) && secondsTo(theirs) <= MOST_SECONDS_APART;
    for (const record of await freeRecords(line, facts, context, isFree)) {
      const secondsApart = secondsTo(record.wall);
      const likeness = compareFacts(facts, record.facts, { secondsApart, bonus, isClockSet: true });
      if (verdictOf(likeness.score) !== "one" || likeness.score <= (best?.likeness.score ?? 0)) continue;
      best = { line, entry: record.entry, ms, likeness };
    }
  }
  if (best === undefined || isProven) return best;
  const score = Math.min(best.likeness.score, LEAST_SCORE.one - 1);
  return { ...best, likeness: { ...best.likeness, score } };
}

/** Says in the plan how far the clock of the log is off, and how many workouts show it. */
async function tell(clock: ClockOfLog, pairs: readonly Found[], context: ComparisonContext): Promise<void> {
  const { sources, report } = context;
  const [first] = pairs;
  if (first === undefined) return;
  const times = [...Map.groupBy(pairs, ({ ms }) => Math.round(ms / QUARTER_MS)).values()]
    .toSorted((a, b) => b.length - a.length)
    .map((some) => {
      const middle = some.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
      return timeApart(middle, some.length, pairs.length);
    });
  const many = `${pairs.length} of ${clock.open} workouts of ${sources[clock.source]?.name}`;
  await report({
    severity: "warning",
    rule: RULE,
    origin: first.line.origin,
    found: `${many} have one in your log with the same distance and duration, ${times.join(" or ")} (such as ${describeOrigin(first.line.origin)} and ${first.entry.id} in your log)`,
    expected: expectedOf(clock, context),
  });
}

function expectedOf({ isProven }: ClockOfLog, { settings, onDoubtfulInLog }: ComparisonContext): string {
  const one = "each pair counts as one, and your log keeps its time";
  if (isProven) return `two clocks that agree: ${one}; if they are two, plan again with --trust-clocks`;
  if (settings.doubtful === "one") return `two clocks that agree: ${one}`;
  if (onDoubtfulInLog !== undefined) return `two clocks that agree. ${THESE_WAIT}`;
  return "two clocks that agree: these are planned as new workouts; if they are the same ones, plan again with --doubtful one, or with the right --zone";
}

/** `60 min later`, with the number of workouts where there are several such times. */
function timeApart(ms: number, some: number, all: number): string {
  return some === all ? offsetInWords(ms) : `${offsetInWords(ms)} (${some})`;
}
