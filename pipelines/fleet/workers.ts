/** The workers of a fleet, by their signs of life. */
import type { Queries } from "./database.ts";

/** After so many seconds without a sign of life, a worker no longer counts as at work. Workers give one every few seconds. */
export const SEEN_SECONDS = 15;

/** Says that a worker is at work. @param name different for each worker */
export async function sayAtWork(database: Pick<Queries, "query">, name: string): Promise<void> {
  await database.query(SEEN, [name]);
}

/** Says that a worker ends. Those that ended without a word more than a day ago are forgotten, too. */
export async function sayEnded(database: Pick<Queries, "query">, name: string): Promise<void> {
  await database.query("DELETE FROM logferry_fleet.workers WHERE name = $1 OR seen < now() - interval '1 day'", [name]);
}

/** How many workers are at work. Jobs under way count as one: an older logferry gives no other sign. */
export async function workersAtWork(database: Pick<Queries, "query">): Promise<number> {
  const [row] = await database.query(AT_WORK, [SEEN_SECONDS]);
  return Number(row?.count ?? 0);
}

const SEEN = `
  INSERT INTO logferry_fleet.workers (name, seen) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET seen = excluded.seen`;

const AT_WORK = `
  SELECT greatest(
    (SELECT count(*) FROM logferry_fleet.workers WHERE seen > clock_timestamp() - $1 * interval '1 second'),
    (SELECT EXISTS (SELECT 1 FROM logferry_queue.job
      WHERE state = 'active' AND heartbeat_on > clock_timestamp() - $1 * interval '1 second'))::integer
  ) AS count`;
