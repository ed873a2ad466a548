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
  { run, source, before }: { readonly run: number; readonly source: number; readonly before: number },
  origins: readonly string[],
): ReadonlySet<string> {
  const rows = database.all(sql`SELECT DISTINCT origin FROM line WHERE run = ${run} AND source = ${source}
    AND origin IN (SELECT value FROM json_each(${JSON.stringify(origins)}))
    AND NOT EXISTS (SELECT 1 FROM line AS known INDEXED BY line_key WHERE known.run = ${before} AND known.key = line.key)`);
  return new Set(rows.map(({ origin }) => String(origin)));
}

/** A line that rejects a whole file, or a table by its header. Its key is of the place, and not of a record. */
const OF_WHOLE = sql`(state = 'quarantined' AND (json_extract(origin, '$.locator') IS NULL
  OR (json_extract(origin, '$.locator') = 'line 1' AND key NOT LIKE '%:%:%')))`;

/** See `JournalReader.wholeEntries`. */
export function wholeEntries(
  database: JournalDatabase,
  run: number,
  seqs: readonly number[],
): ReadonlyMap<number, string> {
  const rows = database.all(sql`SELECT seq, json_extract(origin, '$.entry') AS entry FROM line WHERE run = ${run}
    AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) AND ${OF_WHOLE}`);
  return new Map(rows.map(({ seq, entry }) => [Number(seq), String(entry)]));
}

/** See `JournalReader.entriesRead`. Each question goes through the lines of the run once, whatever the number of files. */
export function entriesRead(
  database: JournalDatabase,
  run: number,
  source: number,
  entries: readonly string[],
): ReadonlySet<string> {
  const wanted = new Set(entries);
  const among = sql`(SELECT value FROM json_each(${JSON.stringify([...wanted])}))`;
  const place = sql`json_extract(origin, '$.entry')`;
  const own = database.all(sql`SELECT DISTINCT ${place} AS entry FROM line
    WHERE run = ${run} AND source = ${source} AND ${place} IN ${among} AND NOT ${OF_WHOLE}
    UNION SELECT entry FROM line WHERE run = ${run} AND entry_source = ${source} AND entry IN ${among}`);
  const inside = database.all(sql`SELECT DISTINCT ${place} AS entry FROM line
    WHERE run = ${run} AND source = ${source} AND instr(${place}, '!/') > 0 AND NOT ${OF_WHOLE}`);
  const around = inside.flatMap(({ entry }) => archivesOf(String(entry)));
  return new Set([...own.map(({ entry }) => String(entry)), ...around.filter((entry) => wanted.has(entry))]);
}

/** See `JournalReader.exchanged`. */
export function exchanged(
  database: JournalDatabase,
  [before, source]: readonly [run: number, source: number],
  [after, now]: readonly [run: number, source: number],
): ReadonlySet<string> {
  const place = sql`json_extract(own.origin, '$.entry')`;
  const rows = database.all(sql`WITH there AS MATERIALIZED
      (SELECT DISTINCT origin, date FROM line WHERE run = ${after} AND source = ${now})
    SELECT ${place} AS entry FROM line AS own
    LEFT JOIN there ON there.origin = own.origin AND there.date = own.date
    WHERE own.run = ${before} AND own.source = ${source} AND own.state IN ('done', 'unchanged', 'merged')
    GROUP BY 1 HAVING sum(there.origin IS NOT NULL OR EXISTS (SELECT 1 FROM line AS later INDEXED BY line_key
      WHERE later.run = ${after} AND later.key = own.key)) * 2 < count(*)`);
  return new Set(rows.map(({ entry }) => String(entry)));
}

/** The archives around a file inside: `a.zip` and `a.zip!/b.zip` of `a.zip!/b.zip!/c.fit`. */
function archivesOf(entry: string): readonly string[] {
  const parts = entry.split("!/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("!/"));
}
