/** Turns the shoe and the course of a workout, given by the keys of their records, into ids of the log. */
import type { Journal } from "../../journal/journal.ts";
import type { Line } from "../../journal/line.ts";

/**
 * Begins the reason for an update of a workout that is in the log without its shoe or course. The log refused the shoe or course when the
 * workout was sent, and may have it now.
 */
export const LACKS_REFERENCE = "plan/lacks-reference";

/** Begins the reason of an update of a record that the log has back as it was before the last run that wrote it. */
export const EARLIER_VERSION = "the log has an earlier version of it back";

/**
 * The line of a record, if the run found that record gone from the log. For a merged record: the line of the gone record it was merged
 * into.
 */
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
 * Finds the log's id of the record with this key. The record was loaded, recognised in the log, or merged into such a record. A gone record
 * has no id, unless a later run brought it back.
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

/** Most ids that are remembered. A shoe is worn in many workouts, and an archive may name hundreds of thousands of things. */
const MOST_REMEMBERED = 1000;

/** Remembers what `findRemoteId` found, for things that many workouts name. Only for code that reads: nothing may load or lose a record meanwhile. */
export class RemoteIds {
  readonly #journal: Journal;
  readonly #found = new Map<string, Promise<string | undefined>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** See `findRemoteId`. */
  find(run: number, key: string): Promise<string | undefined> {
    const name = `${run} ${key}`;
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    if (this.#found.size >= MOST_REMEMBERED) this.#found.clear();
    const found = findRemoteId(this.#journal, run, key);
    this.#found.set(name, found);
    return found;
  }
}

/** The ids of the log that a record refers to. */
export interface References {
  readonly courseId?: string | undefined;
  readonly equipmentId?: string | undefined;
}
