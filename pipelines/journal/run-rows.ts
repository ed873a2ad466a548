/** Reads runs, and writes their progress. */
import type { JournalDatabase } from "./database.ts";
import { addAliases } from "./line-writes.ts";
import { runFrom } from "./rows.ts";
import type { Run, RunState } from "./run.ts";
import { sql } from "./sql.ts";

/** A run by its number; without a number, the last run. */
export function runAt(database: JournalDatabase, id: number | undefined): Run | undefined {
  const row =
    id === undefined
      ? database.get(sql`SELECT * FROM run WHERE state <> 'planning' ORDER BY id DESC LIMIT 1`)
      : database.get(sql`SELECT * FROM run WHERE id = ${id}`);
  return row === undefined ? undefined : runFrom(row);
}

/** All runs, oldest first. */
export function allRuns(database: JournalDatabase): readonly Run[] {
  return database.all(sql`SELECT * FROM run WHERE state <> 'planning' ORDER BY id`).map(runFrom);
}

/** See `Journal.addRequests`. */
export function addRequests(database: JournalDatabase, run: number, requests: number): void {
  database.commit();
  database.run(sql`UPDATE run SET requests = coalesce(requests, 0) + ${requests} WHERE id = ${run}`);
}

/** See `Journal.setRunState`. */
export function setRunState(database: JournalDatabase, run: number, state: RunState, now: number): void {
  database.commit();
  database.checkFile();
  database.run(sql`UPDATE run SET state = ${state}, finished_at = ${state === "running" ? null : now}
    WHERE id = ${run}`);
  // A duplicate of a record that was not brought up to date has perhaps a value that the log lacks.
  if (state === "finished")
    addAliases(
      database,
      run,
      sql`AND EXISTS (SELECT 1 FROM line AS kept INDEXED BY line_key
        WHERE kept.run = line.run AND kept.key = line.twin AND kept.state IN ('done', 'unchanged', 'merged'))`,
    );
}
