/**
 * A journal that nobody works with has a checksum of its file beside it. So a flipped bit on the disk is noticed before anything is sent.
 * SQLite looks at the shape of a file, and not at what is in its rows.
 *
 * Whoever opens the journal removes the checksum, and a clean close writes it again. A mark inside the file says which checksum belongs
 * to it. A journal that was restored from a backup has another mark, and is not taken for damaged. The file and the table are called
 * `seal`, as older versions know them.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { FatalError } from "../../connectors/errors.ts";

/** The row that holds the mark. */
export const MARK_SQL = { read: "SELECT mark FROM seal", write: "UPDATE seal SET mark = ?" } as const;

/**
 * Compares a journal with its checksum, where it has one, and removes the checksum.
 *
 * @throws FatalError `journal/damaged` when the file is not as it was closed
 */
export function checkAndRemoveChecksum(path: string): void {
  const written = readChecksum(path);
  // What a killed process left in the write-ahead log has checksums of its own, and the file may be anywhere between.
  const isClosed = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (written !== undefined && isClosed && existsSync(path)) {
    const isSame = computeChecksum(path) === written.checksum;
    if (!isSame && markIn(path) === written.mark) throw damaged(path);
  }
  rmSync(checksumPath(path), { force: true });
}

/** Writes the checksum of a journal that was closed with this mark in it. */
export function writeChecksum(path: string, mark: string): void {
  writeFileSync(checksumPath(path), `${mark} ${computeChecksum(path)}\n`, { mode: 0o600 });
}

/** A journal whose file is not as it was written. */
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

/** The mark in a file that is not as it was closed. A file so damaged that it can't be read counts as the closed one. */
function markIn(path: string): string | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    // A backup from the time of an older logferry knows no checksums; a file that was cut may know nothing at all.
    if (names.length > 0 && !names.includes("seal")) return undefined;
    return String(database.prepare(MARK_SQL.read).get()?.mark);
  } catch (error) {
    throw damaged(path, { cause: error });
  } finally {
    database.close();
  }
}
