/** The journal's knowledge of the log from listings: the table `log`. */
import { addDays, asIfUtc, type LocalDate } from "../../transforms/calendar.ts";
import { DUPLICATE_TOLERANCE, type WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { ClaimedEntry, LogEntry } from "./remote-record.ts";
import { claimedEntryFrom, localSeconds, logEntryFrom } from "./rows.ts";

/** The condition for a log record that no line of a run stands for. Nobody claimed it, or its key is not in the run. */
const FREE =
  "(claimed_by IS NULL OR NOT EXISTS (SELECT 1 FROM line INDEXED BY line_key WHERE line.run = ? AND line.key = log.claimed_by))";

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
    database.run(
      `INSERT INTO temp.taken (kind, id, activity_id, date, time, local_s, metres, seconds, identity, name, baseline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO NOTHING`,
      entry.kind,
      entry.id,
      entry.activityID ?? null,
      entry.facts?.date ?? null,
      entry.facts?.time ?? null,
      entry.facts === undefined ? null : localSeconds(entry.facts),
      entry.facts?.metres ?? null,
      entry.facts?.seconds ?? null,
      entry.identity ?? null,
      entry.name ?? null,
      isBaseline ? 1 : 0,
    );
    count++;
  }
  database.commit();
  database.transaction(() => {
    database.run(isBaseline ? "DELETE FROM log" : "DELETE FROM log WHERE baseline = 0");
    database.run("INSERT INTO log SELECT * FROM temp.taken WHERE true ON CONFLICT (kind, id) DO NOTHING");
    database.run(
      "UPDATE log SET claimed_by = placed.key FROM placed WHERE placed.kind = log.kind AND placed.remote_id = log.id",
    );
  });
  return count;
}

/** See `Journal.missing`. */
export function missing(database: JournalDatabase, kind: Kind, most: number): readonly string[] {
  const rows = database.all(
    `SELECT id FROM (
       SELECT id FROM log WHERE kind = ? AND baseline = 1
       UNION SELECT remote_id FROM placed WHERE kind = ? AND run >= (SELECT max(id) FROM run)
     ) WHERE id NOT IN (SELECT id FROM temp.taken WHERE kind = ?) ORDER BY id LIMIT ?`,
    kind,
    kind,
    kind,
    most,
  );
  return rows.map(({ id }) => String(id));
}

/** See `Journal.unlisted`. */
export function unlisted(database: JournalDatabase, kind: Kind, most: number): readonly string[] {
  const rows = database.all(
    `SELECT remote_id FROM placed WHERE kind = ? AND NOT EXISTS (SELECT 1 FROM log WHERE log.kind = placed.kind AND log.id = placed.remote_id)
     ORDER BY run DESC, remote_id LIMIT ?`,
    kind,
    most,
  );
  return rows.map((row) => String(row.remote_id));
}

/** See `Journal.knownWorkouts`. */
export function knownWorkouts(database: JournalDatabase, run: number): number {
  const row = database.get(
    `SELECT (SELECT count(*) FROM log WHERE kind = 'workout') + (
       SELECT count(DISTINCT remote_id) FROM placed WHERE kind = 'workout' AND run = ?
         AND NOT EXISTS (SELECT 1 FROM log WHERE log.kind = placed.kind AND log.id = placed.remote_id)) AS known`,
    run,
  );
  return Number(row?.known);
}

/** See `Journal.knownWorkoutsAfter`. */
export function knownWorkoutsAfter(database: JournalDatabase, run: number, day: LocalDate): number {
  const nextMidnight = asIfUtc({ date: addDays(day, 1) }) / 1000;
  const row = database.get(
    `SELECT (SELECT count(*) FROM log WHERE kind = 'workout' AND baseline = 1 AND local_s >= ?) + (
       SELECT count(*) FROM line INDEXED BY line_order WHERE run = ? AND kind = 'workout' AND place <= ?
         AND action = 'create' AND remote_id IS NOT NULL) AS known`,
    nextMidnight,
    run,
    -nextMidnight,
  );
  return Number(row?.known);
}

/** See `Journal.strangersAmong`. */
export function strangersAmong(database: JournalDatabase, entries: readonly LogEntry[]): readonly LogEntry[] {
  const known = `SELECT 1 AS yes WHERE EXISTS (SELECT 1 FROM log WHERE kind = ? AND id = ?)
    OR EXISTS (SELECT 1 FROM placed WHERE kind = ? AND remote_id = ?)`;
  return entries.filter(({ kind, id }) => database.get(known, kind, id, kind, id) === undefined);
}

/** See `Journal.appeared`. */
export function appeared(database: JournalDatabase, kind: Kind): readonly LogEntry[] {
  const rows = database.all(
    "SELECT * FROM log WHERE kind = ? AND baseline = 0 AND claimed_by IS NULL ORDER BY id",
    kind,
  );
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
  const margin = facts.instant === undefined ? DUPLICATE_TOLERANCE.seconds : MOST_OFFSET;
  const rows = database.all(
    `SELECT * FROM log WHERE kind = 'workout' AND activity_id = ? AND local_s BETWEEN ? AND ? AND ${FREE} ORDER BY local_s, id`,
    activityID,
    midnight - margin,
    midnight + 86_400 + margin,
    run,
  );
  return rows.map((row) => claimedEntryFrom(row, facts.activity));
}

/** See `Journal.logHas`. */
export function logHas(database: JournalDatabase, kind: Kind, id: string): boolean {
  return database.get("SELECT 1 AS yes FROM log WHERE kind = ? AND id = ?", kind, id) !== undefined;
}

/** See `Journal.wasThere`. */
export function wasThere(database: JournalDatabase, kind: Kind, id: string): boolean {
  return database.get("SELECT 1 AS yes FROM log WHERE kind = ? AND id = ? AND baseline = 1", kind, id) !== undefined;
}

/** See `Journal.claimLog`. */
export function claimLog(database: JournalDatabase, kind: Kind, id: string, key: string): void {
  database.beginChunk();
  database.run("UPDATE log SET claimed_by = ? WHERE kind = ? AND id = ?", key, kind, id);
}

/** See `Journal.logWithIdentity`. */
export function logWithIdentity(
  database: JournalDatabase,
  run: number,
  kind: Kind,
  identity?: string,
): readonly ClaimedEntry[] {
  return database
    .all(
      `SELECT * FROM log INDEXED BY log_identity WHERE kind = ? AND identity ${identity === undefined ? "IS NOT NULL" : "= ?"} AND ${FREE} ORDER BY id`,
      kind,
      ...(identity === undefined ? [] : [identity]),
      run,
    )
    .map((row) => claimedEntryFrom(row, undefined));
}
