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

/** A workout of a source, and one of the log with the same values at another time. */
interface Apart {
  readonly seq: number;
  readonly line: WorkoutLine;
  readonly entry: ClaimedEntry;
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
  const { journal, settings, sources, report } = context;
  if (settings.trustClocks === true) return;
  const pairs = new Map<string, Apart[]>();
  const open = new Map<number, number>();
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    const facts = line.kind === "workout" && line.action === "create" ? toFacts(line.value) : undefined;
    if (line.kind !== "workout" || facts?.time === undefined) continue;
    open.set(line.source, (open.get(line.source) ?? 0) + 1);
    const found = await onlyAlike(run, facts, context);
    if (found === undefined) continue;
    const name = `${line.source} ${found.ms}`;
    pairs.set(name, [...(pairs.get(name) ?? []), { seq: line.seq, line, entry: found.entry }]);
  }
  for (const [name, some] of pairs) {
    const [source = 0, ms = 0] = name.split(" ").map(Number);
    const all = open.get(source) ?? 0;
    const [first] = some;
    if (first === undefined || some.length < LEAST.pairs || some.length < LEAST.share * all) continue;
    const many = `${some.length} of ${all} workouts of ${sources[source]?.name}`;
    const why = `the same distance and duration, ${offsetInWords(ms)} in the log, as ${many}`;
    if (settings.doubtful === "one") for (const { line, entry } of some) await settle(line, entry, why);
    await report({
      severity: "warning",
      rule: "plan/clock-of-log",
      origin: first.line.origin,
      found: `${many} have one in your log with the same distance and duration, ${offsetInWords(ms)} (such as ${describeOrigin(first.line.origin)} and ${first.entry.id} in your log)`,
      expected:
        settings.doubtful === "one"
          ? "two clocks that agree: each pair counts as one, and your log keeps its time"
          : "two clocks that agree: these are planned as new workouts; if they are the same ones, plan again with --doubtful one, or with the right --zone",
    });
  }
}

/** The only free record of the log with the same distance and duration, and how much later it is there in milliseconds. */
async function onlyAlike(run: number, facts: WorkoutFacts, { journal, settings }: ComparisonContext) {
  const activityID = facts.activity === undefined ? undefined : settings.activityIDs[facts.activity];
  if (activityID === undefined) return undefined;
  const local = { ...facts, instant: undefined };
  const alike = (await journal.logCandidates(run, local, activityID)).flatMap((entry) => {
    const ms = entry.facts === undefined ? undefined : offsetBetween(facts, entry.facts);
    return ms === undefined ? [] : [{ entry, ms }];
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
