/** The snapshots of a repository by the names of their files, for whoever watches over it without a key. */
import { join } from "node:path";
import { namesIn, readBytes, readSize } from "./files.ts";
import { SNAPSHOTS, sha256 } from "./layout.ts";
import { type Chunk, snapshotOf } from "./snapshot.ts";

/** A snapshot whose file is as it was written. */
export interface WholeSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Records that were listed and could not be read; undefined where the file is encrypted, and says so to nobody without its key. */
  readonly unread: number | undefined;
  /** The chunks it names; undefined as `unread`. */
  readonly pieces: readonly Chunk[] | undefined;
}

/** Whether chunks are there, as long as they were written: their bytes are for `check`. */
export async function areThere(root: string, pieces: readonly Chunk[]): Promise<boolean> {
  for (const { file, bytes } of pieces) if ((await readSize(root, file)) !== bytes) return false;
  return true;
}

/** How far apart the clocks of two machines may be that have one repository. */
const CLOCKS_APART_MS = 600_000;

/**
 * Whether a snapshot is of a time to come: the clock was wrong when it was made, or is now. It says nothing about how old backups are, and
 * what comes before or after it can't be told.
 *
 * @param now milliseconds since 1970
 */
export function isToCome({ time }: Pick<WholeSnapshot, "time">, now: number): boolean {
  return Date.parse(time) > now + CLOCKS_APART_MS;
}

/** Encrypted or not, a name begins with the time and ends in the SHA-256 of the file. */
const NAME = /^(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-.*?([0-9a-f]{64})\.json(?:\.age)?$/;

/** Snapshots whose files are as they were written, newest first: read one by one, so that looking at the first costs one file. */
export async function* wholeSnapshots(root: string): AsyncGenerator<WholeSnapshot> {
  for (const name of (await namesIn(join(root, SNAPSHOTS))).toReversed()) {
    const [, time, id] = NAME.exec(name) ?? [];
    const bytes = id === undefined ? undefined : await readBytes(root, `${SNAPSHOTS}/${name}`);
    if (time === undefined || id === undefined || bytes === undefined || sha256(bytes) !== id) continue;
    const body = snapshotOf(bytes.toString("utf8"));
    const unread = body?.unread.filter(({ id: one }) => one !== "*").length;
    yield { id, time: time.replace(/T(\d\d)(\d\d)/, "T$1:$2:"), unread, pieces: body?.pieces };
  }
}
