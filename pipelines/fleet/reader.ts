/** Reads one journal of a fleet, for the commands that explain what is in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalReader } from "../journal/journal.ts";
import { openFleetDatabase } from "./database.ts";
import { readFleetJournal } from "./fleet-journal.ts";

/**
 * Opens a journal of a fleet to read it, as it is now. Once it is copied to this machine, the database is left alone.
 *
 * @param address of the fleet's PostgreSQL
 * @param journal its name in the fleet
 * @returns undefined when there is none with this name
 * @throws FatalError `fleet/database` and `fleet/none` as `openFleetDatabase`, and as `readFleetJournal`
 */
export async function openFleetReader(address: string, journal: string): Promise<JournalReader | undefined> {
  await using database = await openFleetDatabase(address, new AbortController().signal, undefined, "refuse");
  const folder = mkdtempSync(join(tmpdir(), "logferry-fleet-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const reader = await readFleetJournal(database.pool, { journal, folder });
    if (reader === undefined) {
      remove();
      return undefined;
    }
    const close = async () => {
      await reader.close();
      remove();
    };
    return { ...reader, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * The worker that has a journal of a fleet now, by its claim. The claim of one that was killed lasts up to half a minute longer.
 *
 * @throws FatalError as `openFleetReader`
 */
export async function findFleetHolder(address: string, journal: string): Promise<string | undefined> {
  await using database = await openFleetDatabase(address, new AbortController().signal, undefined, "refuse");
  const [row] = await database.query(HOLDER, [journal]);
  return typeof row?.worker === "string" ? row.worker : undefined;
}

const HOLDER = "SELECT worker FROM logferry_fleet.journals WHERE journal = $1 AND until > clock_timestamp()";
