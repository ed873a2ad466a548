/** Reads the log records that are ours. */
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line } from "./line.ts";
import { lineWithKey, ROWS_PER_READ } from "./line-rows.ts";
import type { RemoteRecord } from "./remote-record.ts";
import { lineFrom, remoteRecordFrom } from "./rows.ts";
import { sql } from "./sql.ts";

/** See `JournalReader.remoteRecord`. */
export function findRemoteRecord(database: JournalDatabase, key: string): RemoteRecord | undefined {
  let current: string | undefined = key;
  // A record may be merged into a record that is merged later, so there are short chains. A cycle is impossible, but a limit keeps it from
  // hanging the process.
  for (let hops = 0; current !== undefined && hops < 16; hops++) {
    const row = database.get(sql`SELECT * FROM placed WHERE key = ${current}`);
    if (row !== undefined) return remoteRecordFrom(row);
    current = database.get(sql`SELECT into_key FROM alias WHERE key = ${current}`)?.into_key as string | undefined;
  }
  return undefined;
}

/** See `JournalReader.sentTo`. */
export function sentTo(database: JournalDatabase, kind: Kind, id: string): RemoteRecord | undefined {
  const row = database.get(sql`SELECT * FROM placed WHERE kind = ${kind} AND remote_id = ${id} AND sent IS NOT NULL
    ORDER BY run DESC LIMIT 1`);
  return row === undefined ? undefined : remoteRecordFrom(row);
}

/** See `JournalReader.loadedLine`. */
export function loadedLine(database: JournalDatabase, { kind, remoteId, run, key }: RemoteRecord): Line | undefined {
  const own = lineWithKey(database, run, key);
  if (own !== undefined) return own;
  const found = database.get(sql`SELECT line.* FROM placed
    JOIN line INDEXED BY line_key ON line.run = placed.run AND line.key = placed.key
    WHERE placed.kind = ${kind} AND placed.remote_id = ${remoteId} ORDER BY placed.run DESC, placed.key LIMIT 1`);
  return found === undefined ? undefined : lineFrom(found);
}

/** See `JournalReader.allRemoteRecords`. */
export async function* allRemoteRecords(database: JournalDatabase): AsyncIterable<RemoteRecord> {
  database.commit();
  let after = "";
  for (;;) {
    const rows = database.all(sql`SELECT * FROM placed WHERE key > ${after} ORDER BY key LIMIT ${ROWS_PER_READ}`);
    for (const row of rows) yield remoteRecordFrom(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = String(last.key);
  }
}
