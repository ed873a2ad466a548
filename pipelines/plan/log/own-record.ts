/** Finds the record of the log that a line of a plan was loaded as. */
import type { Line } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";

/** The log record of a line. An earlier run stored it under the line's own key, or under the key of a line now merged into it. */
export async function findOwnRecord(
  line: Line,
  merged: readonly Line[],
  { journal, settings }: ComparisonContext,
): Promise<RemoteRecord | undefined> {
  const own = await journal.remoteRecord(line.key);
  if (own !== undefined && (await overwroteIt(own, { journal, settings }))) return undefined;
  if (own !== undefined && !(await isOfOtherHalf(line, own, { journal, settings }))) return own;
  for (const other of merged) {
    const theirs = await journal.remoteRecord(other.key);
    if (theirs === undefined || (await isOfOtherHalf(line, theirs, { journal, settings }))) continue;
    // A workout under another key has other content, so it needs an update. A shoe under another key is the same shoe.
    const content = line.kind === "workout" ? theirs.content : (line.content ?? "");
    const ours = { ...theirs, key: line.key, content };
    await journal.keepRemoteRecord(ours);
    return ours;
  }
  return undefined;
}

/**
 * Whether another record, which is apart from this one by a person's word, was written over it in the log. Then the log's workout is that of the other
 * record. Once that is undone, it is this one's again.
 */
async function overwroteIt(
  { key, remoteId, run }: RemoteRecord,
  { journal, settings }: Pick<ComparisonContext, "journal" | "settings">,
): Promise<boolean> {
  const pairs = settings.manualDecisions?.pairs;
  const isUndone = (one: string) => settings.manualDecisions?.undone(one) !== undefined;
  for (const other of pairs?.apartFrom(key) ?? []) {
    const theirs = await journal.remoteRecord(other);
    if (theirs?.remoteId !== remoteId || isUndone(other)) continue;
    if (isUndone(key) || theirs.run > run) return true;
  }
  return false;
}

/**
 * Whether a record of the log belongs to the other one of two workouts that an earlier run merged, and that are two by a person's word. The record
 * stays with the line that it was loaded for.
 */
async function isOfOtherHalf(
  line: Line,
  { key }: RemoteRecord,
  { journal, settings }: Pick<ComparisonContext, "journal" | "settings">,
): Promise<boolean> {
  const pairs = settings.manualDecisions?.pairs;
  if (key === line.key || pairs === undefined || !pairs.isApart(line.key)) return false;
  if (pairs.areTwo(line.key, key)) return true;
  const holder = await journal.lineWithKey(line.run, key);
  return holder !== undefined && (holder.state === "merged" ? holder.duplicateOf : holder.key) !== line.key;
}
