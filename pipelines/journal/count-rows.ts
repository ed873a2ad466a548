/** Counts the operations, the losses and the issues of a run. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { HELD_FIELDS, lossCauseOf } from "../../transforms/model/loss-cause.ts";
import type {
  FilledBefore,
  FilledCounts,
  IssueRow,
  LossRow,
  MinorValue,
  NotAddedCounts,
  UnreadValues,
} from "./counts.ts";
import type { JournalDatabase } from "./database.ts";
import { lossRowFrom } from "./rows.ts";
import type { PlannedOperations } from "./run.ts";
import { sql } from "./sql.ts";

/** Ids of the log that two lines of a run claim. */
export function claimedTwice(database: JournalDatabase, run: number): readonly string[] {
  return database
    .all(sql`SELECT remote_id FROM line WHERE run = ${run} AND state IN ('done', 'unchanged')
      AND remote_id IS NOT NULL
      GROUP BY kind, remote_id HAVING count(*) > 1`)
    .map((row) => String(row.remote_id));
}

/** The open operations of a plan, counted. */
export function plannedOperations(database: JournalDatabase, run: number): readonly PlannedOperations[] {
  // A device file is imported once for all its workouts, except workouts that are sent as files of their own.
  const rows = database.all(sql`WITH open AS (SELECT * FROM line WHERE run = ${run} AND state = 'planned'),
        file AS (SELECT count(*) AS workouts FROM open
        WHERE carrier = 'import' AND remote_id IS NULL
        GROUP BY entry_source, entry, iif(json_extract(value, '$.track.alone'), seq, 0))
    SELECT 'workout' AS kind, 'import' AS does, workouts, 0 AS mapped, count(*) AS count FROM file
    GROUP BY workouts
    UNION ALL
    SELECT kind, iif(remote_id IS NULL, 'save', 'overwrite') AS does, 1 AS workouts,
        kind = 'course' AND json_extract(value, '$.map') IS NOT NULL AS mapped, count(*) AS count
    FROM open WHERE remote_id IS NOT NULL OR carrier IS NOT 'import' GROUP BY 1, 2, 4`);
  return rows.map(({ kind, does, workouts, mapped, count }) => ({
    kind: kind as Kind,
    does: does as PlannedOperations["does"],
    workouts: Number(workouts),
    isMapped: mapped === 1,
    count: Number(count),
  }));
}

/** The number of records of a kind in the last listing. */
export function logSize(database: JournalDatabase, kind: Kind): number {
  const [row] = database.all(sql`SELECT count(*) AS count FROM log WHERE kind = ${kind}`);
  return Number(row?.count ?? 0);
}

/** The values that are not put in the log, by field and cause. The values of a field that the log has tell the cause, and they are few. */
export function losses(database: JournalDatabase, run: number): readonly LossRow[] {
  const held = JSON.stringify(HELD_FIELDS);
  const rows = database.all(sql`SELECT json_extract(each.value, '$.field') AS field,
      iif(json_extract(each.value, '$.field') IN (SELECT value FROM json_each(${held})), json_extract(each.value, '$.value'), NULL) AS value,
      json_extract(each.value, '$.isUnread') AS unread, count(*) AS count
    FROM line, json_each(line.value, '$.beyond') AS each
    WHERE line.run = ${run} AND line.value IS NOT NULL AND line.state NOT IN ('merged')
    GROUP BY 1, 2, 3`);
  const counts = new Map<string, Required<LossRow>>();
  for (const row of rows) {
    const field = String(row.field);
    const isUnread = Boolean(row.unread);
    const because = lossCauseOf({ field, value: String(row.value ?? ""), ...(isUnread && { isUnread: true }) });
    const key = `${because} ${field}`;
    counts.set(key, { field, count: (counts.get(key)?.count ?? 0) + Number(row.count), because });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1));
}

/** See `Journal.unreadValues`. Few values have this part, and only these are parsed. */
export function unreadValues(database: JournalDatabase, run: number): UnreadValues {
  // With min(), SQLite takes the other columns from the row of the minimum.
  const rows = database.all(sql`SELECT count(*) AS count, min(line.seq), json_extract(each.value, '$.field') AS field,
        json_extract(each.value, '$.value') AS text, line.origin AS origin
      FROM line, json_each(line.value, '$.beyond') AS each
      WHERE line.run = ${run} AND instr(line.value, '"isUnread"') > 0 AND line.state NOT IN ('merged', 'quarantined', 'skipped')
        AND json_extract(each.value, '$.isUnread') = 1
      GROUP BY field ORDER BY 2, field`);
  return {
    count: rows.reduce((sum, row) => sum + Number(row.count), 0),
    examples: rows.map(({ field, text, origin }) => ({
      field: String(field),
      value: String(text),
      origin: JSON.parse(String(origin)),
    })),
  };
}

/** See `Journal.minorValues`. */
export function minorValues(database: JournalDatabase, run: number): readonly MinorValue[] {
  const held = JSON.stringify(HELD_FIELDS);
  const rows =
    database.all(sql`SELECT count(*) AS count, min(line.seq) AS first, json_extract(each.value, '$.field') AS field,
        json_extract(each.value, '$.value') AS text, json_extract(each.value, '$.isUnread') AS unread, line.origin AS origin
      FROM line, json_each(line.value, '$.beyond') AS each
      WHERE line.run = ${run} AND instr(line.value, '"beyond"') > 0 AND line.state NOT IN ('merged', 'quarantined', 'skipped')
        AND (json_extract(each.value, '$.isUnread') = 'minor' OR json_extract(each.value, '$.isUnread') IS NULL
          AND json_extract(each.value, '$.field') IN (SELECT value FROM json_each(${held})))
      GROUP BY field, unread ORDER BY 1 DESC, field`);
  return rows.map((row) => {
    const [field, value] = [String(row.field), String(row.text)];
    const because = lossCauseOf({ field, value, ...(row.unread !== null && { isUnread: "minor" }) });
    return { field, count: Number(row.count), because, value, origin: JSON.parse(String(row.origin)) };
  });
}

/**
 * See `Journal.notAdded`. Few values have this part, and only these are parsed. A value that the log perhaps has doesn't count.
 */
export function notAdded(database: JournalDatabase, run: number): NotAddedCounts {
  const lines = sql`FROM line WHERE line.run = ${run} AND line.kind = 'workout' AND line.state IN ('planned', 'in-flight', 'done', 'unchanged')
    AND instr(line.value, '"notAdded"') > 0`;
  const values = sql`FROM (SELECT seq, value ${lines}) AS line, json_each(line.value, '$.notAdded.values') AS each`;
  const isLacking = sql`json_extract(each.value, '$.inLog') IS NULL AND json_extract(each.value, '$.isUnknown') IS NULL`;
  const fields = database.all(sql`SELECT json_extract(each.value, '$.field') AS field,
      sum(${isLacking}) AS lacking,
      sum(json_extract(each.value, '$.inLog') IS NOT NULL) AS differing
    ${values} GROUP BY 1 HAVING lacking + differing > 0 ORDER BY 2 DESC, 3 DESC, 1`);
  const row = database.get(sql`SELECT count(DISTINCT line.seq) AS workouts ${values}
    WHERE ${isLacking}`);
  const from = database.all(sql`SELECT DISTINCT json_extract(value, '$.notAdded.run') AS run,
      json_extract(value, '$.notAdded.source') AS source ${lines}
      AND json_extract(value, '$.notAdded.run') IS NOT NULL ORDER BY 1, 2`);
  const undone =
    database.get(sql`SELECT count(*) AS n FROM line JOIN ruling ON ruling.key = line.key AND ruling.ruling = 'undone'
    WHERE line.run = ${run} AND line.kind = 'workout' AND line.state NOT IN ('merged', 'quarantined')`);
  return {
    workouts: Number(row?.workouts ?? 0),
    fields: fields.map(({ field, lacking, differing }) => ({
      field: String(field),
      lacking: Number(lacking),
      differing: Number(differing),
    })),
    loadedFrom: from.map((one) => ({ run: Number(one.run), source: Number(one.source) })),
    undone: Number(undone?.n ?? 0),
  };
}

/** See `Journal.filled`. */
export function filled(database: JournalDatabase, run: number): FilledCounts {
  const lines = sql`FROM line WHERE line.run = ${run} AND line.kind = 'workout' AND line.state IN ('planned', 'in-flight', 'done')
    AND instr(line.value, '"completes"') > 0`;
  const fields = database.all(sql`SELECT json_extract(each.value, '$.field') AS field, count(*) AS count
    FROM (SELECT value ${lines}) AS line, json_each(line.value, '$.completes.values') AS each
    GROUP BY 1 ORDER BY 2 DESC, 1`);
  const row = database.get(sql`SELECT count(*) AS workouts ${lines}`);
  return { workouts: Number(row?.workouts ?? 0), fields: fields.map(lossRowFrom) };
}

/** See `Journal.filledBefore`. */
export function filledBefore(database: JournalDatabase): readonly FilledBefore[] {
  return database
    .all(sql`SELECT key, remote_id, (SELECT json_group_array(json_extract(each.value, '$.path'))
        FROM json_each(line.value, '$.completes.values') AS each) AS paths
      FROM line WHERE kind = 'workout' AND state = 'done' AND action = 'update' AND remote_id IS NOT NULL
        AND instr(value, '"completes"') > 0`)
    .map(({ key, remote_id, paths }) => ({
      key: String(key),
      remoteId: String(remote_id),
      paths: JSON.parse(String(paths)) as readonly string[],
    }));
}

/** The issues of a run, the most frequent first. */
export function readIssues(database: JournalDatabase, run: number): readonly IssueRow[] {
  return database.all(sql`SELECT * FROM issue WHERE run = ${run} ORDER BY count DESC, rule`).map((row) => ({
    rule: String(row.rule),
    severity: row.severity as Issue["severity"],
    count: Number(row.count),
    example: JSON.parse(String(row.example)) as Issue,
  }));
}
