/** Finds the time of a repository's last backup. */
import { isToCome, wholeSnapshots } from "../../connectors/repository/newest.ts";
import { atRepository } from "../backup/repository.ts";

/**
 * The start of the newest snapshot, in milliseconds since 1970 UTC; undefined if there is none. It needs no key. A snapshot from the future
 * doesn't count, because then no backup would be due until that time.
 */
export async function lastBackupAt(repository: string, now: number): Promise<number | undefined> {
  return atRepository(repository, async () => {
    for await (const { time } of wholeSnapshots(repository)) if (!isToCome({ time }, now)) return Date.parse(time);
    return undefined;
  });
}
