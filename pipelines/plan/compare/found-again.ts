/**
 * Finds a record of ours that is gone under its id, and is in the log under another id. A restore made it again, or its owner typed it
 * again.
 */
import { keyInSnapshot } from "../../../connectors/repository/source.ts";
import { toFacts, type WorkoutFacts } from "../../../transforms/duplicates.ts";
import type { Kind } from "../../../transforms/model/item.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Line, RecordLine } from "../../journal/line.ts";
import type { ClaimedEntry, RemoteRecord } from "../../journal/remote-record.ts";

/** A log stores distances to the metre and times to the second. Values this close are the same value. */
const SAME = 1;

/** Limit of restores in a row. Each one made the record of the one before again. */
const MOST_RESTORES = 16;

/**
 * Finds the record that replaces a gone one in the log. A record made by a restore comes first. For a workout, the next choice is a record
 * that equals it in all values of a listing.
 *
 * @param candidates records of the log that may replace it, and that no line of the run has claimed
 */
export async function findAgain(
  line: RecordLine,
  { remoteId }: Pick<RemoteRecord, "remoteId">,
  journal: Journal,
  candidates: readonly ClaimedEntry[],
): Promise<ClaimedEntry | undefined> {
  const restored = new Set(await idsSince(line.kind, remoteId, journal));
  const made = candidates.find(({ id }) => restored.has(id));
  if (made !== undefined || line.kind !== "workout") return made ?? candidates[0];
  const facts = toFacts(line.value);
  return facts && candidates.find((entry) => entry.facts !== undefined && isEqual(facts, entry.facts));
}

/**
 * Finds an earlier record of a line in the log. A run made the record again after it was gone, and now the log has its old data back: the
 * earlier record is there, and the later one is not.
 *
 * @param merged the lines that were merged into it
 * @returns the id of the newest such record; undefined if there is none
 */
export async function findEarlier(
  line: RecordLine,
  merged: readonly Line[],
  { remoteId }: Pick<RemoteRecord, "remoteId">,
  journal: Journal,
): Promise<string | undefined> {
  const ids = new Set<string>();
  for (const { key } of [line, ...merged])
    for (const earlier of await journal.auditTrail.linesWithKey(key))
      if (earlier.kind === line.kind && earlier.remoteId !== undefined) ids.add(earlier.remoteId);
  ids.delete(remoteId);
  for (const id of [...ids].reverse()) if (await journal.logHas(line.kind, id)) return id;
  return undefined;
}

/** The ids that restores gave a record, from one restore to the next. */
async function idsSince(kind: Kind, id: string, journal: Journal): Promise<readonly string[]> {
  const ids: string[] = [];
  let current: string | undefined = id;
  while (current !== undefined && ids.length < MOST_RESTORES) {
    current = (await journal.remoteRecord(keyInSnapshot(kind, current)))?.remoteId;
    if (current === undefined || current === id || ids.includes(current)) break;
    ids.push(current);
  }
  return ids;
}

function isEqual(a: WorkoutFacts, b: WorkoutFacts): boolean {
  const isClose = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? one === other : Math.abs(one - other) <= SAME;
  return (
    a.date === b.date &&
    a.time?.slice(0, 5) === b.time?.slice(0, 5) &&
    isClose(a.metres, b.metres) &&
    isClose(a.seconds, b.seconds)
  );
}

/**
 * Notes that a record is in the log under another id. The lines merged into it get the same id.
 *
 * @param other what else is different about it
 * @returns the record with its new id
 */
export async function placeAgain(
  line: Line,
  merged: readonly Line[],
  remoteId: string,
  journal: Journal,
  other: Partial<Pick<RemoteRecord, "sent">> = {},
): Promise<RemoteRecord | undefined> {
  const old = await journal.remoteRecord(line.key);
  if (old === undefined || old.remoteId === remoteId) return old;
  for (const { key } of [line, ...merged]) {
    const remoteRecord = await journal.remoteRecord(key);
    if (remoteRecord?.remoteId === old.remoteId)
      await journal.keepRemoteRecord({ ...remoteRecord, remoteId, ...other });
  }
  return { ...old, remoteId, ...other };
}
