/** Wrong passwords, secrets and codes, counted by key, in either SQL database. All processes on one database count together. */
import { hashOf } from "../http/ids.ts";
import type { Database, Queries } from "./database.ts";
import { sql } from "./sql.ts";

/** The mistakes of one key. Times are milliseconds since 1970. */
export interface Mistakes {
  readonly count: number;
  readonly lastAt: number;
  readonly waitUntil: number;
}

/** After this long without a mistake, a key starts anew. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** The most keys that are kept, so that the table stays small. Beyond that, the keys that were quiet for longest are forgotten. */
const MAX_KEYS = 20_000;

/** How often a process removes what is forgotten. */
const CLEAN_EVERY_MS = 60_000;

/**
 * The counts in a prepared database. A key can hold a login that was typed, which may be a password by accident, so only its hash is kept.
 * @throws StoreUnavailable from any call. Any other error is a bug
 */
export class MistakeStore {
  readonly #database: Database;
  readonly #maxKeys: number;
  #cleanedAt = Number.NEGATIVE_INFINITY;

  /** @param maxKeys only a test uses another number */
  constructor(database: Database, maxKeys: number = MAX_KEYS) {
    this.#database = database;
    this.#maxKeys = maxKeys;
  }

  /** The mistakes of a key; undefined when there are none, or the last one was a day ago. */
  async of(key: string, now: number): Promise<Mistakes | undefined> {
    const row = await this.#database.get(sql`SELECT * FROM mistakes WHERE guesser = ${hashOf(key)}`);
    return mistakesFrom(row, now);
  }

  /**
   * Changes the mistakes of some keys together. Simultaneous calls for a key go one after the other, in all processes.
   * @param decide gets the mistakes in the order of the keys, and gives the new ones; undefined for none
   */
  async change(
    keys: readonly string[],
    now: number,
    decide: (kept: readonly (Mistakes | undefined)[]) => readonly (Mistakes | undefined)[],
  ): Promise<void> {
    const hashes = keys.map(hashOf);
    await this.#database.transaction(async (queries) => {
      const kept = new Map<string, Mistakes | undefined>();
      // In one order everywhere, so that two calls for the same keys can't wait for each other.
      for (const hash of hashes.toSorted()) kept.set(hash, await lock(queries, hash, now));
      const decided = decide(hashes.map((hash) => kept.get(hash)));
      for (const [index, hash] of hashes.entries()) await write(queries, hash, decided[index]);
    });
    if (now - this.#cleanedAt >= CLEAN_EVERY_MS) await this.#clean(now);
  }

  /** Forgets every mistake of a key. */
  async forget(key: string): Promise<void> {
    await this.#database.run(sql`DELETE FROM mistakes WHERE guesser = ${hashOf(key)}`);
  }

  async #clean(now: number): Promise<void> {
    this.#cleanedAt = now;
    await this.#database.run(sql`DELETE FROM mistakes WHERE last_at < ${now - FORGOTTEN_AFTER_MS}
      OR last_at < (SELECT last_at FROM mistakes ORDER BY last_at DESC LIMIT 1 OFFSET ${this.#maxKeys - 1})`);
  }
}

/** Locks the row of a key until the end of the transaction. A key without a row gets one, which is removed again unless a mistake is counted. */
async function lock(queries: Queries, hash: string, now: number): Promise<Mistakes | undefined> {
  const row = await queries.get(sql`INSERT INTO mistakes (guesser, mistakes, last_at, wait_until)
    VALUES (${hash}, 0, ${now}, 0) ON CONFLICT (guesser) DO UPDATE SET guesser = excluded.guesser RETURNING *`);
  return mistakesFrom(row, now);
}

async function write(queries: Queries, hash: string, mistakes: Mistakes | undefined): Promise<void> {
  if (mistakes === undefined) {
    await queries.run(sql`DELETE FROM mistakes WHERE guesser = ${hash}`);
    return;
  }
  await queries.run(sql`UPDATE mistakes SET mistakes = ${mistakes.count}, last_at = ${mistakes.lastAt},
    wait_until = ${mistakes.waitUntil} WHERE guesser = ${hash}`);
}

function mistakesFrom(row: Record<string, unknown> | undefined, now: number): Mistakes | undefined {
  if (row === undefined || row.mistakes === 0) return undefined;
  const lastAt = row.last_at as number;
  if (now - lastAt > FORGOTTEN_AFTER_MS) return undefined;
  return { count: row.mistakes as number, lastAt, waitUntil: row.wait_until as number };
}
