/** Changes lines: their state with its event, and their log record. The caller provides the transaction. */

import { defined } from "../../transforms/model/defined.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import { idOfAnother } from "./journal.ts";
import { EDGES, type Line, type LinePatch, type LineState } from "./line.ts";
import { disown, holdersOf } from "./receipts.ts";
import type { RemoteRecord } from "./remote-record.ts";
import { factColumns, lineFrom, valueColumns } from "./rows.ts";
import { assigned, sql } from "./sql.ts";

/**
 * Changes columns of a line.
 *
 * @throws Error for a change of state that is not allowed, and for a line that others would lead back to
 */
export function patchLine(
  database: JournalDatabase,
  run: number,
  seq: number,
  patch: LinePatch & { state?: LineState },
): void {
  if (patch.state !== undefined) {
    const before = readState(database, { run, seq });
    if (before !== patch.state && !EDGES[before].includes(patch.state)) {
      throw new Error(`Cannot move line ${seq} of run ${run} from ${before} to ${patch.state}: no such edge`);
    }
  }
  const { state, action, uploadMethod, reason, duplicateOf, remoteId, intendedAt, value, facts } = patch;
  if (state === "merged" && duplicateOf !== undefined) refuseCircle(database, { run, seq }, duplicateOf);
  const columns = {
    ...defined({ state, action, carrier: uploadMethod, reason, twin: duplicateOf, remote_id: remoteId }),
    ...defined({ intended_at: intendedAt }),
    ...(value !== undefined && valueColumns(value)),
    ...(facts !== undefined && factColumns(facts)),
  };
  if (Object.keys(columns).length === 0) return;
  database.run(sql`UPDATE line SET ${assigned(columns)} WHERE run = ${run} AND seq = ${seq}`);
}

/**
 * Lines that are merged into each other are all left out, and nothing stands for them: a workout would be lost without a word.
 *
 * @throws Error if the line that a line is merged into leads back to it
 */
function refuseCircle(database: JournalDatabase, { run, seq }: Pick<Line, "run" | "seq">, into: string): void {
  const seen = new Set<string>();
  for (let key: string | undefined = into; key !== undefined && !seen.has(key); ) {
    seen.add(key);
    const row = database.get(sql`SELECT seq, state, twin FROM line INDEXED BY line_key
      WHERE run = ${run} AND key = ${key} ORDER BY seq LIMIT 1`);
    if (row?.seq === seq)
      throw new Error(`Cannot merge line ${seq} of run ${run} into ${into}, which is merged into that line`);
    key = row?.state === "merged" && row.twin !== null ? String(row.twin) : undefined;
  }
}

/** A change of a line's state. */
export interface LineEvent {
  readonly at: number;
  readonly from: LineState;
  readonly to: LineState;
  readonly note?: string | undefined;
}

/** Notes a line's change of state. */
export function addEvent(database: JournalDatabase, line: Line, { at, from, to, note }: LineEvent): void {
  database.run(sql`INSERT INTO event (run, seq, at, "from", "to", note)
    VALUES (${line.run}, ${line.seq}, ${at}, ${from}, ${to}, ${note})`);
}

/** A line's state in the journal. The caller's copy of the line may be out of date. */
export function readState(database: JournalDatabase, { run, seq }: Pick<Line, "run" | "seq">): LineState {
  return database.get(sql`SELECT state FROM line WHERE run = ${run} AND seq = ${seq}`)?.state as LineState;
}

/** Links each merged line to the record that it was merged into. */
export function addAliases(database: JournalDatabase, run: number, which = sql``): void {
  database.run(sql`INSERT INTO alias (key, into_key) SELECT key, twin FROM line INDEXED BY line_twin
    WHERE run = ${run} AND state = 'merged' AND twin IS NOT NULL AND twin <> key ${which}
    ON CONFLICT (key) DO UPDATE SET into_key = excluded.into_key`);
}

/** Notes the log record of a key. */
export function writeRemoteRecord(database: JournalDatabase, remoteRecord: RemoteRecord): void {
  const before = database.get(sql`SELECT remote_id FROM placed WHERE key = ${remoteRecord.key}`)?.remote_id;
  // All other keys of this record move to the new id too. The body that was sent for the old record no longer applies. If it stayed, the
  // values that the log read from a device file would look like edits of its owner. Keys that are apart from this one by a person's word keep the old record.
  const { key } = remoteRecord;
  if (before !== undefined && before !== remoteRecord.remoteId)
    database.run(sql`UPDATE placed SET remote_id = ${remoteRecord.remoteId}, sent = NULL
      WHERE kind = ${remoteRecord.kind} AND remote_id = ${before}
        AND NOT EXISTS (SELECT 1 FROM pair_answer WHERE answer = 'two'
          AND ((one = placed.key AND other = ${key}) OR (other = placed.key AND one = ${key})))`);
  database.run(sql`INSERT INTO placed (key, kind, remote_id, content, sent, finished, run)
    VALUES (${remoteRecord.key}, ${remoteRecord.kind}, ${remoteRecord.remoteId}, ${remoteRecord.content},
    ${JSON.stringify(remoteRecord.sent)}, ${remoteRecord.finished}, ${remoteRecord.run})
    ON CONFLICT (key) DO UPDATE SET remote_id = excluded.remote_id, content = excluded.content,
      sent = coalesce(excluded.sent, sent), finished = excluded.finished, run = excluded.run`);
  // The merged lines are in the log together with this record. This is noted now, because the run may be killed before its end.
  if (remoteRecord.finished) addAliases(database, remoteRecord.run, sql`AND twin = ${remoteRecord.key}`);
}

/** Takes an id away from the lines that got it. They are in doubt again. */
function disownLines(database: JournalDatabase, kind: Kind, id: string, lines: readonly Line[], reason: string): void {
  for (const line of lines) {
    const before = readState(database, line);
    disown(database, line, kind, id);
    patchLine(database, line.run, line.seq, { state: "in-doubt", reason });
    addEvent(database, line, { at: Date.now(), from: before, to: "in-doubt", note: reason });
  }
}

/** See `Journal.receiveId`. */
export function receiveId(
  database: JournalDatabase,
  line: Line,
  state: "planned" | "done",
  patch: LinePatch,
  remoteRecord: RemoteRecord,
): boolean {
  const { kind, remoteId } = remoteRecord;
  const now = lineFrom(database.get(sql`SELECT * FROM line WHERE run = ${line.run} AND seq = ${line.seq}`) ?? {});
  const isNew = line.remoteId !== remoteId;
  const { isTaken, lines } = isNew
    ? holdersOf(database, line, kind, remoteId)
    : { isTaken: now.remoteId !== remoteId, lines: [] };
  if (isTaken) disownLines(database, kind, remoteId, [now, ...lines], idOfAnother(remoteId));
  else {
    patchLine(database, line.run, line.seq, { ...patch, state });
    addEvent(database, line, { at: Date.now(), from: now.state, to: state, note: patch.reason });
    writeRemoteRecord(database, remoteRecord);
  }
  return !isTaken;
}

/** See `Journal.disown`. */
export function disownEach(database: JournalDatabase, lines: readonly Line[], reason: string): void {
  for (const line of lines)
    if (line.kind !== "set-aside" && line.remoteId !== undefined)
      disownLines(database, line.kind, line.remoteId, [line], reason);
}
