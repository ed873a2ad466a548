/**
 * The history of each record, for people. It has the reason for a rejection, the values in the source, the manual decisions, each step, and
 * the log's record before a run overwrote it.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line, LineState } from "./line.ts";
import type { RemoteRecord } from "./remote-record.ts";
import { lineFrom, type Row } from "./rows.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * A person's decision about a record: leave it out (`dropped`), read it with other values (`fixed`), or restore the record that a run
 * overwrote (`undone`).
 */
export type DecisionKind = "dropped" | "fixed" | "undone";

/** A manual decision about the record with this key. Later plans follow it. */
export interface ManualDecision {
  readonly key: string;
  readonly decision: DecisionKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The line that the decision was about. */
  readonly run: number;
  readonly seq: number;
  readonly origin: Origin;
  /** The reason for the rejection; undefined for a record that was not rejected. */
  readonly issue: Issue | undefined;
  /** The new values, for `fixed`. */
  readonly fix: Fix | undefined;
}

/** One change of a line's state. */
export interface LineEvent {
  readonly at: number;
  readonly from: LineState;
  readonly to: LineState;
  readonly note: string | undefined;
}

/** A record of the log that a run overwrote. */
export interface Overwritten {
  readonly run: number;
  readonly seq: number;
  readonly kind: Kind;
  readonly id: string;
  /** The time when its first write was about to leave, in milliseconds since 1970. */
  readonly at: number;
  /** The record before the run's first write, and the body that the run wrote. */
  readonly before: SaveBody;
  readonly sent: SaveBody;
  /** The time when it was restored; undefined until then. */
  readonly putBackAt: number | undefined;
}

/** Details about the source of a line. */
export interface LineDetails {
  /** The reason for its rejection. */
  readonly issue: Issue | undefined;
  /** The members of the source's value that a plan changed. */
  readonly asRead: Readonly<Record<string, unknown>> | undefined;
  /** The number of the line that this one retries, in the run that it belongs to. */
  readonly retryOf: number | undefined;
}

/** The questions that the audit trail answers. */
export interface AuditTrailReader {
  details(run: number, seq: number): Promise<LineDetails>;
  events(run: number, seq: number): Promise<readonly LineEvent[]>;

  /** Every manual decision. */
  manualDecisions(): Promise<readonly ManualDecision[]>;
  /** The records that a run overwrote, in the order of its lines; with `seq` only the one of that line. */
  overwritten(run: number, seq?: number): Promise<readonly Overwritten[]>;
  /** The last later run that overwrote the same record, if any. */
  overwrittenSince(record: Overwritten): Promise<number | undefined>;

  /** The lines of a run that retry lines of another run, by the number of the retried line. */
  retriedLines(run: number): Promise<ReadonlyMap<number, readonly Line[]>>;
  /** All lines of any run with this key, oldest first. */
  linesWithKey(key: string): Promise<readonly Line[]>;
  /** Finds lines of any run, oldest first. */
  find(by: LineQuery): Promise<readonly Line[]>;
  /** All keys of a run with their line numbers, read in chunks. */
  keys(run: number): AsyncIterable<{ readonly seq: number; readonly key: string }>;
}

/** The audit trail of every record, to read and write. Each write is durable when the call settles. */
export interface AuditTrail extends AuditTrailReader {
  /** Keeps a decision. It replaces an earlier one of the same kind about the same key. */
  recordDecision(decision: ManualDecision): Promise<void>;
  /**
   * Removes decisions about a key: those of one kind, or all.
   *
   * @returns the number of removed decisions
   */
  takeBack(key: string, decision?: DecisionKind): Promise<number>;

  /**
   * Keeps the log's record before a run overwrites it. Call this before the write. If one line writes several times, the `before` of the
   * first write stays. An earlier undo of the record no longer applies.
   */
  overwriting(line: Line, write: Overwriting): Promise<void>;
  /** Notes that a record was restored. It keeps the decision that the record stays so, and the log record of its key. */
  putBack(record: Overwritten, decision: ManualDecision, remoteRecord: RemoteRecord | undefined): Promise<void>;
}

/** A write that is about to overwrite a record of the log. */
export interface Overwriting {
  readonly id: string;
  readonly before: SaveBody;
  readonly sent: SaveBody;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The ways to find lines. */
export type LineQuery =
  | { readonly remoteId: string }
  /** Lines of every record that stands for this workout of the log. It is found by an index, also in a journal of 100,000. */
  | { readonly placedAs: string }
  | { readonly date: string }
  /**
   * Lines by place: the path of an entry, or the last part of it. It finds the records in that entry. If there are none, it finds records
   * whose track is there. If there are none either, it treats the place as the name of an archive. With a locator (`line 212`), only that
   * place counts.
   */
  | { readonly place: string; readonly locator: string | undefined };

/** Rows read at a time. */
const ROWS_PER_READ = 1000;

/** The maximum number of lines that a question returns. */
const MOST_FOUND = 1000;

/** The audit trail in an SQLite journal. */
export class SqliteAuditTrail implements AuditTrail {
  readonly #database: JournalDatabase;
  readonly #place: (remoteRecord: RemoteRecord) => void;

  /** @param place stores the log record of a key, within a transaction */
  constructor(database: JournalDatabase, place: (remoteRecord: RemoteRecord) => void) {
    this.#database = database;
    this.#place = place;
  }

  async details(run: number, seq: number): Promise<LineDetails> {
    const row = this.#database.get(sql`SELECT issue, as_read, takes_up FROM line WHERE run = ${run}
      AND seq = ${seq}`);
    return {
      issue: parsed(row?.issue) as Issue | undefined,
      asRead: parsed(row?.as_read) as LineDetails["asRead"],
      retryOf: row === undefined || row.takes_up === null ? undefined : Number(row.takes_up),
    };
  }

  async events(run: number, seq: number): Promise<readonly LineEvent[]> {
    return this.#database
      .all(sql`SELECT at, "from", "to", note FROM event WHERE run = ${run} AND seq = ${seq} ORDER BY id`)
      .map((row) => ({
        at: Number(row.at),
        from: row.from as LineState,
        to: row.to as LineState,
        note: row.note === null ? undefined : String(row.note),
      }));
  }

  async manualDecisions(): Promise<readonly ManualDecision[]> {
    this.#database.commit();
    return this.#database.all(sql`SELECT * FROM ruling ORDER BY at, key`).map(decisionFrom);
  }

  async recordDecision(decision: ManualDecision): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => this.#recordDecision(decision));
  }

  async takeBack(key: string, decision?: DecisionKind): Promise<number> {
    this.#database.commit();
    const before = Number(this.#database.get(sql`SELECT count(*) AS count FROM ruling WHERE key = ${key}`)?.count);
    this.#database.run(sql`DELETE FROM ruling WHERE key = ${key} AND (${decision} IS NULL OR ruling = ${decision})`);
    return before - Number(this.#database.get(sql`SELECT count(*) AS count FROM ruling WHERE key = ${key}`)?.count);
  }

  async overwriting(line: Line, { id, before, sent, at }: Overwriting): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => {
      this.#database.run(sql`INSERT INTO overwritten (run, seq, kind, id, at, before, sent)
        VALUES (${line.run}, ${line.seq}, ${line.kind}, ${id}, ${at}, ${JSON.stringify(before)},
        ${JSON.stringify(sent)})
        ON CONFLICT (run, seq) DO UPDATE SET sent = excluded.sent, put_back_at = NULL`);
      this.#database.run(sql`DELETE FROM ruling WHERE key = ${line.key} AND ruling = 'undone'`);
    });
  }

  async overwritten(run: number, seq?: number): Promise<readonly Overwritten[]> {
    this.#database.commit();
    return this.#database
      .all(sql`SELECT * FROM overwritten WHERE run = ${run} AND (${seq} IS NULL OR seq = ${seq}) ORDER BY seq`)
      .map(overwrittenFrom);
  }

  async overwrittenSince({ run, kind, id }: Overwritten): Promise<number | undefined> {
    const row = this.#database.get(sql`SELECT max(run) AS run FROM overwritten WHERE kind = ${kind}
      AND id = ${id} AND run > ${run} AND put_back_at IS NULL`);
    return row === undefined || row.run === null ? undefined : Number(row.run);
  }

  async putBack(record: Overwritten, decision: ManualDecision, remoteRecord: RemoteRecord | undefined): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => {
      this.#database.run(sql`UPDATE overwritten SET put_back_at = ${decision.at} WHERE run = ${record.run}
        AND seq = ${record.seq}`);
      this.#recordDecision(decision);
      if (remoteRecord !== undefined) this.#place(remoteRecord);
    });
  }

  async retriedLines(run: number): Promise<ReadonlyMap<number, readonly Line[]>> {
    const taken = new Map<number, Line[]>();
    for (const row of this.#database.all(sql`SELECT * FROM line INDEXED BY line_takes_up WHERE run = ${run}
      AND takes_up IS NOT NULL ORDER BY seq`)) {
      const of = Number(row.takes_up);
      taken.set(of, [...(taken.get(of) ?? []), lineFrom(row)]);
    }
    return taken;
  }

  async linesWithKey(key: string): Promise<readonly Line[]> {
    const runs = this.#database.all(sql`SELECT id FROM run WHERE state <> 'planning' ORDER BY id`);
    return runs.flatMap(({ id }) =>
      this.#database
        .all(sql`SELECT * FROM line INDEXED BY line_key WHERE run = ${Number(id)} AND key = ${key} ORDER BY seq`)
        .map(lineFrom),
    );
  }

  async find(by: LineQuery): Promise<readonly Line[]> {
    this.#database.commit();
    const select = (condition: Sql) =>
      this.#database
        .all(sql`SELECT * FROM line WHERE run IN (SELECT id FROM run WHERE state <> 'planning') AND (${condition})
          ORDER BY run, seq LIMIT ${MOST_FOUND}`)
        .map(lineFrom);
    if ("placedAs" in by) {
      const keys = this.#database.all(
        sql`SELECT key FROM placed INDEXED BY placed_remote WHERE kind = 'workout' AND remote_id = ${by.placedAs}`,
      );
      const lines = await Promise.all(keys.map(({ key }) => this.linesWithKey(String(key))));
      return lines.flat().toSorted((a, b) => a.run - b.run || a.seq - b.seq);
    }
    if ("remoteId" in by) return select(sql`remote_id = ${by.remoteId}`);
    // A merged line has its date only in its value, and a rejected line only in `as_read`.
    if ("date" in by)
      return select(
        sql`${by.date} IN (date, json_extract(value, '$.start.date'), json_extract(as_read, '$.start.date'))`,
      );
    const { place, locator } = by;
    // This compares texts without a pattern, because a name may contain any character.
    const isAt = (path: Sql) =>
      sql`(${path} = ${place} OR substr(${path}, -length('/' || ${place})) = '/' || ${place})`;
    const lies = isAt(sql`json_extract(origin, '$.entry')`);
    if (locator !== undefined) return select(sql`${lies} AND json_extract(origin, '$.locator') = ${locator}`);
    const there = select(lies);
    if (there.length > 0) return there;
    const ofTrack = select(isAt(sql`entry`));
    return ofTrack.length > 0 ? ofTrack : select(sql`json_extract(origin, '$.archive') = ${place}`);
  }

  async *keys(run: number): AsyncIterable<{ readonly seq: number; readonly key: string }> {
    this.#database.commit();
    let after = 0;
    for (;;) {
      const rows = this.#database.all(sql`SELECT seq, key FROM line WHERE run = ${run} AND seq > ${after}
        ORDER BY seq LIMIT ${ROWS_PER_READ}`);
      for (const row of rows) yield { seq: Number(row.seq), key: String(row.key) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = Number(last.seq);
    }
  }

  #recordDecision({ key, decision, at, run, seq, origin, issue, fix }: ManualDecision): void {
    this.#database.run(sql`INSERT INTO ruling (key, ruling, at, run, seq, origin, issue, fix)
      VALUES (${key}, ${decision}, ${at}, ${run}, ${seq}, ${JSON.stringify(origin)}, ${JSON.stringify(issue)},
      ${JSON.stringify(fix)})
      ON CONFLICT (key, ruling) DO UPDATE SET at = excluded.at, run = excluded.run, seq = excluded.seq,
        origin = excluded.origin, issue = excluded.issue, fix = excluded.fix`);
  }
}

function decisionFrom(row: Row): ManualDecision {
  return {
    key: String(row.key),
    decision: row.ruling as DecisionKind,
    at: Number(row.at),
    run: Number(row.run),
    seq: Number(row.seq),
    origin: parsed(row.origin) as Origin,
    issue: parsed(row.issue) as Issue | undefined,
    fix: parsed(row.fix) as Fix | undefined,
  };
}

function overwrittenFrom(row: Row): Overwritten {
  return {
    run: Number(row.run),
    seq: Number(row.seq),
    kind: row.kind as Kind,
    id: String(row.id),
    at: Number(row.at),
    before: parsed(row.before) as SaveBody,
    sent: parsed(row.sent) as SaveBody,
    putBackAt: row.put_back_at === null ? undefined : Number(row.put_back_at),
  };
}

function parsed(value: Row[string] | undefined): unknown {
  return value === null || value === undefined ? undefined : JSON.parse(String(value));
}
