/** Rebuilds a journal's file from what was kept elsewhere: a copy of the file, and the changes after it. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { FatalError } from "../../connectors/errors.ts";
import { APPLICATION_ID, STEPS } from "./schema.ts";

/** The version of the tables that this logferry makes. */
export const JOURNAL_VERSION = STEPS.length;

/** A journal that is kept elsewhere. */
export interface KeptJournal {
  /** The version of its tables. */
  readonly version: number;
  /** The pieces of a copy of its file, in order; undefined when it began empty. */
  readonly snapshot: AsyncIterable<Uint8Array> | undefined;
  /** The changes after the snapshot, in order, as `JournalDatabase.takeChanges` gave them. */
  readonly changes: AsyncIterable<Uint8Array>;
}

/**
 * Writes the file of a journal that is kept elsewhere (mode 0600), with its tables as they were kept. Opening it brings them up to date.
 *
 * @param path a file that doesn't exist yet, or is empty
 * @throws FatalError `journal/newer` when a newer logferry made it; `journal/damaged` when its changes don't fit together
 */
export async function rebuildJournal(path: string, { version, snapshot, changes }: KeptJournal): Promise<void> {
  if (version > JOURNAL_VERSION) {
    throw new FatalError(
      "journal/newer",
      "journal",
      "Cannot open the journal: it was made by a newer logferry. Update logferry.",
    );
  }
  await writeFile(path, snapshot);
  const database = new DatabaseSync(path);
  try {
    // The file is made anew after a crash, so nothing waits for the disk.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    if (snapshot === undefined) {
      const tables = STEPS.slice(0, version).join(";\n");
      database.exec(
        `PRAGMA application_id = ${APPLICATION_ID}; BEGIN; ${tables}; PRAGMA user_version = ${version}; COMMIT`,
      );
    }
    let count = 0;
    for await (const change of changes) {
      count++;
      if (!fits(database, change)) throw doesNotFit(count);
    }
  } finally {
    database.close();
  }
}

async function writeFile(path: string, pieces: KeptJournal["snapshot"]): Promise<void> {
  const file = openSync(path, "w", 0o600);
  try {
    for await (const piece of pieces ?? []) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** Applies a change. Whatever a conflict may be, SQLite leaves the database as it was. */
function fits(database: DatabaseSync, change: Uint8Array): boolean {
  try {
    return database.applyChangeset(change);
  } catch (error) {
    if (error instanceof Error && "errcode" in error) return false;
    throw error;
  }
}

function doesNotFit(count: number): FatalError {
  return new FatalError(
    "journal/damaged",
    "journal",
    `Cannot open the journal: change ${count} after its last snapshot doesn't fit. Restore the database from a backup. Or begin a new journal: what is in the log already is recognised by listing it.`,
  );
}
