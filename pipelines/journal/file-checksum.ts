/**
 * A journal that nobody works with has a seal beside it: a checksum of its file, so that a bit which flipped on the disk is
 * noticed before anything is sent for it. SQLite looks at the shape of a file, and not at what is in its rows.
 *
 * The seal is broken by whoever opens the journal, and put there again by a clean close. A mark inside the file says which seal
 * belongs to it: one that was restored from a backup has another mark, and is not taken for damaged.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { FatalError } from "../../connectors/errors.ts";

/** The row that holds the mark. */
export const MARK_SQL = { read: "SELECT mark FROM seal", write: "UPDATE seal SET mark = ?" } as const;

/**
 * Compares a journal with its seal, where it has one, and takes the seal away.
 *
 * @throws FatalError `journal/damaged` when the file is not as it was closed
 */
export function breakSeal(path: string): void {
  const sealed = readSeal(path);
  // What a killed process left in the write-ahead log has checksums of its own, and the file may be anywhere between.
  const isClosed = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (sealed !== undefined && isClosed && existsSync(path)) {
    const isSame = checksumOf(path) === sealed.checksum;
    if (!isSame && markIn(path) === sealed.mark) throw damaged(path);
  }
  rmSync(sealPath(path), { force: true });
}

/** Seals a journal that was closed with this mark in it. */
export function putSeal(path: string, mark: string): void {
  writeFileSync(sealPath(path), `${mark} ${checksumOf(path)}\n`, { mode: 0o600 });
}

/** A journal whose file is not as it was written. */
export function damaged(path: string, options?: ErrorOptions): FatalError {
  return new FatalError(
    "journal/damaged",
    "journal",
    `Cannot use ${path}: it is damaged, or was changed by something else. Restore it from a backup; or move it aside and plan again: what is in the log already is recognised by listing it.`,
    options,
  );
}

function sealPath(path: string): string {
  return `${path}.seal`;
}

function readSeal(path: string): { readonly mark: string; readonly checksum: number } | undefined {
  if (!existsSync(sealPath(path))) return undefined;
  const [, mark, checksum] = /^(\S+) (\d+)\n$/.exec(readFileSync(sealPath(path), "utf8")) ?? [];
  return mark === undefined ? undefined : { mark, checksum: Number(checksum) };
}

/** CRC-32 of a file, read in pieces: 70 MB, a hundred thousand workouts, in 40 ms. */
function checksumOf(path: string): number {
  const file = openSync(path, "r");
  try {
    const piece = Buffer.alloc(1 << 20);
    let checksum = 0;
    for (let size = -1; size !== 0; ) {
      size = readSync(file, piece, 0, piece.length, null);
      checksum = crc32(piece.subarray(0, size), checksum);
    }
    return checksum;
  } finally {
    closeSync(file);
  }
}

/** The mark in a file that is not as it was sealed. A file so damaged that it can't be read counts as the sealed one. */
function markIn(path: string): string | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name);
    // A backup from the time of an older logferry knows no seals; a file that was cut may know nothing at all.
    if (names.length > 0 && !names.includes("seal")) return undefined;
    return String(database.prepare(MARK_SQL.read).get()?.mark);
  } catch (error) {
    throw damaged(path, { cause: error });
  } finally {
    database.close();
  }
}
