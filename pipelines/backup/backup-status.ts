/** How the backups of a repository stand: how old the last good one is, and the last one that was proven. */
import { FatalError } from "../../connectors/errors.ts";
import { type Drill, readDrills } from "../../connectors/repository/drills.ts";
import { SNAPSHOTS } from "../../connectors/repository/layout.ts";
import { areThere, isToCome, wholeSnapshots } from "../../connectors/repository/newest.ts";
import { openRepository } from "../../connectors/repository/repository.ts";

/** A backup, and how old it is. */
export interface AgedBackup {
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** When it was made: ISO 8601, UTC. */
  readonly time: string;
  readonly ageMs: number;
}

/** How backups stand. Whatever there never was is undefined. */
export interface BackupStatus {
  /** The newest snapshot whose file is whole, whose data is there, and for which every listed record was read. Of an encrypted one, its file alone tells. */
  readonly lastGood: AgedBackup | undefined;
  /** The newest snapshot that a drill restored without a difference, though it may have been forgotten since; and when that drill was. */
  readonly lastProven: (AgedBackup & { readonly drilledAt: string }) | undefined;
  /** The last drill, whatever it found. */
  readonly lastDrill: Drill | undefined;
  /** Snapshots that somebody deleted, though not with logferry. */
  readonly missing: number;
  /** The time of the newest snapshot, where it is still to come: the clock was wrong then or is now, and the snapshot counts for nothing here. */
  readonly toCome: string | undefined;
}

/**
 * How the backups of a repository stand. Needs no key where the repository is encrypted, and takes no lock.
 *
 * @param now milliseconds since 1970
 * @throws FatalError `repository/none` where there is no repository, `repository/newer`
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

/** Whether the last good backup is older than it may be, or there is none. */
export function isTooOld({ lastGood }: Pick<BackupStatus, "lastGood">, maxAgeMs: number): boolean {
  return lastGood === undefined || lastGood.ageMs > maxAgeMs;
}
