/** Writes a plan: its run, its lines and its issues. They are durable once the plan is ready. */

import type { Issue } from "../../transforms/model/issue.ts";
import { toStored } from "../../transforms/model/stored-value.ts";
import type { JournalDatabase } from "./database.ts";
import type { NewLine } from "./line.ts";
import { factColumns, writeOptions } from "./rows.ts";
import type { RunOptions, RunSource } from "./run.ts";

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
    for (const { id } of database.all("SELECT id FROM run WHERE state = 'planning'")) {
      database.run("DELETE FROM line WHERE run = ?", Number(id));
      database.run("DELETE FROM issue WHERE run = ?", Number(id));
      database.run("DELETE FROM run WHERE id = ?", Number(id));
    }
    database.run(
      "INSERT INTO run (state, created_at, sources, options) VALUES ('planning', ?, ?, ?)",
      now,
      JSON.stringify(sources),
      writeOptions(options),
    );
  });
  return Number(database.get("SELECT max(id) AS id FROM run")?.id);
}

/** Adds a line to a run. */
export function addLine(database: JournalDatabase, run: number, seq: number, line: NewLine): void {
  const track = line.value !== undefined && "track" in line.value ? line.value.track : undefined;
  database.run(
    `INSERT INTO line (run, seq, key, kind, source, origin, entry, entry_source, state, action, carrier, content, value, reason, twin,
       activity, date, time, local_s, instant, metres, seconds, identity, issue, as_read, takes_up)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run,
    seq,
    line.key,
    line.kind,
    line.source,
    JSON.stringify(line.origin),
    track?.entry ?? null,
    track?.source ?? null,
    line.state,
    line.action,
    line.uploadMethod ?? null,
    line.content ?? null,
    line.value === undefined ? null : JSON.stringify(toStored(line.value)),
    line.reason ?? null,
    line.duplicateOf ?? null,
    ...factColumns(line.facts),
    line.identity ?? null,
    line.issue === undefined ? null : JSON.stringify(line.issue),
    line.asRead === undefined ? null : JSON.stringify(line.asRead),
    line.retryOf ?? null,
  );
}

/** Adds an issue to a run. The journal counts the issues of each rule, and keeps the first one as an example. */
export function addIssue(database: JournalDatabase, run: number, issue: Issue): void {
  database.run(
    `INSERT INTO issue (run, severity, rule, count, example) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (run, rule, severity) DO UPDATE SET count = count + excluded.count`,
    run,
    issue.severity,
    issue.rule,
    1,
    JSON.stringify(issue),
  );
}

/** See `Journal.planReady`. Older unfinished runs become superseded. */
export function planReady(database: JournalDatabase, run: number, read: number): void {
  database.run("UPDATE run SET state = 'planned', read = ? WHERE id = ?", read, run);
  database.run("UPDATE run SET state = 'superseded' WHERE id < ? AND state IN ('planned', 'running', 'stopped')", run);
  database.commit();
}
