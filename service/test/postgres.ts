/** A PostgreSQL for tests and measurements, in its own process. Every caller gets a new database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A PostgreSQL that runs. */
export interface Postgres {
  /** Makes an empty database. @returns its address */
  readonly newDatabase: () => Promise<string>;
  /** Ends it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Starts it again after `kill`, with the data and the address that it had. */
  readonly start: () => Promise<void>;
  /** Stops it and removes all its data. */
  readonly stop: () => Promise<void>;
}

/**
 * @param settings `isDurable`: its commits wait for the disk, as they do anywhere but in tests
 * @throws Error when it can't be started. The reason is on the standard error
 */
export async function startPostgres({ isDurable = false } = {}): Promise<Postgres> {
  const file = fileURLToPath(new URL("postgres-child.ts", import.meta.url));
  // Detached, so that Ctrl-C doesn't kill it: it ends by itself when its standard input ends.
  const child = spawn(process.execPath, [file, ...(isDurable ? ["durable"] : [])], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const gone = once(child, "exit");
  const nextLine = async () => {
    const line = await Promise.race([once(child.stdout, "data"), gone.then(() => undefined)]);
    if (line === undefined) throw new Error("Cannot start PostgreSQL: see above");
    return String(line[0]).trim();
  };
  const tell = async (word: "kill" | "start") => {
    const done = nextLine();
    child.stdin.write(`${word}\n`);
    await done;
  };
  const url = await nextLine();
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
    kill: () => tell("kill"),
    start: () => tell("start"),
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
