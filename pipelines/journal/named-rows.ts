/**
 * The differences between the log and the plan that a check named to a person. An import that runs later leaves these values alone with the
 * person's knowledge. Of any other value nobody can say who changed it, or whether anybody saw it.
 */
import { createHash } from "node:crypto";
import type { JournalDatabase } from "./database.ts";
import { writeRemoteRecord } from "./line-writes.ts";
import type { RemoteRecord } from "./remote-record.ts";
import type { Difference, NamedRecord } from "./run.ts";
import { sql } from "./sql.ts";

/** See `Journal.nameDifferences`. What was named first counts, so rows that are there stay. */
export function nameDifferences(
  database: JournalDatabase,
  records: readonly NamedRecord[],
  unsaved: readonly RemoteRecord[] = [],
): void {
  database.commit();
  const run = Number(database.get(sql`SELECT coalesce(max(id), 0) AS run FROM run`)?.run);
  database.transaction(() => {
    for (const { kind, id, differences } of records) {
      const sender = database.get(
        sql`SELECT max(run) AS run FROM placed WHERE kind = ${kind} AND remote_id = ${id}`,
      )?.run;
      const seen = wasSeenAsSent(database, { kind, remoteId: id, run: Number(sender ?? 0) });
      for (const { field, found } of differences)
        database.run(sql`INSERT OR IGNORE INTO named_difference (kind, id, field, found, run, seen)
          VALUES (${kind}, ${id}, ${field}, ${fingerprintOf(found)}, ${run}, ${seen})`);
    }
    for (const record of unsaved) writeRemoteRecord(database, record);
  });
}

/** See `JournalReader.namedBefore`. */
export function namedBefore(
  database: JournalDatabase,
  run: number,
  { kind, id, differences }: NamedRecord,
): readonly Difference[] {
  return differences.filter(({ field, found }) => {
    const row = database.get(sql`SELECT run FROM named_difference
      WHERE kind = ${kind} AND id = ${id} AND field = ${field} AND found = ${fingerprintOf(found)}`);
    return row !== undefined && Number(row.run) < run;
  });
}

/** See `JournalReader.wasSeenAsSent`. */
export function wasSeenAsSent(
  database: JournalDatabase,
  { kind, remoteId, run }: Pick<RemoteRecord, "kind" | "remoteId" | "run">,
): boolean {
  // A check keeps its result after it named its differences. So a result without a name is that of a check that saw the record as sent.
  const row = database.get(sql`SELECT coalesce(
    (SELECT max(seen) FROM named_difference WHERE kind = ${kind} AND id = ${remoteId} AND run >= ${run}),
    EXISTS (SELECT 1 FROM verification WHERE run >= ${run} AND unread = 0)) AS seen`);
  return row?.seen === 1;
}

/** A value of the log, short: the journal needs to know it again, and nothing more of it. */
function fingerprintOf(found: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(found) ?? "nothing")
    .digest("hex")
    .slice(0, 16);
}
