/** Reads the workouts that a plan would make, day by day, and compares each day with the log. */
import { toFacts } from "../../../transforms/duplicates.ts";
import type { Line, WorkoutLine } from "../../journal/line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { allMergedInto } from "../compare/own-records.ts";
import { type LogMatch, matchDay, type OpenWorkout, type View } from "./match-log.ts";

/** What of a workout is compared: its own values, or those of the workouts that were merged into it, too. */
export type ComparedBy = "own values" | "merged values too";

/**
 * The workouts that a plan would make, each with the record of the log that is surely or perhaps the same one. The caller may change and claim what it
 * gets: each day is compared when the day before is settled.
 */
export async function* workoutsByDay(
  run: number,
  context: ComparisonContext,
  by: ComparedBy,
): AsyncGenerator<{ readonly seq: number; readonly match: LogMatch | undefined }> {
  // The lines come in the order of their days.
  let [day, open, inLog]: [string | undefined, OpenWorkout[], WorkoutLine[]] = [undefined, [], []];
  for await (const line of context.journal.lines(run, { state: ["planned", "unchanged"], kind: "workout" })) {
    if (line.kind !== "workout" || (line.state === "planned" && line.action !== "create")) continue;
    const { date } = line.value.start;
    if (date !== day) {
      yield* ofOneDay(open, inLog, context);
      [day, open, inLog] = [date, [], []];
    }
    if (line.state === "unchanged") inLog.push(line);
    else open.push(await openWorkout(line, context, by));
  }
  yield* ofOneDay(open, inLog, context);
}

/** @param inLog workouts of the day that the log has already. One of them may be what a person typed, although it has a record of its own */
async function* ofOneDay(open: readonly OpenWorkout[], inLog: readonly WorkoutLine[], context: ComparisonContext) {
  const settled = inLog.map((line) => ({ seq: line.seq, keys: [line.key], views: viewOf(line, context) }));
  const matches = open.length === 0 ? undefined : await matchDay(open, context, settled);
  for (const { seq } of open) yield { seq, match: matches?.get(seq) };
}

async function openWorkout(line: WorkoutLine, context: ComparisonContext, by: ComparedBy): Promise<OpenWorkout> {
  const isOwn = by === "own values";
  // A copy of it may be another workout than one of the log by a person's word. That takes more reads, so it is asked where there are such words.
  const hasTwos = context.settings.manualDecisions?.pairs.hasTwos === true;
  const all = [line, ...(isOwn && !hasTwos ? [] : await allMergedInto(line, context.journal))];
  const views = (isOwn ? [line] : all).flatMap((one) => viewOf(one, context));
  return { seq: line.seq, keys: all.map(({ key }) => key), views };
}

/** @returns nothing for a workout without a day, or with an activity that the log has no number for */
function viewOf(line: Line, { settings }: ComparisonContext): readonly View[] {
  if (line.kind !== "workout") return [];
  const facts = toFacts(line.value);
  const activityID = facts?.activity === undefined ? undefined : settings.activityIDs[facts.activity];
  if (facts === undefined || activityID === undefined) return [];
  const { run, kind, key, source, origin } = line;
  return [{ line: { run, kind, key, source, origin }, facts, activityID }];
}
