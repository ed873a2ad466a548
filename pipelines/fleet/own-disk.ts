/** The disk of a worker's own, on which it keeps its copies of journals. Where it can't be written, other workers can still do the athletes. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TransferError } from "../../connectors/errors.ts";

/** Codes of the system about the disk of this machine. */
const OF_DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"]);

/** Codes of a journal's copy about the same. The journal itself is whole, in PostgreSQL. */
const OF_COPY: ReadonlySet<string> = new Set(["journal/disk-full", "journal/io", "journal/read-only"]);

/** Results of SQLite about the same: it can't be written (8, 10, 14), and there is no room (13). https://sqlite.org/rescode.html */
const OF_SQLITE: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** Whether an error, or its cause, says that the disk of this machine is full or can't be written. */
export function isOfOwnDisk(error: unknown): boolean {
  if (error instanceof SuppressedError) return isOfOwnDisk(error.error) || isOfOwnDisk(error.suppressed);
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof TransferError && OF_COPY.has(error.code)) return true;
  if ("errcode" in error && OF_SQLITE.has(Number(error.errcode) & 0xff)) return true;
  return ("syscall" in error && OF_DISK.has(code ?? "")) || isOfOwnDisk(error.cause);
}

/** Bytes that a disk must have room for before a worker uses it again. A full one that is tried with less is full again at once. */
const ROOM = 4 << 20;

/** Whether a folder has room again: writes a file there, and removes it. */
export function hasRoom(folder: string): boolean {
  const path = join(folder, "room");
  try {
    writeFileSync(path, Buffer.alloc(ROOM), { flush: true });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}
