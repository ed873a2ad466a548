/** Writes a plan: its run, its lines and its issues. They are durable once the plan is ready. */

import type { Issue } from "../../transforms/model/issue.ts";
import { isOfUnread, withNamesOf } from "../../transforms/model/unread.ts";
import type { JournalDatabase } from "./database.ts";
import type { NewLine } from "./line.ts";
import { factColumns, valueColumns, writeOptions } from "./rows.ts";
import type { RunOptions, RunSource } from "./run.ts";
import { row, sql } from "./sql.ts";

/**
 * See `Journal.startPlan`. This removes plans that never became ready.
 *
 * @returns the number of the new run
 */
export function startPlan(
  database: JournalDatabase,
  sources: readonly RunSource[],
  options: RunOptions,
  now: number,
): number {
  database.commit();
  database.transaction(() => {
    for (const { id } of database.all(sql`SELECT id FROM run WHERE state = 'planning'`)) {
      database.run(sql`DELETE FROM line WHERE run = ${Number(id)}`);
      database.run(sql`DELETE FROM issue WHERE run = ${Number(id)}`);
      database.run(sql`DELETE FROM pair WHERE run = ${Number(id)}`);
      database.run(sql`DELETE FROM line_before WHERE run = ${Number(id)}`);
      database.run(sql`DELETE FROM line_own WHERE run = ${Number(id)}`);
      database.run(sql`DELETE FROM run WHERE id = ${Number(id)}`);
    }
    database.run(sql`INSERT INTO run (state, created_at, sources, options)
      VALUES ('planning', ${now}, ${JSON.stringify(sources)}, ${writeOptions(options)})`);
  });
  return Number(database.get(sql`SELECT max(id) AS id FROM run`)?.id);
}

/** Adds a line to a run. */
export function addLine(database: JournalDatabase, run: number, seq: number, line: NewLine): void {
  const { key, kind, source, state, action, content, reason, identity } = line;
  const columns = row({
    ...{ run, seq, key, kind, source, state, action, content, reason, identity },
    ...valueColumns(line.value),
    ...factColumns(line.facts),
    origin: JSON.stringify(line.origin),
    carrier: line.uploadMethod,
    twin: line.duplicateOf,
    issue: JSON.stringify(line.issue),
    as_read: JSON.stringify(line.asRead),
    takes_up: line.retryOf,
  });
  database.run(sql`INSERT INTO line ${columns}`);
}

/**
 * Adds an issue to a run. The journal counts the issues of each rule, and keeps the first one as an example. The example also gets the names of the files
 * and columns that the others were about.
 */
export function addIssue(database: JournalDatabase, run: number, issue: Issue): void {
  const { rule, severity } = issue;
  const example = isOfUnread(issue) ? withEarlier(database, run, issue) : issue;
  database.run(sql`INSERT INTO issue (run, severity, rule, count, example)
    VALUES (${run}, ${severity}, ${rule}, 1, ${JSON.stringify(example)})
    ON CONFLICT (run, rule, severity) DO UPDATE SET count = count + excluded.count,
      example = iif(${isOfUnread(issue) ? 1 : 0}, excluded.example, example)`);
}

/** The example so far, with the names of this issue too. */
function withEarlier(database: JournalDatabase, run: number, issue: Issue): Issue {
  const { rule, severity } = issue;
  const known = database.get(
    sql`SELECT example FROM issue WHERE run = ${run} AND rule = ${rule} AND severity = ${severity}`,
  );
  return known === undefined ? issue : withNamesOf(JSON.parse(String(known.example)), issue);
}

/** See `Journal.planReady`. Older unfinished runs become superseded. */
export function planReady(database: JournalDatabase, run: number, read: number): void {
  database.run(sql`UPDATE run SET state = 'planned', read = ${read} WHERE id = ${run}`);
  database.run(sql`UPDATE run SET state = 'superseded' WHERE id < ${run}
    AND state IN ('planned', 'running', 'stopped')`);
  // Only the newest plan of whole sources is reviewed. A retry leaves it the newest.
  const isOfWhole = sql`EXISTS (SELECT 1 FROM run WHERE id = ${run} AND json_extract(options, '$.takesUp') IS NULL)`;
  database.run(sql`DELETE FROM pair WHERE run < ${run} AND ${isOfWhole}`);
  database.run(sql`DELETE FROM line_before WHERE run < ${run} AND ${isOfWhole}`);
  database.run(sql`DELETE FROM line_own WHERE run < ${run} AND ${isOfWhole}`);
  database.commit();
}
