/**
 * One journal, one process. The lock is an SQLite file held in an open exclusive transaction: the system frees it when the
 * process ends, however it ends, so no lock is ever stale. Who holds it stands in a file beside it, for the message.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { FatalError } from "../../connectors/errors.ts";

/** A held lock. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock of a journal.
 *
 * @throws FatalError reason `locked` when another process holds it, naming that process
 */
export function takeLock(journalPath: string): Lock {
  const holderPath = `${journalPath}.holder`;
  const database = new DatabaseSync(`${journalPath}.lock`, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new FatalError(
      "journal/locked",
      "locked",
      `Cannot open the journal: another run holds it (${readHolder(holderPath)}). Wait for it, or stop it.`,
    );
  }
  writeFileSync(holderPath, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, {
    mode: 0o600,
  });
  return {
    release() {
      rmSync(holderPath, { force: true });
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

function readHolder(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "it just started";
  }
}
