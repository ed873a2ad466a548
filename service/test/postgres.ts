/** A PostgreSQL for tests and measurements, in its own process. Every caller gets a new database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A PostgreSQL that runs. */
export interface Postgres {
  /** Makes an empty database. @returns its address */
  readonly newDatabase: () => Promise<string>;
  /** Stops it and removes all its data. */
  readonly stop: () => Promise<void>;
}

/** @throws Error when it can't be started. The reason is on the standard error */
export async function startPostgres(): Promise<Postgres> {
  // Detached, so that Ctrl-C doesn't kill it: it ends by itself when its standard input ends.
  const child = spawn(process.execPath, [fileURLToPath(new URL("postgres-child.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const gone = once(child, "exit");
  const line = await Promise.race([once(child.stdout, "data"), gone.then(() => undefined)]);
  if (line === undefined) throw new Error("Cannot start PostgreSQL: see above");
  const url = String(line[0]).trim();
  let made = 0;
  return {
    newDatabase: async () => {
      const name = `log_${++made}`;
      const client = new pg.Client({ connectionString: `${url}/postgres` });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `${url}/${name}`;
    },
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
