/**
 * Checks whether the id in an answer can belong to the record that was sent. A machine on the way may mix up answers, so that a save gets
 * the answer to another one. Then neither of the two answers proves anything.
 */
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line } from "./line.ts";
import { lineFrom } from "./rows.ts";
import { sql } from "./sql.ts";

/** The records and lines that already have the id in the answer to a new record. */
export interface Holders {
  /** Whether the log had the record before, or another line has the id. */
  readonly isTaken: boolean;
  /** Lines of the same run that created a record and got this id in the answer. One of them may be right. */
  readonly lines: readonly Line[];
}

/**
 * Finds the holders of the id in a line's answer. The id of a gone record may be used again for a new one, so such a record doesn't count.
 * (CROSS JOIN looks up the id first. Otherwise the database reads every line of the run, for each answer.)
 */
export function holdersOf(database: JournalDatabase, line: Line, kind: Kind, id: string): Holders {
  const others = database
    .all(sql`SELECT line.* FROM placed INDEXED BY placed_remote
      CROSS JOIN line INDEXED BY line_key ON line.run = ${line.run} AND line.key = placed.key
      WHERE placed.kind = ${kind} AND placed.remote_id = ${id} AND line.remote_id = placed.remote_id
        AND line.seq <> ${line.seq} AND line.state IN ('planned', 'in-flight', 'done', 'unchanged')`)
    .map(lineFrom);
  const inLog = database.get(sql`SELECT 1 AS yes FROM log WHERE kind = ${kind} AND id = ${id}
    AND claimed_by IS NOT ${line.key}`);
  return {
    isTaken: others.length > 0 || inLog !== undefined,
    lines: others.filter(({ action }) => action === "create"),
  };
}

/** See `Journal.exchange`. The lines that stand for a record keep it under its new id. */
export function exchange(database: JournalDatabase, kind: Kind, ids: ReadonlyMap<string, string>): void {
  const all = JSON.stringify([...ids]);
  const pairs = sql`(SELECT each.value ->> 0 AS old, each.value ->> 1 AS new FROM json_each(${all}) AS each) AS pair`;
  const claims = database.all(sql`SELECT pair.new AS id, log.claimed_by
    FROM ${pairs} JOIN log ON log.kind = ${kind} AND log.id = pair.old`);
  database.run(sql`UPDATE placed SET remote_id = pair.new FROM ${pairs} WHERE kind = ${kind} AND remote_id = pair.old`);
  for (const column of [sql`remote_id`, sql`twin`])
    database.run(sql`UPDATE line SET ${column} = pair.new FROM ${pairs} WHERE kind = ${kind} AND ${column} = pair.old
      AND state IN ('done', 'unchanged')`);
  for (const { id, claimed_by: key } of claims)
    database.run(sql`UPDATE log SET claimed_by = ${key} WHERE kind = ${kind} AND id = ${id}`);
}

/** Takes the id from a line. After that, another line can claim the record. */
export function disown(database: JournalDatabase, { run, seq, key }: Line, kind: Kind, id: string): void {
  database.run(sql`UPDATE line SET remote_id = NULL WHERE run = ${run} AND seq = ${seq}`);
  database.run(sql`DELETE FROM placed WHERE key = ${key} AND kind = ${kind} AND remote_id = ${id}`);
  database.run(sql`UPDATE log SET claimed_by = NULL WHERE kind = ${kind} AND id = ${id} AND claimed_by = ${key}`);
}
