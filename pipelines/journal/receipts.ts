/**
 * Whether the id in an answer can be the id of the record that was sent. A machine on the way that mixes answers up gives a save the answer
 * of another one: then neither of the two answers proves anything.
 */
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line } from "./line.ts";
import { lineFrom } from "./rows.ts";

/** Who has an id that a new record was answered with. */
export interface Holders {
  /** The log had the record before, or another line stands for it. */
  readonly isTaken: boolean;
  /** Lines of the same run that were answered with this id for a record they made: one of them may be right. */
  readonly lines: readonly Line[];
}

/** Who has the id that a line was answered with. What a record that is gone was called may be the name of a new one. */
export function holdersOf(database: JournalDatabase, line: Line, kind: Kind, id: string): Holders {
  const others = database
    .all(
      `SELECT line.* FROM placed JOIN line INDEXED BY line_key ON line.run = ? AND line.key = placed.key
       WHERE placed.kind = ? AND placed.remote_id = ? AND line.remote_id = placed.remote_id
         AND line.seq <> ? AND line.state IN ('planned', 'in-flight', 'done', 'unchanged')`,
      line.run,
      kind,
      id,
      line.seq,
    )
    .map(lineFrom);
  const inLog = database.get(
    "SELECT 1 AS yes FROM log WHERE kind = ? AND id = ? AND claimed_by IS NOT ?",
    kind,
    id,
    line.key,
  );
  return {
    isTaken: others.length > 0 || inLog !== undefined,
    lines: others.filter(({ action }) => action === "create"),
  };
}

/** See `Journal.exchange`. Whatever stands for a record goes with it. */
export function exchange(database: JournalDatabase, kind: Kind, ids: ReadonlyMap<string, string>): void {
  const all = JSON.stringify([...ids]);
  const pairs = "(SELECT each.value ->> 0 AS old, each.value ->> 1 AS new FROM json_each(?) AS each) AS pair";
  const claims = database.all(
    `SELECT pair.new AS id, log.claimed_by FROM ${pairs} JOIN log ON log.kind = ? AND log.id = pair.old`,
    all,
    kind,
  );
  database.run(
    `UPDATE placed SET remote_id = pair.new FROM ${pairs} WHERE kind = ? AND remote_id = pair.old`,
    all,
    kind,
  );
  for (const column of ["remote_id", "twin"])
    database.run(
      `UPDATE line SET ${column} = pair.new FROM ${pairs} WHERE kind = ? AND ${column} = pair.old AND state IN ('done', 'unchanged')`,
      all,
      kind,
    );
  for (const { id, claimed_by: key } of claims)
    database.run("UPDATE log SET claimed_by = ? WHERE kind = ? AND id = ?", key ?? null, kind, id ?? null);
}

/** A line loses the id that it was answered with; the record is free for whoever it belongs to. */
export function disown(database: JournalDatabase, { run, seq, key }: Line, kind: Kind, id: string): void {
  database.run("UPDATE line SET remote_id = NULL WHERE run = ? AND seq = ?", run, seq);
  database.run("DELETE FROM placed WHERE key = ? AND kind = ? AND remote_id = ?", key, kind, id);
  database.run("UPDATE log SET claimed_by = NULL WHERE kind = ? AND id = ? AND claimed_by = ?", kind, id, key);
}
