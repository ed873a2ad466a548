/**
 * Finds saves that the log confirmed and doesn't have: a save that something on the way answered itself, or the last commits of a database that failed over.
 * The record is then exactly as it was before the save. That is no edit of its owner, and the next import has to save it again.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import { mergeThreeWay } from "../../transforms/merge/three-way.ts";
import type { Journal } from "../journal/journal.ts";
import type { RemoteRecord } from "../journal/remote-record.ts";
import { differencesBetween, hashOfBody } from "../log/compare-bodies.ts";

/**
 * Whether the last save of a record is lost.
 *
 * @param found the record as the log has it. It differs from what was sent
 * @returns the record as the journal should have it: not finished, so that the next import saves it with the same result. Undefined where the save isn't lost
 */
export async function lostSave(
  record: RemoteRecord,
  found: SaveBody,
  journal: Journal,
): Promise<RemoteRecord | undefined> {
  if (record.sent === undefined) return undefined;
  if (!record.finished) return record;
  const maker = await journal.lineWithKey(record.run, record.key);
  const [written] = maker === undefined ? [] : await journal.auditTrail.overwritten(record.run, maker.seq);
  if (written === undefined) {
    // Right after its import a workout has the values that the log read from its file. Nobody types these again.
    const made = await journal.imported(record.remoteId);
    return made?.hash === hashOfBody(found) ? { ...record, finished: false, sent: found } : undefined;
  }
  // A save that kept the edits of all that it would change leaves the record as it was, and isn't lost.
  const isAsBefore =
    written.putBackAt === undefined &&
    written.id === record.remoteId &&
    differencesBetween(written.before, found).length === 0 &&
    differencesBetween(written.sent, found).length > 0;
  // Where a check saw the record as it was sent, its owner took the update back.
  if (!isAsBefore || (await journal.wasSeenAsSent(record))) return undefined;
  // Edits that the lost save kept differ from this body, and the next save keeps them, too.
  const { body } = mergeThreeWay<SaveBody>(written.sent, found, record.sent as SaveBody);
  return { ...record, finished: false, sent: body };
}
