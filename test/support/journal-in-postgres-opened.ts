/** Opens journals in PostgreSQL, under the names of `pipelines/journal/sqlite.ts` (see journal-in-postgres.ts). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { openFleetJournal, prepareFleetJournals, readFleetJournal } from "../../pipelines/fleet/fleet-journal.ts";
import { openFleetPool } from "../../pipelines/fleet/pool.ts";
import type { Journal, JournalReader } from "../../pipelines/journal/journal.ts";

/** As `openJournal` of the journal in a file. */
export async function openJournal(path: string): Promise<Journal> {
  return inPool(async (pool, folder) => {
    await prepareFleetJournals(pool);
    const worker = `process ${process.pid}`;
    return (await openFleetJournal(pool, { journal: path, folder, worker })).journal;
  });
}

/** As `openJournalToRead` of the journal in a file. */
export async function openJournalToRead(path: string): Promise<JournalReader> {
  return inPool(async (pool, folder) => {
    const reader = await readFleetJournal(pool, { journal: path, folder });
    if (reader === undefined) throw new Error(`there is no journal ${path}`);
    return reader;
  });
}

/** A journal whose connections and folder end with it. */
async function inPool<T extends JournalReader>(open: (pool: pg.Pool, folder: string) => Promise<T>): Promise<T> {
  const pool = await openFleetPool(process.env.JOURNAL_DATABASE ?? "");
  const folder = mkdtempSync(join(tmpdir(), "logferry-worker-"));
  const end = async () => {
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  };
  let journal: T;
  try {
    journal = await open(pool, folder);
  } catch (error) {
    await end();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= journal.close().finally(end);
    return closing;
  };
  return new Proxy(journal, {
    get: (target, name) => (name === "close" || name === Symbol.asyncDispose ? close : Reflect.get(target, name)),
  });
}
