/** What can be wrong with the file of a journal, and what to do. */
import { basename } from "node:path";
import { FatalError } from "../../../connectors/errors.ts";
import { damaged } from "./checksum.ts";

/** The error where the file at the path of an open journal is another one by now. @param file the file that was replaced */
export function replaced(path: string, file: string): FatalError {
  return new FatalError(
    "journal/replaced",
    "journal",
    `Cannot use ${path} any more: somebody deleted, moved or replaced ${basename(file)} while this run was working with it. Nothing more is sent. Put it back where it was and run the same command again. Or plan again: what is in the log already is recognised by listing it.`,
  );
}

const SQLITE_CORRUPT = 11;

/**
 * No room for the index of the write-ahead log, which even a reader needs (SQLITE_IOERR_SHMSIZE). A full disk answers so where nobody has the journal
 * open, though an I/O error sounds like a broken one.
 */
const NO_ROOM_FOR_INDEX = 4874;
const SQLITE_FULL = 13;

/** SQLite's errors, by their primary codes. https://sqlite.org/rescode.html */
const REMEDIES: Readonly<Record<number, { code: string; remedy: string }>> = {
  8: { code: "journal/read-only", remedy: "it can't be written. Check the folder's permissions" },
  10: { code: "journal/io", remedy: "the disk reports an error. Check the disk" },
  13: {
    code: "journal/disk-full",
    remedy: "the disk is full. Free some space, then run the same command again: nothing is repeated",
  },
  14: { code: "journal/cannot-open", remedy: "it can't be opened. Check the folder's permissions" },
  26: { code: "journal/not-a-journal", remedy: "it is not a journal of logferry" },
};

/** Errors of the system where the write-ahead log is synced, and SQLite's codes for the same. */
const OF_SYSTEM: Readonly<Record<string, number>> = {
  EIO: 10,
  ENOSPC: SQLITE_FULL,
  EDQUOT: SQLITE_FULL,
  EROFS: 8,
  EACCES: 14,
};

/**
 * Errors of SQLite and of the system, as the run reports them. Other errors are given back unchanged.
 *
 * @param path the file, for the message
 */
export function asJournalError(error: unknown, path: string): unknown {
  const { errcode, code = "" } = (error instanceof Error ? error : {}) as { errcode?: number; code?: string };
  const number = errcode ?? OF_SYSTEM[code];
  if (number === undefined) return error;
  if ((number & 0xff) === SQLITE_CORRUPT) return damaged(path, { cause: error });
  const known = REMEDIES[number === NO_ROOM_FOR_INDEX ? SQLITE_FULL : number & 0xff];
  if (known === undefined) return error;
  return new FatalError(known.code, "journal", `Cannot use ${path}: ${known.remedy}.`, { cause: error });
}
