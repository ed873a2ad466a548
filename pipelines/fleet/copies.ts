/**
 * The folder in which a worker keeps its copies of journals. A worker that is killed leaves them behind, so each one that starts removes those of dead
 * workers. The system ends the lock of a folder with the process that holds it.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { FatalError } from "../../connectors/errors.ts";
import { type Lock, takeLock } from "../journal/lock.ts";

/** A folder of this worker's own, until it is disposed of. */
export interface Copies extends Disposable {
  readonly path: string;
}

/** An older logferry put copies here without a lock. After a day without a change nobody uses them. */
const OLD_MS = 24 * 3_600_000;

/**
 * Removes the copies of dead workers, and makes a folder for those of this one.
 *
 * @param folder of all workers of this user, on this machine's own disk
 * @param now milliseconds since 1970
 */
export function openCopies(folder: string, now: number): Copies {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(WORKER)) removeIfDead(path);
    if (name.startsWith("journal-") && now - changedAt(path) > OLD_MS) remove(path);
  }
  const path = mkdtempSync(join(folder, WORKER));
  // Another worker that starts at this moment may take the empty folder for that of a dead one, and remove it. The lock makes it again.
  const lock = lockOf(path) ?? takeLock(join(path, LOCK));
  const close = () => {
    lock.release();
    remove(path);
  };
  return { path, [Symbol.dispose]: close };
}

const WORKER = "worker-";
const LOCK = "copies";

function removeIfDead(path: string): void {
  const lock = lockOf(path);
  if (lock === undefined) return;
  lock.release();
  remove(path);
}

/** @returns undefined while another process has it */
function lockOf(path: string): Lock | undefined {
  try {
    return takeLock(join(path, LOCK));
  } catch (error) {
    if (error instanceof FatalError && error.reason === "locked") return undefined;
    throw error;
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
