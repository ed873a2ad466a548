/**
 * The journal in one SQLite file.
 */
import { mkdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import { openJournalDatabase, openJournalDatabaseToRead } from "./database.ts";
import type { Journal, JournalReader } from "./journal.ts";
import { takeLock } from "./lock.ts";
import { journalOn, readerOn } from "./sqlite-journal.ts";

/** Options for opening a journal. */
export interface OpenJournalOptions {
  /** The owner confirms that no other machine uses the journal. Then it may be on a network file system. */
  readonly onNetwork?: boolean | undefined;
  /**
   * Whether each commit waits until the disk has it; default it does. Without, the death of the process loses nothing, and a power cut may lose the
   * latest commits: enough where everything can be done once more, as in a rehearsal.
   */
  readonly waitsForDisk?: boolean | undefined;
  readonly statfs?: StatFs;
}

/**
 * Opens or creates the journal at a path (mode 0600), and takes its lock.
 *
 * @throws FatalError reason `locked` when another process has it; reason `journal` when it is not a journal, is damaged, was made by a
 * newer logferry, or is in a place where locks are not reliable
 */
export async function openJournal(path: string, options: OpenJournalOptions = {}): Promise<Journal> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (options.onNetwork !== true) refuseNetwork(dirname(path), options.statfs);
  const lock = takeLock(path);
  try {
    return journalOn(openJournalDatabase(path, options.waitsForDisk), lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens a journal to read it, without its lock. This works while another process uses the journal.
 *
 * @throws FatalError as `openJournal`; reason `locked` only when an older logferry holds a journal of an older version
 */
export async function openJournalToRead(path: string): Promise<JournalReader> {
  let database = openJournalDatabaseToRead(path);
  if (database === undefined) {
    await (await openJournal(path)).close();
    database = openJournalDatabaseToRead(path);
  }
  if (database === undefined) throw new Error(`Cannot read ${path}: it is still of an older logferry`);
  return readerOn(database);
}

// Checks the folder of a journal. The journal's locks and its write-ahead log need a file system on this machine. On a network file system,
// SQLite may give a lock twice (https://sqlite.org/faq.html#q5), and two runs would load the same workouts.

/** Network file systems, by their numbers in Linux: linux/magic.h, and the modules' own headers. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB",
  1397113167: "AFS",
  1937076805: "Coda",
  22092: "NCP",
};

/** Reads the type of a folder's file system. Only tests use another function than `statfsSync`. */
type StatFs = (folder: string) => { readonly type: number };

/**
 * Refuses a folder on a network file system.
 *
 * @throws FatalError `journal/on-network`
 */
function refuseNetwork(folder: string, statfs: StatFs = statfsSync): void {
  // On other systems, the numbers have other meanings.
  if (process.platform !== "linux") return;
  const name = NETWORK[statfs(folder).type >>> 0];
  if (name === undefined) return;
  throw new FatalError(
    "journal/on-network",
    "journal",
    `Cannot keep the journal in ${folder}: it is on a network file system (${name}), where two runs could hold it at once. Name another place with --journal. If no other machine ever uses this journal, say --network-journal.`,
  );
}
