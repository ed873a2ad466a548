/** Chooses which of two lines stays, when both are one workout. */
import type { Journal } from "../../journal/journal.ts";
import type { WorkoutLine } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import { isBareRecording } from "../pairs/bare-recording.ts";
import type { ComparisonContext } from "./comparison.ts";
import { isOfSameTable } from "./own-records.ts";

/**
 * Chooses which of two lines stays. In this order: a row before a recording, a line loaded before or its edited row, a line that others were merged into, the
 * line read first.
 *
 * @param groups whether two lines that both have others merged into them may become one
 * @returns undefined when both must stay: both are in the log, both stand for other lines (`groups`), or a person said that they are two
 * workouts
 */
export async function chooseLine(
  one: WorkoutLine,
  other: WorkoutLine,
  context: ComparisonContext,
  groups: "may join" | "stay apart" = "stay apart",
): Promise<{ readonly kept: WorkoutLine; readonly dropped: WorkoutLine } | undefined> {
  const { journal, sources } = context;
  const [ofOne, ofOther] = [await recordInLog(one, context), await recordInLog(other, context)];
  // An earlier run merged the two. The record belongs to the line with its key; the other line has the record only through it.
  const areOneThere = ofOne !== undefined && ofOne.remoteId === ofOther?.remoteId;
  const edited = (await isEditedRow(one, ofOther, journal)) ? one : (await isEditedRow(other, ofOne, journal)) && other;
  const weightOf = async (line: WorkoutLine, record: RemoteRecord | undefined) => {
    const isLoaded = edited ? edited === line : areOneThere ? record?.key === line.key : record !== undefined;
    const standsForOthers = (await journal.mergedInto(line.run, line.key)).length > 0;
    const isRow = !isRecording(line, sources);
    return {
      isFixed: isLoaded || (standsForOthers && groups === "stay apart"),
      ranks: [isRow, isLoaded, standsForOthers, line.seq].map(Number),
    };
  };
  const [a, b] = [await weightOf(one, ofOne), await weightOf(other, ofOther)];
  if (isFixedByHand(one, context) || isFixedByHand(other, context) || (a.isFixed && b.isFixed && !areOneThere))
    return undefined;
  const [row = 0, loaded = 0, stands = 0, read = 0] = a.ranks.map((rank, index) => rank - (b.ranks[index] ?? 0));
  return (row || loaded || stands || -read) > 0 ? { kept: one, dropped: other } : { kept: other, dropped: one };
}

/**
 * Whether a line is a new version of the row that a record was loaded for. A row without an id is known by its content, so its new version looks new. The
 * other line has the record only because the old row stood for both. What was named first then still counts first.
 *
 * @param record the record of the other line
 */
async function isEditedRow(line: WorkoutLine, record: RemoteRecord | undefined, journal: Journal): Promise<boolean> {
  if (record === undefined || (await journal.lineWithKey(line.run, record.key)) !== undefined) return false;
  return isOfSameTable(line, { kind: "workout", id: record.remoteId, claimedBy: record.key }, journal);
}

/**
 * The record of the log that a line is loaded as. A record that the log no longer has counts for nothing here: where its owner deleted one of two that are
 * one workout, the other one stays, and nothing is gone.
 */
async function recordInLog(
  { key }: WorkoutLine,
  { journal, capabilities }: ComparisonContext,
): Promise<RemoteRecord | undefined> {
  const record = await journal.remoteRecord(key);
  if (record === undefined || !capabilities.listsWorkouts) return record;
  return (await journal.logHas("workout", record.remoteId)) ? record : undefined;
}

/** Whether a workout is a bare recording: no row of a platform says anything of it. */
export function isRecording(
  line: Pick<WorkoutLine, "source" | "origin" | "value">,
  sources: ComparisonContext["sources"],
): boolean {
  return sources[line.source]?.recordings === true || isBareRecording(line);
}

/** Whether a person let this workout in by hand, although something speaks against it. */
export function isFixedByHand({ key }: WorkoutLine, { settings }: ComparisonContext): boolean {
  return settings.manualDecisions?.fixes.get(key)?.implausible === "allowed";
}
