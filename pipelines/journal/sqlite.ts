/**
 * The journal in one SQLite file.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openJournalDatabase, openJournalDatabaseToRead } from "./database.ts";
import type { Journal, JournalReader } from "./journal.ts";
import { takeLock } from "./lock.ts";
import { refuseNetwork, type StatFs } from "./place.ts";
import { journalOn, readerOn } from "./sqlite-journal.ts";

/** Options for opening a journal. */
export interface OpenJournalOptions {
  /** The owner confirms that no other machine uses the journal. Then it may be on a network file system. */
  readonly onNetwork?: boolean | undefined;
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
    return journalOn(openJournalDatabase(path), lock.release);
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
