/**
 * Gives up the damaged parts of a repository, so that a policy can forget the rest again. These parts are snapshots that are damaged or
 * missing, snapshots with damaged data, and damaged notes of drills. The last whole snapshot always stays.
 */
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { checkRepository } from "../../connectors/repository/check.ts";
import { type Damage, DRILLS, SNAPSHOTS } from "../../connectors/repository/layout.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { takeRepositoryLock } from "../journal/lock.ts";

/** The parts that were given up, or would be. */
export interface Dropped {
  /** Files that can't be read at all, and missing snapshots. */
  readonly files: readonly Damage[];
  /** Readable snapshots with data that can't be read. */
  readonly incomplete: readonly Snapshot[];
  /** Whole snapshots. */
  readonly kept: readonly Snapshot[];
  /**
   * Damage of other files: files that identify the repository and its key, which the next backup writes again, and files that don't belong
   * to it.
   */
  readonly left: readonly Damage[];
}

/**
 * Gives up the damaged parts.
 *
 * @param dryRun only report the parts that would go
 * @throws FatalError `repository/damaged` when no snapshot is whole; `repository/none`, `repository/locked`
 */
export async function dropDamaged(
  repository: Repository,
  dryRun: boolean,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Dropped> {
  if (!repository.isThere) {
    throw new FatalError("repository/none", "source", `There is no snapshot repository at ${repository.root}`);
  }
  using _lock = takeRepositoryLock(repository.root);
  const { damaged } = await checkRepository(repository, { part: 1, of: 1 }, signal, onProgress);
  if (signal.aborted) throw new RetryableError("api/stopped", "Cannot give up anything: stopped before it was checked");
  const files = damaged.filter(({ file }) => file.startsWith(`${SNAPSHOTS}/`) || file.startsWith(`${DRILLS}/`));
  const data = new Set(damaged.map(({ file }) => repository.chunkIn(file) ?? file));
  const { snapshots } = await repository.readSnapshots();
  // A readable snapshot that contradicts another file is damaged, too.
  const sound = snapshots.filter(({ file }) => !files.some((one) => one.file === file));
  const isIncomplete = ({ pieces }: Snapshot) => pieces.some(({ file }) => data.has(file));
  const [incomplete, kept] = [sound.filter(isIncomplete), sound.filter((one) => !isIncomplete(one))];
  if (damaged.length > 0 && kept.length === 0) {
    throw new FatalError(
      "repository/damaged",
      "source",
      "Cannot give up what is damaged: no snapshot is whole. Make a backup first, which writes anew what the log still holds.",
    );
  }
  if (!dryRun) {
    await repository.removeSnapshotFiles(files.map(({ file }) => file));
    await repository.removeSnapshots(incomplete, kept);
  }
  const named = new Set(sound.flatMap(({ pieces }) => pieces.map(({ file }) => file)));
  const left = damaged.filter((one) => !files.includes(one) && !named.has(repository.chunkIn(one.file) ?? one.file));
  return { files, incomplete, kept, left };
}
