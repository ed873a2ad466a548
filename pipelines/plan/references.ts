/**
 * What a workout points at: its shoe and its course, by the keys of their records, as ids of the log.
 */
import type { Journal } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";

/**
 * Begins the reason of a workout that is in the log without its shoe or course, which was refused when the workout was sent and may
 * be there now.
 */
export const LACKS_REFERENCE = "plan/lacks-reference";

/** The line of a record that the run met as gone from the log, or as merged into one that is. */
export async function findGone(journal: Journal, run: number, key: string): Promise<Line | undefined> {
  let line = await journal.lineWithKey(run, key);
  for (let hops = 0; line !== undefined && hops < 16; hops++) {
    if (line.state === "gone") return line;
    if (line.state !== "merged" || line.duplicateOf === undefined || line.duplicateOf === line.key) return undefined;
    line = await journal.lineWithKey(run, line.duplicateOf);
  }
  return undefined;
}

/**
 * The log's id of the record a key became: put there by us, recognised there, or merged into one that was. None of one that is gone, unless
 * a later run brought it back.
 */
export async function findRemoteId(journal: Journal, run: number, key: string): Promise<string | undefined> {
  const gone = await findGone(journal, run, key);
  if (gone !== undefined) {
    const again = await journal.remoteRecord(gone.key);
    return again !== undefined && again.run > gone.run && again.finished ? again.remoteId : undefined;
  }
  const remoteRecord = await journal.remoteRecord(key);
  if (remoteRecord !== undefined) return remoteRecord.remoteId;
  let current = await journal.lineWithKey(run, key);
  for (let hops = 0; current !== undefined && hops < 16; hops++) {
    if (current.remoteId !== undefined) return current.remoteId;
    if (current.state !== "merged" || current.duplicateOf === undefined || current.duplicateOf === current.key)
      return undefined;
    const duplicate: string = current.duplicateOf;
    const remoteDuplicate = await journal.remoteRecord(duplicate);
    if (remoteDuplicate !== undefined) return remoteDuplicate.remoteId;
    current = await journal.lineWithKey(run, duplicate);
  }
  return undefined;
}

/** Ids in the log that a record points at. */
export interface References {
  readonly courseId?: string | undefined;
  readonly equipmentId?: string | undefined;
}
