/** Finds the record of the log that a line of a plan was loaded as. */
import type { Line } from "../../journal/line.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { isOneSource } from "../compare/own-records.ts";
import { tableOf } from "./compare-rows.ts";

/** The log record of a line. An earlier run stored it under the line's own key, or under the key of a line now merged into it. */
export async function findOwnRecord(
  line: Line,
  merged: readonly Line[],
  { journal, settings, sources }: ComparisonContext,
): Promise<RemoteRecord | undefined> {
  const loaded = await journal.remoteRecord(line.key);
  const own = loaded && (await afterEdits(line, loaded, { journal, sources }));
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
 * The record of a row, as the log has it. A row without an id is known by its content. So one that was edited, loaded, and edited back has the key of
 * its first version, and the log has the values of the later one.
 *
 * @returns undefined if the later version stands in the table, too: the log's workout is that row's
 */
async function afterEdits(
  line: Line,
  own: RemoteRecord,
  { journal, sources }: Pick<ComparisonContext, "journal" | "sources">,
): Promise<RemoteRecord | undefined> {
  if (own.key !== line.key || line.kind !== "workout" || sources[line.source]?.recordings === true) return own;
  const later = await journal.sentTo(own.kind, own.remoteId);
  if (later === undefined || later.key === line.key || later.run <= own.run) return own;
  const row = await journal.lineWithKey(later.run, later.key);
  const isSameTable = row !== undefined && tableOf(row.origin) === tableOf(line.origin);
  const isBoth = (await journal.lineWithKey(later.run, line.key)) !== undefined;
  if (!isSameTable || isBoth || !(await isOneSource(line, row, journal))) return own;
  if ((await journal.lineWithKey(line.run, later.key)) !== undefined) return undefined;
  // An update is held against what was sent last. The rest would count as an edit in the log.
  const ours = { ...later, key: line.key };
  await journal.keepRemoteRecord(ours);
  return ours;
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
