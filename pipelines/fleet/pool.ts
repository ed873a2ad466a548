/** Connections to the PostgreSQL of a fleet. */
import type pg from "pg";
import { FatalError } from "../../connectors/errors.ts";

/** The most connections of one worker. Its athletes share them: a connection is used for one statement at a time. */
const CONNECTIONS = 8;

/** After this many milliseconds without a free connection, a statement is tried again. */
const CONNECTION_MS = 10_000;

/**
 * Connections to a database. Nothing is sent before the first statement. The caller ends the pool (`end`).
 *
 * @param address `postgres://user:password@host:5432/name`. It appears in no error
 * @throws FatalError `journal/database`, reason `journal`, when the address can't be read
 */
export async function openFleetPool(address: string): Promise<pg.Pool> {
  // Only workers of a fleet need PostgreSQL, so it is loaded here.
  const { default: postgres } = await import("pg");
  let pool: pg.Pool;
  try {
    new postgres.Client({ connectionString: address });
    pool = new postgres.Pool({
      connectionString: address,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECTION_MS,
      keepAlive: true,
      application_name: "logferry worker",
    });
  } catch {
    throw new FatalError(
      "journal/database",
      "journal",
      "Cannot read the address of the fleet's database. It looks like postgres://user:password@host:5432/name.",
    );
  }
  // A connection that is lost between two statements emits this event, which would end the process. The next statement finds out for itself.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}
