import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { STORES } from "../../service/test/stores.ts";
import { journalLaws } from "../../test/suites/journal-laws.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { openFleetJournal, prepareFleetJournals } from "./fleet-journal.ts";
import { openFleetPool } from "./pool.ts";
import { rebuildFrom } from "./rebuild.ts";
import { postgresStore } from "./store.ts";

// The promises of the journal in a file, held by the one in PostgreSQL. Each opening is another worker with an empty folder.

const folder = temporaryFolder();
let pool: pg.Pool;
let journals = 0;

beforeAll(async () => {
  pool = await openFleetPool(await STORES.PostgreSQL());
  await prepareFleetJournals(pool);
});
beforeEach(() => {
  journals++;
});
afterAll(() => pool.end());

journalLaws({
  open: async () =>
    (await openFleetJournal(pool, { journal: `journal ${journals}`, folder, worker: "a worker" })).journal,
  async rows(sql) {
    const path = join(folder, "read.db");
    await postgresStore(pool, `journal ${journals}`).read((stored) => rebuildFrom(path, stored));
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  },
});
