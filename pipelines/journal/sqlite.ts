/**
 * The journal in one SQLite file.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openJournalDatabase, openJournalDatabaseToRead } from "./database.ts";
import type { Journal, JournalReader } from "./journal.ts";
import { takeLock } from "./lock.ts";
import { refuseNetwork, type StatFs } from "./place.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { SqliteJournalReader } from "./sqlite-journal-reader.ts";

/** What is other than usual. */
export interface OpenJournalOptions {
  /** Its owner says that no other machine uses it: it may lie on a network file system. */
  readonly onNetwork?: boolean | undefined;
  readonly statfs?: StatFs;
}

/**
 * Opens or makes the journal at a path (mode 0600), and takes its lock.
 *
 * @throws FatalError reason `locked` when another process has it; reason `journal` when it is not a journal, is damaged,
 * was made by a newer logferry, or lies where locks can't be relied on
 */
export async function openJournal(path: string, options: OpenJournalOptions = {}): Promise<Journal> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (options.onNetwork !== true) refuseNetwork(dirname(path), options.statfs);
  const lock = takeLock(path);
  try {
    return new SqliteJournal(openJournalDatabase(path), lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens a journal to look at it, without its lock: also while another process works with it.
 *
 * @throws FatalError as `openJournal`; reason `locked` only where an older logferry holds a journal of its own time
 */
export async function openJournalToRead(path: string): Promise<JournalReader> {
  let database = openJournalDatabaseToRead(path);
  if (database === undefined) {
    await (await openJournal(path)).close();
    database = openJournalDatabaseToRead(path);
  }
  if (database === undefined) throw new Error(`Cannot read ${path}: it is still of an older logferry`);
  return new SqliteJournalReader(database);
}
