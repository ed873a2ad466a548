/** Answers the questions of `open-lines.ts` from the journal's tables. */

import type { JournalDatabase } from "./database.ts";
import type { LineState, OpenLine } from "./line.ts";
import { sql } from "./sql.ts";

/** See `JournalReader.openLines`. */
export function openLinesOf(database: JournalDatabase, run: number, others: readonly number[]): readonly OpenLine[] {
  return database
    .all(sql`SELECT seq, key, state, source, origin, takes_up FROM line
      WHERE run = ${run} AND state IN ('planned', 'in-flight', 'in-doubt', 'quarantined', 'refused', 'failed',
      'gone')
        AND NOT EXISTS (SELECT 1 FROM line AS other INDEXED BY line_key
          WHERE other.run IN (SELECT value FROM json_each(${JSON.stringify(others)})) AND other.key = line.key)
      ORDER BY seq`)
    .map((row) => ({
      seq: Number(row.seq),
      key: String(row.key),
      state: row.state as LineState,
      source: Number(row.source),
      origin: String(row.origin),
      retryOf: row.takes_up === null ? undefined : Number(row.takes_up),
    }));
}

/** See `JournalReader.originsAmong`. */
export function originsAmong(
  database: JournalDatabase,
  run: number,
  source: number,
  origins: readonly string[],
): ReadonlySet<string> {
  const rows = database.all(sql`SELECT DISTINCT origin FROM line WHERE run = ${run} AND source = ${source}
    AND origin IN (SELECT value FROM json_each(${JSON.stringify(origins)}))`);
  return new Set(rows.map(({ origin }) => String(origin)));
}
