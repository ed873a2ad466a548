/**
 * Locks between processes. A lock is an SQLite file with an open exclusive transaction. The system ends the transaction when the process
 * ends, for whatever reason. So no lock is ever stale. A file beside the lock names the process that holds it, for the message.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FatalError } from "../../connectors/errors.ts";

/** A held lock. */
export interface Lock extends Disposable {
  release(): void;
}

/** The lock of a promotion, in the folder of its rehearsal. */
const PROMOTION = "promotion";

/** `findHolder` takes a shared lock for a moment. Taking a lock waits this long for it (milliseconds). */
const LOOK_MS = 50;

/**
 * Takes the lock of a journal.
 *
 * @throws FatalError `journal/locked`, reason `locked`, when another process holds it, naming that process
 */
export function takeLock(journalPath: string): Lock {
  return hold(journalPath, (holder) => {
    const message = `Cannot open the journal: another run holds it (${holder}). Wait for it, or stop it.`;
    return new FatalError("journal/locked", "locked", message);
  });
}

/**
 * Takes the lock of an account. Without it, two runs with two journals would mistake each other's workouts for somebody else's.
 *
 * @param folder the folder with the locks of all accounts
 * @param account identifies the account, and fits into a file name
 * @throws FatalError `journal/account-locked`, reason `locked`, when another process works on it, naming that process
 */
export function takeAccountLock(folder: string, account: string, name: string): Lock {
  return hold(`${folder}/${account}`, (holder) => {
    const message = `Cannot begin: another run works on the log of ${name}, with a journal of its own (${holder}). Wait for it, or stop it.`;
    return new FatalError("journal/account-locked", "locked", message);
  });
}

/**
 * Takes the lock of a snapshot repository, so that only one backup at a time writes to it.
 *
 * @param folder the repository; it is created when it is missing
 * @throws FatalError `repository/locked`, reason `locked`, when another process holds it, naming that process
 */
export function takeRepositoryLock(folder: string): Lock {
  return hold(`${folder}/repository`, (holder) => {
    const message = `Cannot use the repository ${folder}: another logferry works on it (${holder}). Wait for it, or stop it.`;
    return new FatalError("repository/locked", "locked", message);
  });
}

/**
 * Takes the lock of backups on a schedule. The lock is also held while the schedule waits for the next backup.
 *
 * @param path the lock is a file beside this path
 * @throws FatalError `repository/scheduled`, reason `locked`, when another process holds it, naming that process
 */
export function takeScheduleLock(path: string, repository: string): Lock {
  return hold(path, (holder) => {
    const message = `Cannot begin: backups into ${repository} are made on a schedule already (${holder}). Stop it first.`;
    return new FatalError("repository/scheduled", "locked", message);
  });
}

/**
 * Takes the lock of a promotion. It is also held while the promotion waits for its hours, when the journal is free.
 *
 * @param folder the folder of the rehearsal
 * @throws FatalError `promotion/locked`, reason `locked`, when another process holds it, naming that process
 */
export function takePromotionLock(folder: string): Lock {
  return hold(join(folder, PROMOTION), (holder) => {
    const message = `Cannot begin: another promotion of the rehearsal in ${folder} is in progress (${holder}). Wait for it, or stop it.`;
    return new FatalError("promotion/locked", "locked", message);
  });
}

/** The process that promotes the rehearsal in a folder now, even while it waits, as in `findHolder`. */
export function findPromoter(folder: string): string | undefined {
  return findHolder(join(folder, PROMOTION));
}

/**
 * The process that holds the lock of a journal now: `process 4711 on host, since 2026-01-01T08:00:00.000Z`; undefined when the lock is
 * free.
 */
export function findHolder(journalPath: string): string | undefined {
  const path = `${journalPath}.lock`;
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return readHolder(`${journalPath}.holder`);
  } finally {
    database.close();
  }
}

/** @throws FatalError `journal/no-lock` when the disk doesn't take the lock */
function hold(path: string, refusal: (holder: string) => FatalError): Lock {
  try {
    return holdFile(path, refusal);
  } catch (error) {
    throw asLockError(error, `${path}.lock`);
  }
}

/** Errors of the disk, by their names and by those of SQLite (https://sqlite.org/rescode.html). */
const REMEDIES: readonly (readonly [codes: readonly (string | number)[], remedy: string])[] = [
  [["ENOSPC", "EDQUOT", 13], "the disk is full. Free some space, then run the same command again: nothing is repeated"],
  [["EROFS", 8], "the disk can't be written to"],
  [["EACCES", "EPERM", 14], "its permissions don't allow it. Check the folder's permissions"],
  [["EIO", 10], "the disk reports an error. Check the disk"],
];

function asLockError(error: unknown, path: string): unknown {
  const { code, errcode = 0 } = error as { readonly code?: string; readonly errcode?: number };
  const remedy = REMEDIES.find(([codes]) => codes.includes(errcode & 0xff) || codes.includes(code ?? ""))?.[1];
  if (error instanceof FatalError || remedy === undefined) return error;
  return new FatalError("journal/no-lock", "journal", `Cannot write ${path}: ${remedy}`, { cause: error });
}

function holdFile(path: string, refusal: (holder: string) => FatalError): Lock {
  const holderPath = `${path}.holder`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lockPath = `${path}.lock`;
  // SQLite would create a file that everybody can read.
  closeSync(openSync(lockPath, "a", 0o600));
  const database = new DatabaseSync(lockPath, { timeout: LOOK_MS });
  try {
    database.exec("BEGIN EXCLUSIVE");
    const holder = `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`;
    writeFileSync(holderPath, holder, { mode: 0o600 });
  } catch (error) {
    database.close();
    throw isBusy(error) ? refusal(readHolder(holderPath)) : error;
  }
  const release = () => {
    rmSync(holderPath, { force: true });
    database.close();
  };
  return { release, [Symbol.dispose]: release };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

/** Reads the holder of a lock. Right after the lock was taken, the file may be missing or empty. */
function readHolder(path: string): string {
  const nobodyYet = "it just started";
  try {
    return readFileSync(path, "utf8").trim() || nobodyYet;
  } catch {
    return nobodyYet;
  }
}
