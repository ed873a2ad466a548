/** The journal's knowledge of the log from listings: the table `log`. */
import { addDays, asIfUtc, type LocalDate } from "../../transforms/calendar.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { MOST_SECONDS_APART } from "../../transforms/matching/likeness.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line } from "./line.ts";
import type { ClaimedEntry, LogEntry, RowAway } from "./remote-record.ts";
import { claimedEntryFrom, factColumns, localSeconds, logEntryFrom } from "./rows.ts";
import { row, sql } from "./sql.ts";

/** The condition for a log record that no line of a run stands for. Nobody claimed it, or its key is not in the run. */
const isFree = (run: number) => sql`(claimed_by IS NULL
  OR NOT EXISTS (SELECT 1 FROM line INDEXED BY line_key WHERE line.run = ${run} AND line.key = log.claimed_by))`;

/**
 * See `Journal.takeListing`. If a listing ends halfway, the old baseline must stay complete: a record that the baseline lacks counts as
 * made by us.
 */
export async function takeListing(
  database: JournalDatabase,
  entries: AsyncIterable<LogEntry>,
  isBaseline: boolean,
): Promise<number> {
  database.commit();
  database.exec(
    "DROP TABLE IF EXISTS temp.taken; CREATE TEMP TABLE taken AS SELECT * FROM log LIMIT 0; CREATE UNIQUE INDEX temp.taken_id ON taken (kind, id);",
  );
  let count = 0;
  for await (const entry of entries) {
    database.beginChunk();
    const { kind, id, activityID, facts, identity, name } = entry;
    const { date, time, local_s, metres, seconds } = factColumns(facts);
    const own = { kind, id, activity_id: activityID, identity, name, baseline: isBaseline };
    const columns = row({ ...own, date, time, local_s, metres, seconds });
    database.run(sql`INSERT INTO temp.taken ${columns} ON CONFLICT (kind, id) DO NOTHING`);
    count++;
  }
  database.commit();
  database.transaction(() => {
    database.run(isBaseline ? sql`DELETE FROM log` : sql`DELETE FROM log WHERE baseline = 0`);
    database.run(sql`INSERT INTO log SELECT * FROM temp.taken WHERE true ON CONFLICT (kind, id) DO NOTHING`);
    database.run(sql`UPDATE log SET claimed_by = placed.key FROM placed WHERE placed.kind = log.kind
      AND placed.remote_id = log.id`);
  });
  return count;
}

/** See `Journal.missing`. */
export function missing(database: JournalDatabase, kind: Kind, most: number): readonly string[] {
  const rows = database.all(sql`SELECT id FROM (
      SELECT id FROM log WHERE kind = ${kind} AND baseline = 1
      UNION SELECT remote_id FROM placed WHERE kind = ${kind} AND run >= (SELECT max(id) FROM run)
    ) WHERE id NOT IN (SELECT id FROM temp.taken WHERE kind = ${kind}) ORDER BY id LIMIT ${most}`);
  return rows.map(({ id }) => String(id));
}

/** See `Journal.unlisted`. */
export function unlisted(database: JournalDatabase, kind: Kind, most: number): readonly string[] {
  const rows = database.all(sql`SELECT remote_id FROM placed WHERE kind = ${kind} AND NOT EXISTS (SELECT 1
    FROM log WHERE log.kind = placed.kind AND log.id = placed.remote_id)
    ORDER BY run DESC, remote_id LIMIT ${most}`);
  return rows.map((row) => String(row.remote_id));
}

/** See `Journal.knownWorkouts`. */
export function knownWorkouts(database: JournalDatabase, run: number): number {
  const row = database.get(sql`SELECT (SELECT count(*) FROM log WHERE kind = 'workout') + (
    SELECT count(DISTINCT remote_id) FROM placed WHERE kind = 'workout' AND run = ${run}
      AND NOT EXISTS (SELECT 1 FROM log WHERE log.kind = placed.kind AND log.id = placed.remote_id)) AS known`);
  return Number(row?.known);
}

/** See `Journal.knownWorkoutsAfter`. */
export function knownWorkoutsAfter(database: JournalDatabase, run: number, day: LocalDate): number {
  const nextMidnight = asIfUtc({ date: addDays(day, 1) }) / 1000;
  const row = database.get(sql`SELECT
    (SELECT count(*) FROM log WHERE kind = 'workout' AND baseline = 1 AND local_s >= ${nextMidnight})
    + (SELECT count(*) FROM line INDEXED BY line_order WHERE run = ${run} AND kind = 'workout'
      AND place <= ${-nextMidnight} AND action = 'create' AND remote_id IS NOT NULL) AS known`);
  return Number(row?.known);
}

/** See `Journal.strangersAmong`. */
export function strangersAmong(database: JournalDatabase, entries: readonly LogEntry[]): readonly LogEntry[] {
  const isKnown = ({ kind, id }: LogEntry) =>
    sql`SELECT 1 AS yes WHERE EXISTS (SELECT 1 FROM log WHERE kind = ${kind} AND id = ${id})
      OR EXISTS (SELECT 1 FROM placed WHERE kind = ${kind} AND remote_id = ${id})`;
  return entries.filter((entry) => database.get(isKnown(entry)) === undefined);
}

/** See `Journal.appeared`. */
export function appeared(database: JournalDatabase, kind: Kind): readonly LogEntry[] {
  const rows = database.all(sql`SELECT * FROM log WHERE kind = ${kind} AND baseline = 0
    AND claimed_by IS NULL ORDER BY id`);
  return rows.map((row) => logEntryFrom(row, undefined));
}

/** Seconds that a wall clock may be from UTC. */
const MOST_OFFSET = 14 * 3600;

/** See `Journal.logCandidates`. */
export function logCandidates(
  database: JournalDatabase,
  run: number,
  facts: WorkoutFacts,
  activityID: number,
): readonly ClaimedEntry[] {
  const midnight = localSeconds({ ...facts, time: undefined });
  // Of a workout with an instant, the log may have another wall clock.
  const margin = facts.instant === undefined ? MOST_SECONDS_APART : MOST_OFFSET;
  const rows = database.all(sql`SELECT * FROM log WHERE kind = 'workout' AND activity_id = ${activityID}
    AND local_s BETWEEN ${midnight - margin} AND ${midnight + 86_400 + margin} AND ${isFree(run)} ORDER BY local_s, id`);
  return rows.map((row) => claimedEntryFrom(row, facts.activity));
}

/** See `Journal.logEntry`. */
export function logEntry(database: JournalDatabase, kind: Kind, id: string): ClaimedEntry | undefined {
  const found = database.get(sql`SELECT * FROM log WHERE kind = ${kind} AND id = ${id}`);
  return found === undefined ? undefined : claimedEntryFrom(found, undefined);
}

/** See `Journal.logHas`. */
export function logHas(database: JournalDatabase, kind: Kind, id: string): boolean {
  return database.get(sql`SELECT 1 AS yes FROM log WHERE kind = ${kind} AND id = ${id}`) !== undefined;
}

/** See `Journal.wasThere`. */
export function wasThere(database: JournalDatabase, kind: Kind, id: string): boolean {
  return database.get(sql`SELECT 1 AS yes FROM log WHERE kind = ${kind} AND id = ${id} AND baseline = 1`) !== undefined;
}

/** See `Journal.claimLog`. */
export function claimLog(database: JournalDatabase, kind: Kind, id: string, key: string): void {
  database.beginChunk();
  database.run(sql`UPDATE log SET claimed_by = ${key} WHERE kind = ${kind} AND id = ${id}`);
}

/** See `Journal.logWithIdentity`. */
export function logWithIdentity(
  database: JournalDatabase,
  run: number,
  kind: Kind,
  identity?: string,
): readonly ClaimedEntry[] {
  const isWanted = identity === undefined ? sql`identity IS NOT NULL` : sql`identity = ${identity}`;
  return database
    .all(sql`SELECT * FROM log INDEXED BY log_identity WHERE kind = ${kind} AND ${isWanted} AND ${isFree(run)}
      ORDER BY id`)
    .map((row) => claimedEntryFrom(row, undefined));
}

/** See `Journal.rowsAway`. */
export function rowsAway(database: JournalDatabase, run: number): readonly RowAway[] {
  const place = sql`json_extract(origin, '$.connector') || char(10) || json_extract(origin, '$.archive')
    || char(10) || json_extract(origin, '$.entry')`;
  const known = sql`log.kind = 'workout' AND log.baseline = 1 AND ${isFree(run)}`;
  const isNone = database.get(sql`SELECT 1 FROM log WHERE ${known} AND claimed_by IS NOT NULL LIMIT 1`) === undefined;
  if (isNone) return [];
  const rows = database.all(sql`SELECT DISTINCT ${place} AS place FROM line WHERE run = ${run}`);
  const places = new Set(rows.map((own) => own.place));
  const found = new Map<string, RowAway>();
  let after = "";
  for (;;) {
    const chunk = database.all(sql`SELECT log.id, line.run, line.seq, line.source, line.key, ${place} AS place FROM log
      JOIN placed ON placed.kind = 'workout' AND placed.remote_id = log.id
      JOIN line INDEXED BY line_key ON line.run = placed.run AND line.key = placed.key
      WHERE ${known} AND log.id > ${after}
        -- A row that a person separated from the recording that has its record now is still in its table.
        AND NOT EXISTS (SELECT 1 FROM line AS own INDEXED BY line_key WHERE own.run = ${run} AND own.key = placed.key)
      ORDER BY log.id, placed.run DESC LIMIT ${ROWS_PER_CHUNK}`);
    for (const one of chunk) {
      const id = String(one.id);
      if (found.has(id) || !places.has(one.place)) continue;
      const [run, seq, source] = [one.run, one.seq, one.source].map(Number) as [number, number, number];
      found.set(id, { id, run, seq, source, key: String(one.key), table: String(one.place) });
    }
    const last = chunk.at(-1);
    if (last === undefined) return [...found.values()];
    after = String(last.id);
  }
}

/** See `Journal.recordsInCommon`. */
export function recordsInCommon(
  database: JournalDatabase,
  one: Pick<Line, "run" | "source">,
  other: Pick<Line, "run" | "source">,
): { readonly both: number; readonly fewest: number } {
  const count = ({ run, source }: Pick<Line, "run" | "source">) =>
    Number(database.get(sql`SELECT count(*) AS n FROM line WHERE run = ${run} AND source = ${source}`)?.n ?? 0);
  const both =
    database.get(sql`SELECT count(*) AS n FROM line WHERE line.run = ${one.run} AND line.source = ${one.source}
    AND EXISTS (SELECT 1 FROM line AS old INDEXED BY line_key
      WHERE old.run = ${other.run} AND old.key = line.key AND old.source = ${other.source})`);
  return { both: Number(both?.n ?? 0), fewest: Math.min(count(one), count(other)) };
}

/** Rows in one read of the records whose rows may be away. */
const ROWS_PER_CHUNK = 1_000;
