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

/** See `JournalReader.wholeEntries`. */
export function wholeEntries(
  database: JournalDatabase,
  run: number,
  seqs: readonly number[],
): ReadonlyMap<number, string> {
  const rows = database.all(sql`SELECT seq, json_extract(origin, '$.entry') AS entry FROM line WHERE run = ${run}
    AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) AND state = 'quarantined'
    AND (json_extract(origin, '$.locator') IS NULL
      OR (json_extract(origin, '$.locator') = 'line 1' AND key NOT LIKE '%:%:%'))`);
  return new Map(rows.map(({ seq, entry }) => [Number(seq), String(entry)]));
}

/** See `JournalReader.entriesRead`. A file inside an archive inside is `inner.zip!/a.fit`. */
export function entriesRead(
  database: JournalDatabase,
  run: number,
  source: number,
  entries: readonly string[],
): ReadonlySet<string> {
  const wanted = JSON.stringify([...new Set(entries)]);
  const rows = database.all(sql`SELECT value AS entry FROM json_each(${wanted}) WHERE EXISTS (
    SELECT 1 FROM line WHERE line.run = ${run} AND (
      (line.entry_source = ${source} AND line.entry = json_each.value)
      OR (line.source = ${source}
        AND (json_extract(line.origin, '$.entry') = json_each.value
          OR substr(json_extract(line.origin, '$.entry'), 1, length(json_each.value) + 2) = json_each.value || '!/')
        AND NOT (line.state = 'quarantined' AND (json_extract(line.origin, '$.locator') IS NULL
          OR (json_extract(line.origin, '$.locator') = 'line 1' AND line.key NOT LIKE '%:%:%'))))))`);
  return new Set(rows.map(({ entry }) => String(entry)));
}
