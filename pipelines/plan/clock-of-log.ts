/**
 * Notices a log whose clock is off against a source by a constant time: an earlier import without its zone, or a platform that kept UTC. Its workouts
 * have the same distance and duration, an hour apart. By their starts they are two, so they would be in the log twice.
 */
import { toFacts, type WorkoutFacts } from "../../transforms/duplicates.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { WorkoutLine } from "../journal/line.ts";
import type { ClaimedEntry } from "../journal/remote-record.ts";
import type { ComparisonContext } from "./comparison.ts";
import { offsetInWords } from "./describe-match.ts";

/** Clocks are off by whole quarters of an hour. Starts may differ by two minutes besides. */
const STEP_MS = 15 * 60_000;
const WITHIN_MS = 120_000;

/** The furthest that two zones are apart. */
const MOST_MS = 26 * 3_600_000;

/** Distances and durations that are as close as this are the same. A runner seldom has three such pairs by chance. */
const SAME_SHARE = 0.01;

/** The fewest pairs with one offset, and their share of the workouts of a source that would be created. */
const LEAST = { pairs: 3, share: 0.5 } as const;

/** Workouts of one source that the log has at one offset. Only the first is in memory. */
interface Apart {
  readonly source: number;
  /** How much later the log has them, in milliseconds. */
  readonly ms: number;
  readonly count: number;
  readonly first: Alike;
}

/** A workout of a source, and the one of the log with the same values at another time. */
interface Alike {
  readonly line: WorkoutLine;
  readonly entry: ClaimedEntry;
  readonly ms: number;
}

/**
 * Finds such workouts, source by source. The plan names them. With `--doubtful one` each is that of the log.
 *
 * @param settle takes a line for a record of the log
 */
export async function findClockOfLog(
  run: number,
  context: ComparisonContext,
  settle: (line: WorkoutLine, entry: ClaimedEntry, why: string) => Promise<void>,
): Promise<void> {
  const { settings, sources, report } = context;
  if (settings.trustClocks === true) return;
  const [apart, open] = await countApart(run, context);
  const sure = [...apart.values()].filter(
    ({ source, count }) => count >= LEAST.pairs && count >= LEAST.share * (open.get(source) ?? 0),
  );
  if (sure.length === 0) return;
  const isOne = settings.doubtful === "one";
  for (const { source, ms, count, first } of sure) {
    const many = `${count} of ${open.get(source)} workouts of ${sources[source]?.name}`;
    await report({
      severity: "warning",
      rule: "plan/clock-of-log",
      origin: first.line.origin,
      found: `${many} have one in your log with the same distance and duration, ${offsetInWords(ms)} (such as ${describeOrigin(first.line.origin)} and ${first.entry.id} in your log)`,
      expected: isOne
        ? "two clocks that agree: each pair counts as one, and your log keeps its time"
        : "two clocks that agree: these are planned as new workouts; if they are the same ones, plan again with --doubtful one, or with the right --zone",
    });
  }
  if (!isOne) return;
  for await (const { line, entry, ms } of allAlike(run, context)) {
    const of = sure.find((one) => one.source === line.source && one.ms === ms);
    if (of === undefined) continue;
    await settle(
      line,
      entry,
      `the same distance and duration, ${offsetInWords(ms)} in the log, as ${of.count} workouts`,
    );
  }
}

/** Counts the pairs by source and offset, and the workouts of each source that would be created. */
async function countApart(run: number, context: ComparisonContext) {
  const apart = new Map<string, Apart>();
  const open = new Map<number, number>();
  const isOpen = (line: WorkoutLine) => open.set(line.source, (open.get(line.source) ?? 0) + 1);
  for await (const alike of allAlike(run, context, isOpen)) {
    const { source } = alike.line;
    const name = `${source} ${alike.ms}`;
    const known = apart.get(name) ?? { source, ms: alike.ms, count: 0, first: alike };
    apart.set(name, { ...known, count: known.count + 1 });
  }
  return [apart, open] as const;
}

/** The workouts that would be created, as far as the log has one with the same values at another time. @param isOpen called for each that has a time */
async function* allAlike(
  run: number,
  context: ComparisonContext,
  isOpen: (line: WorkoutLine) => void = () => undefined,
): AsyncGenerator<Alike> {
  for await (const line of context.journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const facts = line.kind === "workout" && line.action === "create" ? toFacts(line.value) : undefined;
    if (line.kind !== "workout" || facts?.time === undefined) continue;
    isOpen(line);
    const found = await onlyAlike(line, facts, context);
    if (found !== undefined) yield { line, ...found };
  }
}

/** The only free record of the log with the same distance and duration, and how much later it is there in milliseconds. */
async function onlyAlike({ run, key }: WorkoutLine, facts: WorkoutFacts, { journal, settings }: ComparisonContext) {
  const activityID = facts.activity === undefined ? undefined : settings.activityIDs[facts.activity];
  if (activityID === undefined) return undefined;
  const local = { ...facts, instant: undefined };
  const alike = (await journal.logCandidates(run, local, activityID)).flatMap((entry) => {
    const ms = entry.facts === undefined ? undefined : offsetBetween(facts, entry.facts);
    const isTwo = settings.manualDecisions?.pairs.areTwoInLog(key, entry) === true;
    return ms === undefined || isTwo ? [] : [{ entry, ms }];
  });
  return alike.length === 1 ? alike[0] : undefined;
}

/** How much later a record is than a workout with the same values; undefined for other values, or another time than clocks are off by. */
function offsetBetween(ours: WorkoutFacts, theirs: WorkoutFacts): number | undefined {
  if (theirs.time === undefined || ours.time === undefined) return undefined;
  if (!isSame(ours.metres, theirs.metres) || !isSame(ours.seconds, theirs.seconds)) return undefined;
  const apart = Date.parse(`${theirs.date}T${theirs.time}Z`) - Date.parse(`${ours.date}T${ours.time}Z`);
  const ms = Math.round(apart / STEP_MS) * STEP_MS;
  return ms === 0 || Math.abs(ms) > MOST_MS || Math.abs(apart - ms) > WITHIN_MS ? undefined : ms;
}

function isSame(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= SAME_SHARE * Math.max(a, b);
}
