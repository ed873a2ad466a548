/**
 * Finds the values of a record that somebody edited in the log, and that a run left so on purpose. There are two cases. A run updated the record and
 * kept the edited fields. Or the run had nothing to change, so it left the whole record as it was, after a check had named the value to a person.
 * Everything else that is not as planned is a difference: nobody can tell an edit from a fault of the log there. A run that has nothing to change
 * doesn't read the record, so it is no sign that anybody saw the value. A record whose save is lost is no edit either (`lost-saves.ts`).
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Journal } from "../journal/journal.ts";
import type { RecordLine } from "../journal/line.ts";
import type { RemoteRecord } from "../journal/remote-record.ts";
import type { Difference, Run } from "../journal/run.ts";
import { compareBodies } from "../log/compare-bodies.ts";
import { lostSave } from "./lost-saves.ts";

/** The differences of a record from what logferry sent. */
export interface SplitDifferences {
  readonly list: readonly Difference[];
  /** Edits in the log that the run left so. */
  readonly edits: readonly Difference[];
  /** The record as the journal should have it, where its last save is lost. */
  readonly unsaved?: RemoteRecord | undefined;
}

/** Nobody edits so large a share of the records that a run left alone. Then the log itself changed them. */
const MOST_EDITED = 0.5;

/** Whether edits are so many that they are differences: more than one, and more than half of the compared records. */
export function areTooMany(edited: number, compared: number): boolean {
  return edited > 1 && edited > MOST_EDITED * compared;
}

/**
 * Splits the differences of a record.
 *
 * @param all all fields in which the record differs from what was sent last, or was to be sent
 */
export async function splitEdits(
  line: RecordLine,
  run: Run,
  read: { readonly record: RemoteRecord; readonly found: SaveBody; readonly all: readonly Difference[] },
  journal: Journal,
): Promise<SplitDifferences> {
  const { record, found, all } = read;
  const none: SplitDifferences = { list: all, edits: [] };
  if (all.length === 0 || run.options.restores !== undefined) return none;
  const unsaved = await lostSave(record, found, journal);
  if (unsaved !== undefined) return { ...none, unsaved };
  if (line.state === "unchanged") {
    // A run that was cut off may have sent it wrong. A finished one said that the log took it.
    const sender = record.run < run.id ? await journal.run(record.run) : undefined;
    const isLeft = sender?.state === "finished" && record.content !== "" && record.sent !== undefined;
    if (!isLeft) return none;
    const { kind, remoteId: id } = record;
    const known = new Set([
      ...(await journal.namedBefore(run.id, { kind, id, differences: all })),
      ...(await keptBy(record, { found, all }, journal)),
    ]);
    return { list: all.filter((one) => !known.has(one)), edits: all.filter((one) => known.has(one)) };
  }
  if (line.action !== "update") return none;
  const [written] = await journal.auditTrail.overwritten(run.id, line.seq);
  if (written === undefined || written.putBackAt !== undefined) return none;
  // The run wrote the edited values back. What the log still has as written is no difference.
  const since = new Set(compareBodies(written.sent, found).map(({ field }) => field));
  return {
    list: all.filter(({ field }) => since.has(field)),
    edits: all.filter(({ field }) => !since.has(field)),
  };
}

/** The differences that the run that sent a record had read before, and wrote back. */
async function keptBy(
  { run, key }: RemoteRecord,
  { found, all }: { readonly found: SaveBody; readonly all: readonly Difference[] },
  journal: Journal,
): Promise<readonly Difference[]> {
  const line = await journal.lineWithKey(run, key);
  const [written] = line === undefined ? [] : await journal.auditTrail.overwritten(run, line.seq);
  if (written === undefined || written.putBackAt !== undefined) return [];
  const since = new Set(compareBodies(written.sent, found).map(({ field }) => field));
  return all.filter(({ field }) => !since.has(field));
}
