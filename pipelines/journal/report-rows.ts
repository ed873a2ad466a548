/** Answers the questions of a report. The database computes the sums, so a run of any length gives a few hundred rows. */
import type { Activity } from "../../transforms/activities.ts";
import { type MonthRow, PLACE_STEP, type PlaceRow, type ReasonRow, type TallyRow } from "./counts.ts";
import type { JournalDatabase } from "./database.ts";
import type { LineState } from "./line.ts";
import { type Row, tallyRowFrom } from "./rows.ts";
import type { VerifiedRun } from "./run.ts";
import { listed, sql } from "./sql.ts";

/** The damage to the file of a line that is in the log or on its way. Few values contain a lost file, and only these are parsed. */
const LOST = sql`iif(state IN ('planned', 'in-flight', 'done', 'unchanged') AND instr(value, '"lostFile"') > 0,
  json_extract(value, '$.lostFile.because'), NULL)`;

/** Lines that a person left out, and lines that were stopped because the log changed. Their reasons begin with these rules. */
const APART = sql`(state = 'skipped' AND reason LIKE 'plan/dropped%') OR (state = 'failed' AND reason LIKE 'plan/log-changed%')`;

/** Lines that create a workout whose file was imported, and whose values were not sent yet. */
const HALF_THERE = sql`(state IN ('planned', 'in-flight') AND action = 'create' AND remote_id IS NOT NULL)`;

/**
 * See `Journal.tally`. If a record is gone, the lines merged into it count as gone too. (CROSS JOIN keeps the database from reading all merged lines
 * for each of the others.)
 */
export function tallyOf(database: JournalDatabase, run: number): readonly TallyRow[] {
  const rows = database
    .all(sql`SELECT kind, source, state, action, count(*) AS count, sum(state = 'refused'
      AND remote_id IS NOT NULL OR ${HALF_THERE}) AS there,
        sum(${APART}) AS apart,
        total(lost = 'missing') AS missing, total(lost = 'damaged') AS damaged, total(lost = 'cut') AS cut
      FROM (SELECT *, ${LOST} AS lost FROM line WHERE run = ${run}) GROUP BY kind, source, state, action
      ORDER BY 1, 2, 3, 4`)
    .map(tallyRowFrom)
    .map(mergedIntoAbsent(database, run));
  if (rows.every(({ state }) => state !== "gone")) return rows;
  const gone = database
    .all(sql`WITH RECURSIVE lost (key) AS (
        SELECT key FROM line WHERE run = ${run} AND state = 'gone'
        UNION SELECT line.key FROM lost CROSS JOIN line INDEXED BY line_twin ON line.run = ${run}
        AND line.twin = lost.key AND line.state = 'merged')
      SELECT kind, source, 'gone' AS state, action, count(*) AS count, 0 AS there, 0 AS apart, 0 AS missing, 0 AS damaged, 0 AS
      cut FROM line
      WHERE run = ${run} AND state = 'merged' AND twin IN (SELECT key FROM lost) GROUP BY kind, source, action`)
    .map(tallyRowFrom);
  const isLike = (one: TallyRow) => (other: TallyRow) =>
    one.kind === other.kind && one.source === other.source && one.action === other.action;
  return [
    ...rows.map((row) => {
      const lost = row.state === "merged" ? (gone.find(isLike(row))?.count ?? 0) : 0;
      return { ...row, count: row.count - lost, there: Math.max(0, row.there - lost) };
    }),
    ...gone,
  ];
}

/** Counts merged records that are duplicates of a record outside the log: it is left to do, or was rejected or refused. */
function mergedIntoAbsent(database: JournalDatabase, run: number): (row: TallyRow) => TallyRow {
  let absent: readonly Row[] | undefined;
  return (row) => {
    if (row.state !== "merged") return row;
    absent ??= database.all(sql`WITH RECURSIVE absent (key) AS (
        SELECT key FROM line AS one WHERE run = ${run} AND state NOT IN ('done', 'unchanged', 'merged', 'gone')
        AND NOT (state = 'refused' AND remote_id IS NOT NULL) AND NOT ${HALF_THERE}
          AND NOT EXISTS (SELECT 1 FROM line AS other INDEXED BY line_key WHERE other.run = one.run
          AND other.key = one.key AND other.state IN ('done', 'unchanged'))
        UNION SELECT line.key FROM absent CROSS JOIN line INDEXED BY line_twin ON line.run = ${run}
        AND line.twin = absent.key AND line.state = 'merged')
      SELECT kind, source, action, count(*) AS count FROM line WHERE run = ${run} AND state = 'merged'
      AND twin IN (SELECT key FROM absent) GROUP BY kind, source, action`);
    const own = absent.find((one) => one.kind === row.kind && one.source === row.source && one.action === row.action);
    return { ...row, there: row.count - Number(own?.count ?? 0) };
  };
}

/** Whether a line keeps the measures of the log's workout: as they are, or with its blank fields filled. A listing may show neither measure. */
const KEEPS_OWN = sql`(log.metres IS NOT NULL OR log.seconds IS NOT NULL) AND (line.state = 'unchanged'
  OR line.state = 'done' AND instr(line.value, '"completes"') > 0)`;

/** Lines that their run did not bring in, and a later run did. */
const BROUGHT_IN_LATER = sql`(line.state NOT IN ('done', 'unchanged', 'merged') AND EXISTS (SELECT 1
  FROM run CROSS JOIN line AS later INDEXED BY line_key ON later.run = run.id AND later.key = line.key
  WHERE run.id > line.run AND run.state <> 'planning' AND later.state IN ('done', 'unchanged')))`;

/** See `Journal.months`. */
export function monthsOf(database: JournalDatabase, run: number, isAsOfNow = false): readonly MonthRow[] {
  const cameLater = isAsOfNow ? BROUGHT_IN_LATER : sql`FALSE`;
  return database
    .all(sql`SELECT substr(line.date, 1, 7) AS month, activity,
        CASE WHEN state = 'refused' AND remote_id IS NOT NULL OR ${cameLater} THEN 'done' ELSE state END AS state,
        count(*) AS workouts, total(line.metres) AS metres, total(line.seconds) AS seconds,
        total(CASE WHEN ${KEEPS_OWN} THEN iif(state = 'done', coalesce(log.metres, line.metres), log.metres)
          ELSE line.metres END) AS log_metres,
        total(CASE WHEN ${KEEPS_OWN} THEN iif(state = 'done', coalesce(log.seconds, line.seconds), log.seconds)
          ELSE line.seconds END) AS log_seconds
      FROM line LEFT JOIN log ON log.kind = 'workout' AND log.id = line.remote_id
      WHERE line.run = ${run} AND line.kind = 'workout' AND state <> 'merged'
      GROUP BY 1, 2, 3 ORDER BY month IS NULL, 1, 2, 3`)
    .map((row) => ({
      month: row.month === null ? undefined : String(row.month),
      activity: row.activity === null ? undefined : (String(row.activity) as Activity),
      state: row.state as LineState,
      workouts: Number(row.workouts),
      metres: Number(row.metres),
      seconds: Number(row.seconds),
      inLog: { metres: Number(row.log_metres), seconds: Number(row.log_seconds) },
    }));
}

/** See `Journal.places`. The database rounds the places, so no exact position leaves it. */
export function readPlaces(database: JournalDatabase, run: number, states: readonly LineState[]): readonly PlaceRow[] {
  const cells = Math.round(1 / PLACE_STEP);
  return database
    .all(sql`SELECT lat, lon, count(*) AS workouts FROM (
        SELECT round(json_extract(value, '$.start.position.lat') * ${cells}) AS lat,
          round(json_extract(value, '$.start.position.lon') * ${cells}) AS lon
        FROM line WHERE run = ${run} AND kind = 'workout' AND state IN (${listed(states)}))
      WHERE lat IS NOT NULL AND lon IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`)
    .map((row) => ({
      lat: Number(row.lat) / cells,
      lon: Number(row.lon) / cells,
      workouts: Number(row.workouts),
    }));
}

/** See `Journal.reasons`. A reason begins with its rule, `part/what-is-wrong`. The rule stands alone, or before a blank or a colon. */
export function reasonsOf(database: JournalDatabase, run: number): readonly ReasonRow[] {
  return database
    .all(sql`SELECT state, CASE WHEN state = 'merged' OR instr(word, '/') = 0 THEN NULL ELSE word END AS rule,
        count(*) AS count
      FROM (SELECT state, rtrim(substr(reason, 1, instr(reason || ' ', ' ') - 1), ':') AS word FROM line
        WHERE run = ${run} AND state IN ('gone', 'quarantined', 'refused', 'failed', 'in-doubt', 'merged',
        'skipped'))
      GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`)
    .map((row) => ({
      state: row.state as LineState,
      rule: row.rule === null ? undefined : String(row.rule),
      count: Number(row.count),
    }));
}

/** See `Journal.undone`. */
export function undoneOf(database: JournalDatabase, run: number): number {
  // A later run may have written the values again, with --again. Then nothing of it is undone.
  const row =
    database.get(sql`SELECT count(*) AS n FROM overwritten AS one WHERE run = ${run} AND put_back_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM overwritten AS later WHERE later.kind = one.kind AND later.id = one.id
      AND later.run > one.run AND later.put_back_at IS NULL)`);
  // An earlier run wrote it over, and this one found it as its plan has it. A plan after an undo leaves the record out.
  const since =
    database.get(sql`SELECT count(*) AS n FROM line JOIN ruling ON ruling.key = line.key AND ruling.ruling = 'undone'
    WHERE line.run = ${run} AND line.state = 'unchanged' AND ruling.run < ${run}
      AND ruling.at > (SELECT created_at FROM run WHERE id = ${run})`);
  return Number(row?.n ?? 0) + Number(since?.n ?? 0);
}

/** See `Journal.sentBetween`. */
export function sentBetween(
  database: JournalDatabase,
  run: number,
): { readonly from: number; readonly until: number } | undefined {
  const row = database.get(sql`SELECT min(at) AS first, max(at) AS last FROM event WHERE run = ${run}`);
  if (row?.first === null || row?.first === undefined) return undefined;
  return { from: Number(row.first), until: Number(row.last) };
}

/** See `Journal.setVerified`. */
export function setVerified(database: JournalDatabase, run: number, verified: VerifiedRun): void {
  const { metres, seconds } = verified;
  database.run(sql`INSERT OR REPLACE INTO verification (run, at, checked, present, differing, claimed_twice,
    unread, edited, metres_planned, metres_found,
    seconds_planned, seconds_found, examples, not_added, run_ended_at, doubled)
    VALUES (${run}, ${verified.at}, ${verified.checked}, ${verified.present}, ${verified.differing},
    ${verified.claimedTwice}, ${verified.unread}, ${verified.edited}, ${metres.planned}, ${metres.found}, ${seconds.planned}, ${seconds.found},
    ${JSON.stringify(verified.examples)}, ${verified.notAdded === undefined ? null : JSON.stringify(verified.notAdded)},
    ${verified.runEndedAt ?? null}, ${verified.doubled})`);
}

/** See `Journal.verified`. */
export function verifiedOf(database: JournalDatabase, run: number): VerifiedRun | undefined {
  const row = database.get(sql`SELECT * FROM verification WHERE run = ${run}`);
  return row === undefined ? undefined : verifiedFrom(row);
}

function verifiedFrom(row: Row): VerifiedRun {
  return {
    at: Number(row.at),
    ...(row.run_ended_at !== null && { runEndedAt: Number(row.run_ended_at) }),
    checked: Number(row.checked),
    present: Number(row.present),
    differing: Number(row.differing),
    claimedTwice: Number(row.claimed_twice),
    doubled: Number(row.doubled),
    unread: Number(row.unread),
    edited: Number(row.edited),
    metres: { planned: Number(row.metres_planned), found: Number(row.metres_found) },
    seconds: { planned: Number(row.seconds_planned), found: Number(row.seconds_found) },
    examples: JSON.parse(String(row.examples)) as VerifiedRun["examples"],
    ...(typeof row.not_added === "string" && {
      notAdded: JSON.parse(row.not_added) as NonNullable<VerifiedRun["notAdded"]>,
    }),
  };
}
