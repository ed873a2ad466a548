/** Rebuilds a journal from what PostgreSQL has of it. */
import { rmSync } from "node:fs";
import { FatalError } from "../../connectors/errors.ts";
import { rebuildJournal } from "../journal/rebuild.ts";
import type { Shipped } from "./shipping.ts";
import { readSnapshot } from "./snapshot.ts";
import type { StoredJournal } from "./store.ts";

/**
 * Rebuilds the file of a journal.
 *
 * @param path a file that this replaces
 * @returns what the store has of the journal
 * @throws FatalError `journal/damaged` when something is missing, and as `rebuildJournal`
 */
export async function rebuildFrom(path: string, stored: StoredJournal): Promise<Shipped> {
  let shipped: Shipped = { number: stored.snapshot, changes: 0, bytes: 0 };
  async function* changes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await stored.changesAfter(shipped.number);
      if (next.length === 0) return;
      for (const { number, changes: bytes } of next) {
        if (number !== shipped.number + 1) throw missing(shipped.number + 1);
        yield bytes;
        shipped = { number, changes: shipped.changes + 1, bytes: shipped.bytes + bytes.length };
      }
    }
  }
  const snapshot = stored.pieces === 0 ? undefined : readSnapshot(stored);
  rmSync(path, { force: true });
  await rebuildJournal(path, { version: stored.version, snapshot, changes: changes() });
  return shipped;
}

function missing(number: number): FatalError {
  return new FatalError(
    "journal/damaged",
    "journal",
    `Cannot open the journal: change ${number} is missing in PostgreSQL. Restore the database from a backup. Or begin a new journal: what is in the log already is recognised by listing it.`,
  );
}
