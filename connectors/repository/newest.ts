/** Lists the snapshots of a repository by the names of their files, for monitoring without a key. */
import { join } from "node:path";
import { namesIn, readBytes, readSize } from "./files.ts";
import { SNAPSHOTS, sha256 } from "./layout.ts";
import { type Chunk, snapshotOf } from "./snapshot.ts";

/** A snapshot with an undamaged file. */
export interface WholeSnapshot {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Records that were listed and could not be read; undefined for an encrypted file, because this needs its key. */
  readonly unread: number | undefined;
  /** The chunks that it names; undefined for an encrypted file. */
  readonly pieces: readonly Chunk[] | undefined;
}

/** Whether chunks exist with their right lengths. Only `check` reads their bytes. */
export async function areThere(root: string, pieces: readonly Chunk[]): Promise<boolean> {
  for (const { file, bytes } of pieces) if ((await readSize(root, file)) !== bytes) return false;
  return true;
}

/** Largest difference between the clocks of two machines that share a repository, in milliseconds. */
const CLOCKS_APART_MS = 600_000;

/**
 * Whether a snapshot's time is in the future: the clock was wrong when it was made, or is wrong now. Such a snapshot doesn't show how old
 * the backups are. It also has no known place in the order of snapshots.
 *
 * @param now milliseconds since 1970
 */
export function isToCome({ time }: Pick<WholeSnapshot, "time">, now: number): boolean {
  return Date.parse(time) > now + CLOCKS_APART_MS;
}

/** The name begins with the time and ends in the SHA-256 of the file, encrypted or not. */
const NAME = /^(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)-.*?([0-9a-f]{64})\.json(?:\.age)?$/;

/** Gives the undamaged snapshots, newest first. It reads them one by one, so that the first costs only one file. */
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
