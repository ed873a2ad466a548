/** When a repository was last backed up to. */
import { wholeSnapshots } from "../../connectors/repository/newest.ts";
import { atRepository } from "../repository.ts";

/** When the newest snapshot was begun, in milliseconds since 1970 UTC; undefined where there is none. Needs no key. */
export async function lastBackupAt(repository: string): Promise<number | undefined> {
  return atRepository(repository, async () => {
    for await (const { time } of wholeSnapshots(repository)) return Date.parse(time);
    return undefined;
  });
}
