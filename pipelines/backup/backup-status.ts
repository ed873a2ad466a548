/** The state of a repository's backups: the age of the last good one, and of the last proven one. */
import { FatalError } from "../../connectors/errors.ts";
import { type Drill, readDrills } from "../../connectors/repository/drills.ts";
import { SNAPSHOTS } from "../../connectors/repository/layout.ts";
import { areThere, isToCome, wholeSnapshots } from "../../connectors/repository/newest.ts";
import { openRepository } from "../../connectors/repository/repository.ts";

/** A backup and its age. */
export interface AgedBackup {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** The time of the backup: ISO 8601, UTC. */
  readonly time: string;
  readonly ageMs: number;
}

/** The state of the backups. A missing member never happened. */
export interface BackupStatus {
  /**
   * The newest complete snapshot: its file is whole, its data exists, and every listed record was read. For an encrypted one, only its file
   * is checked.
   */
  readonly lastGood: AgedBackup | undefined;
  /**
   * The newest snapshot that a drill restored without a difference, and the time of that drill. The snapshot may have been forgotten since.
   */
  readonly lastProven: (AgedBackup & { readonly drilledAt: string }) | undefined;
  /** The last drill, with any result. */
  readonly lastDrill: Drill | undefined;
  /** Snapshots that somebody deleted without logferry. */
  readonly missing: number;
  /**
   * The time of the newest snapshot, if it is in the future. The clock was wrong then or is wrong now, so the snapshot doesn't count here.
   */
  readonly toCome: string | undefined;
}

/**
 * Reads the state of a repository's backups. It needs no key for an encrypted repository, and takes no lock.
 *
 * @param now milliseconds since 1970
 * @throws FatalError `repository/none` if there is no repository, `repository/newer`
 */
export async function readBackupStatus(repository: string, now: number): Promise<BackupStatus> {
  const opened = await openRepository(repository);
  if (!opened.isThere) {
    throw new FatalError("repository/none", "source", `There is no snapshot repository at ${repository}`);
  }
  const aged = (snapshot: string, time: string): AgedBackup => ({ snapshot, time, ageMs: now - Date.parse(time) });
  let lastGood: AgedBackup | undefined;
  let toCome: string | undefined;
  for await (const { id, time, unread = 0, pieces = [] } of wholeSnapshots(repository)) {
    if (isToCome({ time }, now)) toCome ??= time;
    if (unread > 0 || isToCome({ time }, now) || !(await areThere(repository, pieces))) continue;
    lastGood = aged(id, time);
    break;
  }
  const { drills } = await readDrills(repository);
  const [proven] = drills
    .filter(({ differences, snapshotTime }) => differences === 0 && !isToCome({ time: snapshotTime }, now))
    .toSorted(
      (a, b) => Date.parse(b.snapshotTime) - Date.parse(a.snapshotTime) || Date.parse(b.time) - Date.parse(a.time),
    );
  return {
    lastGood,
    lastProven: proven && { ...aged(proven.snapshot, proven.snapshotTime), drilledAt: proven.time },
    lastDrill: drills.at(-1),
    missing: (await opened.missingSnapshots()).filter(({ file }) => file.startsWith(`${SNAPSHOTS}/`)).length,
    toCome,
  };
}

/** Whether the last good backup is too old, or missing. */
export function isTooOld({ lastGood }: Pick<BackupStatus, "lastGood">, maxAgeMs: number): boolean {
  return lastGood === undefined || lastGood.ageMs > maxAgeMs;
}
