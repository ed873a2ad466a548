/**
 * What a workout points at: its shoe and its course, by the keys of their records, as ids of the log.
 */
import type { Journal } from "./journal/journal.ts";

/**
 * Begins the reason of a workout that is in the log without its shoe or course, which was refused when the workout was sent and may
 * be there now.
 */
export const LACKS_REFERENCE = "plan/lacks-reference";

/** The log's id of the record a key became: put there by us, recognised there, or merged into one that was. */
export async function findRemoteId(journal: Journal, run: number, key: string): Promise<string | undefined> {
  const placed = await journal.placed(key);
  if (placed !== undefined) return placed.remoteId;
  let current = await journal.lineWithKey(run, key);
  for (let hops = 0; current !== undefined && hops < 16; hops++) {
    if (current.remoteId !== undefined) return current.remoteId;
    if (current.state !== "merged" || current.twin === undefined || current.twin === current.key) return undefined;
    const twin: string = current.twin;
    const placedTwin = await journal.placed(twin);
    if (placedTwin !== undefined) return placedTwin.remoteId;
    current = await journal.lineWithKey(run, twin);
  }
  return undefined;
}
