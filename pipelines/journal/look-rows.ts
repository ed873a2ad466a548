/** Answers the questions of the look after a run. The last listing is in the temporary table `taken`. */
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { MixedUp } from "./journal.ts";
import type { Line } from "./line.ts";
import { lineFrom, logEntryFrom, type Row } from "./rows.ts";
import type { Looked, SeenSums, Surplus } from "./run.ts";
import { type Sql, sql } from "./sql.ts";

/** See `Journal.hasInLog`. */
export function hasInLog(database: JournalDatabase, run: number, kind: Kind): boolean {
  const row = database.get(sql`SELECT 1 AS yes FROM line INDEXED BY line_order WHERE run = ${run}
    AND kind = ${kind} AND state IN ('done', 'unchanged', 'refused')
    AND remote_id IS NOT NULL LIMIT 1`);
  return row !== undefined;
}

/** See `Journal.absentLines`. */
export function absentLines(database: JournalDatabase, run: number, kind: Kind): readonly Line[] {
  database.commit();
  return database
    .all(sql`SELECT * FROM line INDEXED BY line_order WHERE run = ${run} AND kind = ${kind}
      AND state IN ('done', 'unchanged')
      AND remote_id IS NOT NULL AND remote_id NOT IN (SELECT id FROM temp.taken WHERE kind = ${kind})
      ORDER BY place, seq`)
    .map(lineFrom);
}

/** If so many records differ from the values sent, the log stores its values in another way. Then no answer was mixed up. */
const MOST_MIXED_UP = 10_000;

/** Whether a line and the listed record with its id (`own`) differ in a listed value by more than rounding. */
const OTHER_FACTS = sql`(own.local_s IS NOT line.local_s OR own.identity IS NOT line.identity
  OR abs(coalesce(own.metres, 0) - coalesce(line.metres, 0)) > 1 OR abs(coalesce(own.seconds, 0) - coalesce(line.seconds, 0)) > 1)`;

/**
 * See `Journal.mixedUp`. Imported workouts are left out: logferry reads each one before it overwrites it, so it has the values that were
 * sent.
 */
export function mixedUp(database: JournalDatabase, run: number, kind: Kind): readonly MixedUp[] {
  database.commit();
  const rows = database.all(sql`SELECT line.run, line.seq, own.* FROM line INDEXED BY line_order
    JOIN temp.taken AS own ON own.kind = line.kind AND own.id = line.remote_id
    WHERE line.run = ${run} AND line.kind = ${kind} AND line.state = 'done' AND line.action = 'create'
    AND line.carrier IS NOT 'import'
      AND ${OTHER_FACTS} LIMIT ${MOST_MIXED_UP}`);
  return rows.flatMap((row) => withLine(database, row));
}

/** See `Journal.claimsInQuestion`. */
export function claimsInQuestion(database: JournalDatabase, kind: Kind, since: boolean): readonly MixedUp[] {
  database.commit();
  const rows = database.all(sql`SELECT line.run, line.seq, own.* FROM placed JOIN temp.taken AS own
    ON own.kind = placed.kind AND own.id = placed.remote_id
      JOIN line INDEXED BY line_key ON line.run = placed.run AND line.key = placed.key
    WHERE placed.kind = ${kind} AND line.state = 'done' AND line.carrier IS NOT 'import' AND ${OTHER_FACTS}
      AND NOT EXISTS (SELECT 1 FROM placed AS other
        WHERE other.kind = placed.kind AND other.remote_id = placed.remote_id AND other.key <> placed.key)
      AND (${since} = 0 OR EXISTS (SELECT 1 FROM log WHERE log.kind = own.kind AND log.id = own.id
      AND log.baseline = 0))
    LIMIT ${MOST_MIXED_UP}`);
  return rows.flatMap((row) => withLine(database, row));
}

function withLine(database: JournalDatabase, row: Row): readonly MixedUp[] {
  const line = database.get(sql`SELECT * FROM line WHERE run = ${row.run ?? 0} AND seq = ${row.seq ?? 0}`);
  return line === undefined ? [] : [{ line: lineFrom(line), entry: logEntryFrom(row, undefined) }];
}

/** See `Journal.seenSums`. A workout that the log has in parts stands for several records of it: all that it claims. */
export function seenSums(database: JournalDatabase, run: number): SeenSums {
  database.commit();
  const row = database.get(sql`SELECT count(*) AS workouts, total(metres) AS metres, total(seconds) AS seconds
    FROM temp.taken
    WHERE kind = 'workout' AND (id IN (SELECT remote_id FROM line INDEXED BY line_order
      WHERE run = ${run} AND kind = 'workout' AND state IN ('done', 'unchanged', 'refused')
      AND remote_id IS NOT NULL)
      OR id IN (SELECT log.id FROM (SELECT claimed_by AS key FROM log WHERE kind = 'workout' AND claimed_by IS NOT NULL
        GROUP BY claimed_by HAVING count(*) > 1) AS several
        JOIN line INDEXED BY line_key ON line.run = ${run} AND line.key = several.key AND line.state = 'unchanged'
        JOIN log ON log.kind = 'workout' AND log.claimed_by = several.key))`);
  return { workouts: Number(row?.workouts), metres: Number(row?.metres), seconds: Number(row?.seconds) };
}

/** The maximum number of ids that are named for each day. */
const NAMED = 5;

/**
 * See `Journal.surplus`. This compares each additional record of the listing with the records of the run.
 *
 * A record that appeared since the plan counts in one case: it is as long as a record of the run, and begins with it or whole quarter hours
 * away. An import may differ from the plan by that much.
 *
 * A record that was there before counts if its day, time of day (or its absence), activity, distance and duration equal those of a record
 * of the run. A verification compares in the same way. The values that an import gave at first count too.
 *
 * Shoes and courses count by their identity alone. A record that a line of the run was recognised as does not count.
 *
 * If no run of this journal made either of two earlier records, they belong to the owner or to another journal. logferry can't tell which,
 * so these are `before` and not surplus.
 */
export function surplus(
  database: JournalDatabase,
  run: number,
  kind: Kind,
  isRestore: boolean,
): Pick<Looked, "surplus" | "before"> {
  database.commit();
  database.exec(
    `DROP TABLE IF EXISTS temp.ours; CREATE TEMP TABLE ours (id TEXT PRIMARY KEY) WITHOUT ROWID;
     CREATE INDEX IF NOT EXISTS temp.taken_local ON taken (kind, local_s)`,
  );
  database.run(sql`INSERT INTO temp.ours SELECT remote_id FROM line INDEXED BY line_order WHERE run = ${run}
    AND kind = ${kind} AND remote_id IS NOT NULL
    UNION SELECT twin FROM line INDEXED BY line_order WHERE run = ${run} AND kind = ${kind} AND twin IS NOT NULL
    UNION SELECT remote_id FROM placed WHERE kind = ${kind}`);
  const more = (own: Sql) => (kind === "workout" ? moreWorkouts(own) : moreThings(kind, own));
  if (isRestore) return { surplus: byDay(surplusOfRestore(database, more(sql`1`), kind), kind), before: [] };
  const all = database.all(more(sql`1`));
  const ours = all.length === 0 ? [] : database.all(more(MADE));
  const isOurs = new Set(ours.map(({ id }) => id));
  return {
    surplus: byDay(ours, kind),
    before: byDay(
      all.filter(({ id }) => !isOurs.has(id)),
      kind,
    ),
  };
}

function byDay(rows: readonly Row[], kind: Kind): readonly Surplus[] {
  const days = Map.groupBy(rows, ({ date }) => (date === null ? undefined : String(date)));
  return [...days].map(([day, some]) => ({
    kind,
    day,
    count: some.length,
    ids: some.slice(0, NAMED).map(({ id }) => String(id)),
  }));
}

const APPEARED = sql`NOT EXISTS (SELECT 1 FROM log WHERE log.kind = more.kind AND log.id = more.id AND log.baseline = 1)`;

/** A run of this journal made the record. */
const MADE = sql`EXISTS (SELECT 1 FROM placed WHERE placed.kind = own.kind AND placed.remote_id = own.id)`;

/** The record has the values that a workout of the run had right after its import (see `as-imported.ts`). So a second import made it. */
const IMPORTED_ALIKE = sql`EXISTS (SELECT 1 FROM as_imported AS made WHERE made.id = own.id
  AND made.date = more.date AND substr(made.time, 1, 5) IS substr(more.time, 1, 5) AND made.activity_id IS more.activity_id
  AND coalesce(abs(made.seconds - more.seconds) < 1, made.seconds IS more.seconds)
  AND coalesce(abs(made.metres - more.metres) < 1, made.metres IS more.metres))`;

/** No person said that it is another workout than the one of a source. */
const IS_APART = sql`NOT EXISTS (SELECT 1 FROM pair_answer WHERE answer = 'two' AND
  more.id IN (json_extract(records, '$[0].inLog'), json_extract(records, '$[1].inLog')))`;

/** @param own the condition on a record of the run, if the other record was there before */
const moreWorkouts = (own: Sql) => sql`
  SELECT more.kind, more.id, more.date FROM temp.taken AS more
  WHERE more.kind = 'workout' AND more.id NOT IN (SELECT id FROM temp.ours) AND more.local_s IS NOT NULL AND ${IS_APART} AND EXISTS (
    SELECT 1 FROM temp.taken AS own
    WHERE own.kind = more.kind AND own.local_s BETWEEN more.local_s - 54000 AND more.local_s + 54000
      AND own.id IN (SELECT id FROM temp.ours)
      AND CASE WHEN ${APPEARED}
        THEN (own.time IS NULL AND more.time IS NULL AND own.date = more.date
            OR own.time IS NOT NULL AND more.time IS NOT NULL AND (abs(own.local_s - more.local_s) + 150) % 900 <= 300)
          AND coalesce(abs(own.metres - more.metres) <= 20 + 0.02 * own.metres, own.metres IS more.metres)
          AND coalesce(abs(own.seconds - more.seconds) <= 60 + 0.05 * own.seconds, 1)
        ELSE ${own} AND own.time IS more.time AND own.local_s = more.local_s AND own.activity_id IS more.activity_id
          AND own.seconds IS more.seconds AND coalesce(abs(own.metres - more.metres) < 1, own.metres IS more.metres)
        OR ${IMPORTED_ALIKE} END)
  ORDER BY more.date, more.id`;

const moreThings = (kind: Kind, own: Sql) => sql`
  SELECT more.kind, more.id, more.date FROM temp.taken AS more
  WHERE more.kind = ${kind} AND more.id NOT IN (SELECT id FROM temp.ours) AND EXISTS (
    SELECT 1 FROM temp.taken AS own
    WHERE own.kind = more.kind AND own.identity = more.identity AND own.id IN (SELECT id FROM temp.ours)
      AND (${APPEARED} OR ${own}))
  ORDER BY more.id`;

/**
 * The surplus after a restore. A restored log may contain equal records from before, and a snapshot may have more records than the restore
 * uses. So two groups count: records that appeared since the plan, and records named by the look after an earlier run that are still there.
 */
function surplusOfRestore(database: JournalDatabase, more: Sql, kind: Kind): readonly Row[] {
  const alike = database.all(sql`SELECT more.*, ${APPEARED} AS appeared FROM (${more}) AS more ORDER BY date, id`);
  if (alike.every(({ appeared }) => appeared === 1)) return alike;
  const looks = database.all(sql`SELECT surplus FROM look`).map(keptIn);
  const named = new Set(
    looks.flatMap(({ surplus }) => surplus.filter((one) => one.kind === kind)).flatMap(({ ids }) => ids),
  );
  return alike.filter(({ appeared, id }) => appeared === 1 || named.has(String(id)));
}

/** See `Journal.setLooked`. */
export function setLooked(database: JournalDatabase, run: number, looked: Looked | undefined): void {
  database.commit();
  if (looked === undefined) {
    database.run(sql`DELETE FROM look WHERE run = ${run}`);
    return;
  }
  database.run(sql`INSERT OR REPLACE INTO look (run, at, is_sure, gone, surplus)
    VALUES (${run}, ${looked.at}, ${looked.isSure}, ${looked.gone},
    ${JSON.stringify({ surplus: looked.surplus, before: looked.before, seen: looked.seen })})`);
}

/** See `Journal.looked`. */
export function lookedOf(database: JournalDatabase, run: number): Looked | undefined {
  const row = database.get(sql`SELECT * FROM look WHERE run = ${run}`);
  if (row === undefined) return undefined;
  return { at: Number(row.at), isSure: row.is_sure === 1, gone: Number(row.gone), ...keptIn(row) };
}

/** Reads the JSON of a look. Older versions kept only the surplus. */
function keptIn(row: Row): Pick<Looked, "surplus" | "before" | "seen"> {
  const kept = JSON.parse(String(row.surplus)) as readonly Surplus[] | Pick<Looked, "surplus" | "before" | "seen">;
  return "surplus" in kept ? kept : { surplus: kept, before: [] };
}
