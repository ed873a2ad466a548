/** Keeps the inventory of a run: every file of its sources, as it was before the first record was sent. */
import type { JournalDatabase } from "./database.ts";
import type { InventoryFile } from "./run.ts";
import { sql } from "./sql.ts";

/** See `Journal.keepInventory`. */
export function keepInventory(
  database: JournalDatabase,
  run: number,
  files: readonly InventoryFile[],
  takenAt?: number,
): void {
  database.commit();
  database.transaction(() => {
    for (const { source, path, bytes, sha256, unread } of files) {
      database.run(sql`INSERT OR REPLACE INTO inventory_file (run, source, path, bytes, sha256, unread)
        VALUES (${run}, ${source}, ${path}, ${bytes}, ${sha256}, ${unread})`);
    }
    if (takenAt !== undefined)
      database.run(sql`INSERT OR REPLACE INTO inventory (run, at) VALUES (${run}, ${takenAt})`);
  });
}

/** See `JournalReader.inventoryTakenAt`. */
export function inventoryTakenAt(database: JournalDatabase, run: number): number | undefined {
  const at = database.get(sql`SELECT at FROM inventory WHERE run = ${run}`)?.at;
  return at === undefined ? undefined : Number(at);
}

/** See `JournalReader.inventory`. */
export function inventoryOf(
  database: JournalDatabase,
  run: number,
  source: number,
  after: string | undefined,
): readonly InventoryFile[] {
  const rows = database.all(sql`SELECT source, path, bytes, sha256, unread FROM inventory_file
    WHERE run = ${run} AND source = ${source} AND (${after} IS NULL OR path > ${after}) ORDER BY path LIMIT 1000`);
  return rows.map(({ path, bytes, sha256, unread }) => ({
    source,
    path: String(path),
    bytes: bytes === null ? undefined : Number(bytes),
    sha256: sha256 === null ? undefined : String(sha256),
    unread: unread === null ? undefined : String(unread),
  }));
}
