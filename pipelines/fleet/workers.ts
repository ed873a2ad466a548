/** The workers of a fleet, by their signs of life. */
import type { Queries } from "./database.ts";

/** After so many seconds without a sign of life, a worker no longer counts as at work. Workers give one every few seconds. */
export const SEEN_SECONDS = 15;

/**
 * Says that a worker is at work.
 *
 * @param name different for each worker
 * @param takesNobody why it takes no athlete now, for people
 */
export async function sayAtWork(
  database: Pick<Queries, "query">,
  name: string,
  takesNobody?: string | undefined,
): Promise<void> {
  await database.query(SEEN, [name, takesNobody ?? null]);
}

/** How many workers at work take athletes, beside those with these names. */
export async function workersLeftFor(database: Pick<Queries, "query">, names: readonly string[]): Promise<number> {
  const [row] = await database.query(LEFT, [SEEN_SECONDS, names]);
  return Number(row?.count ?? 0);
}

/** Workers that are at work and take no athlete now, each with the reason. */
export async function idleWorkers(
  database: Pick<Queries, "query">,
): Promise<readonly { readonly name: string; readonly why: string }[]> {
  const rows = await database.query(IDLE, [SEEN_SECONDS]);
  return rows.map(({ name, takes_nobody: why }) => ({ name: String(name), why: String(why) }));
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
  INSERT INTO logferry_fleet.workers (name, seen, takes_nobody) VALUES ($1, clock_timestamp(), $2)
  ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, takes_nobody = excluded.takes_nobody`;

const ALIVE = "seen > clock_timestamp() - $1 * interval '1 second'";

const LEFT = `
  SELECT count(*) AS count FROM logferry_fleet.workers WHERE ${ALIVE} AND takes_nobody IS NULL AND name <> ALL($2)`;

const IDLE = `
  SELECT name, takes_nobody FROM logferry_fleet.workers WHERE ${ALIVE} AND takes_nobody IS NOT NULL ORDER BY name`;

const AT_WORK = `
  SELECT greatest(
    (SELECT count(*) FROM logferry_fleet.workers WHERE seen > clock_timestamp() - $1 * interval '1 second'),
    (SELECT EXISTS (SELECT 1 FROM logferry_queue.job
      WHERE state = 'active' AND heartbeat_on > clock_timestamp() - $1 * interval '1 second'))::integer
  ) AS count`;
