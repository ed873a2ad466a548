/**
 * A closed journal has a checksum of its file beside it. With it, logferry notices a flipped bit on the disk before it sends anything.
 * SQLite itself checks only the structure of a file, and not the values in its rows.
 *
 * A process that opens the journal removes the checksum, and a clean close writes it again. A mark inside the file says which checksum
 * belongs to it. A journal that was restored from a backup has another mark, so it doesn't count as damaged. The file and the table are
 * called `seal`, because older versions know them by this name.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { FatalError } from "../../../connectors/errors.ts";

/**
 * Compares a journal with its checksum, if there is one, and removes the checksum.
 *
 * @throws FatalError `journal/damaged` when the file changed after it was closed
 */
export function checkAndRemoveChecksum(path: string): void {
  const written = readChecksum(path);
  // A killed process leaves a write-ahead log with its own checksums. The file itself may then be in any state in between.
  const isClosed = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (written !== undefined && isClosed && existsSync(path)) {
    const isSame = computeChecksum(path) === written.checksum;
    if (!isSame && markIn(path) === written.mark) throw damaged(path);
  }
  rmSync(checksumPath(path), { force: true });
}

/** Writes the checksum of a closed journal that contains this mark. */
export function writeChecksum(path: string, mark: string): void {
  writeFileSync(checksumPath(path), `${mark} ${computeChecksum(path)}\n`, { mode: 0o600 });
}

/** The error for a journal whose file changed since it was written. */
export function damaged(path: string, options?: ErrorOptions): FatalError {
  return new FatalError(
    "journal/damaged",
    "journal",
    `Cannot use ${path}: it is damaged, or was changed by something else. Restore it from a backup. Or move it aside and plan again: what is in the log already is recognised by listing it.`,
    options,
  );
}

function checksumPath(path: string): string {
  return `${path}.seal`;
}

function readChecksum(path: string): { readonly mark: string; readonly checksum: number } | undefined {
  if (!existsSync(checksumPath(path))) return undefined;
  const [, mark, checksum] = /^(\S+) (\d+)\n$/.exec(readFileSync(checksumPath(path), "utf8")) ?? [];
  return mark === undefined ? undefined : { mark, checksum: Number(checksum) };
}

/** CRC-32 of a file, read in chunks: 70 MB, a hundred thousand workouts, in 40 ms. */
function computeChecksum(path: string): number {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(1 << 20);
    let checksum = 0;
    for (let size = -1; size !== 0; ) {
      size = readSync(file, chunk, 0, chunk.length, null);
      checksum = crc32(chunk.subarray(0, size), checksum);
    }
    return checksum;
  } finally {
    closeSync(file);
  }
}

/** Reads the mark of a file that doesn't match its checksum. If the file can't be read at all, it counts as damaged. */
function markIn(path: string): string | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    // A backup from an older logferry has no table for the mark. A file that was cut off may have no tables at all.
    if (names.length > 0 && !names.includes("seal")) return undefined;
    return String(database.prepare("SELECT mark FROM seal").get()?.mark);
  } catch (error) {
    throw damaged(path, { cause: error });
  } finally {
    database.close();
  }
}
