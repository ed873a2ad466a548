/** When a repository was last backed up to. */
import { isToCome, wholeSnapshots } from "../../connectors/repository/newest.ts";
import { atRepository } from "../backup/repository.ts";

/**
 * When the newest snapshot was begun, in milliseconds since 1970 UTC; undefined where there is none. Needs no key. One of a time to come is none:
 * nothing would be due until then.
 */
export async function lastBackupAt(repository: string, now: number): Promise<number | undefined> {
  return atRepository(repository, async () => {
    for await (const { time } of wholeSnapshots(repository)) if (!isToCome({ time }, now)) return Date.parse(time);
    return undefined;
  });
}
