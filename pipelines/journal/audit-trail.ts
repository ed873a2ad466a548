/**
 * What the journal remembers for people: why a record was rejected, what its source says, what was decided about it by hand,
 * what happened to it step by step, and how a record of the log looked before a run wrote over it.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line, LineState } from "./line.ts";
import type { RemoteRecord } from "./remote-record.ts";
import { lineFrom, type Row } from "./rows.ts";

/** What a person decided about a record: it stays out, it is read otherwise, or what a run wrote over it was taken back. */
export type DecisionKind = "dropped" | "fixed" | "undone";

/** A manual decision, known by the record's key: later plans follow it. */
export interface ManualDecision {
  readonly key: string;
  readonly decision: DecisionKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The line it was made about. */
  readonly run: number;
  readonly seq: number;
  readonly origin: Origin;
  /** Why the record was rejected; undefined where it wasn't. */
  readonly issue: Issue | undefined;
  /** Of `fixed`. */
  readonly fix: Fix | undefined;
}

/** One change of a line's state. */
export interface LineEvent {
  readonly at: number;
  readonly from: LineState;
  readonly to: LineState;
  readonly note: string | undefined;
}

/** A record of the log that a run wrote over. */
export interface Overwritten {
  readonly run: number;
  readonly seq: number;
  readonly kind: Kind;
  readonly id: string;
  /** Milliseconds since 1970 of the first time it was about to be written. */
  readonly at: number;
  /** As it stood before the run's first write, and as the run wrote it. */
  readonly before: SaveBody;
  readonly sent: SaveBody;
  /** When it was put back; undefined until then. */
  readonly putBackAt: number | undefined;
}

/** What a line was made from. */
export interface LineDetails {
  /** Why it was rejected. */
  readonly issue: Issue | undefined;
  /** Members of the value as the source has them, where a plan writes them otherwise. */
  readonly asRead: Readonly<Record<string, unknown>> | undefined;
  /** In a retry of what another run left: the line of that run. */
  readonly retryOf: number | undefined;
}

/** What may be asked of the journal's memory for people. */
export interface AuditTrailReader {
  details(run: number, seq: number): Promise<LineDetails>;
  events(run: number, seq: number): Promise<readonly LineEvent[]>;

  /** Every manual decision. */
  manualDecisions(): Promise<readonly ManualDecision[]>;
  /** What a run wrote over, in the order of its lines. */
  overwritten(run: number): Promise<readonly Overwritten[]>;
  /** The last run after this one that wrote over the same record, if any. */
  overwrittenSince(record: Overwritten): Promise<number | undefined>;

  /** Lines of a run that retry lines of another, by the line they retry. */
  retriedLines(run: number): Promise<ReadonlyMap<number, readonly Line[]>>;
  /** Every line of any run with this key, oldest first. */
  linesWithKey(key: string): Promise<readonly Line[]>;
  /** Lines of any run, oldest first. */
  find(by: LineQuery): Promise<readonly Line[]>;
  /** Every key of a run with its line's number, in chunks. */
  keys(run: number): AsyncIterable<{ readonly seq: number; readonly key: string }>;
}

/** The journal's memory for people: the audit trail of every record. What is written is durable when the call settles. */
export interface AuditTrail extends AuditTrailReader {
  /** Keeps a decision; one of the same kind about the same key is replaced. */
  recordDecision(decision: ManualDecision): Promise<void>;
  /** Forgets decisions about a key: of one kind, or all. @returns how many */
  takeBack(key: string, decision?: DecisionKind): Promise<number>;

  /**
   * To be called before a record that was there before the run is written over: keeps how it stood. Of several writes of one line
   * the first one's `before` is kept. Whatever was undone of it before is over.
   */
  overwriting(line: Line, write: Overwriting): Promise<void>;
  /** A record stands as it did before: with the decision that it stays so, and where its key stands now. */
  putBack(record: Overwritten, decision: ManualDecision, remoteRecord: RemoteRecord | undefined): Promise<void>;
}

/** A write over a record of the log that is about to leave. */
export interface Overwriting {
  readonly id: string;
  readonly before: SaveBody;
  readonly sent: SaveBody;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What lines can be found by. */
export type LineQuery =
  | { readonly remoteId: string }
  | { readonly date: string }
  /**
   * An entry's path or the last part of it: of the records that lie there, else of those whose track does, else an archive's name.
   * With a locator (`line 212`), that place alone.
   */
  | { readonly place: string; readonly locator: string | undefined };

/** Rows read at a time. */
const ROWS_PER_READ = 1000;

/** Most lines that a question is answered with. */
const MOST_FOUND = 1000;

/** The audit trail of one SQLite journal. */
export class SqliteAuditTrail implements AuditTrail {
  readonly #database: JournalDatabase;
  readonly #place: (remoteRecord: RemoteRecord) => void;

  /** @param place writes where a key stands, within a transaction */
  constructor(database: JournalDatabase, place: (remoteRecord: RemoteRecord) => void) {
    this.#database = database;
    this.#place = place;
  }

  async details(run: number, seq: number): Promise<LineDetails> {
    const row = this.#database.get("SELECT issue, as_read, takes_up FROM line WHERE run = ? AND seq = ?", run, seq);
    return {
      issue: parsed(row?.issue) as Issue | undefined,
      asRead: parsed(row?.as_read) as LineDetails["asRead"],
      retryOf: row === undefined || row.takes_up === null ? undefined : Number(row.takes_up),
    };
  }

  async events(run: number, seq: number): Promise<readonly LineEvent[]> {
    return this.#database
      .all('SELECT at, "from", "to", note FROM event WHERE run = ? AND seq = ? ORDER BY id', run, seq)
      .map((row) => ({
        at: Number(row.at),
        from: row.from as LineState,
        to: row.to as LineState,
        note: row.note === null ? undefined : String(row.note),
      }));
  }

  async manualDecisions(): Promise<readonly ManualDecision[]> {
    this.#database.commit();
    return this.#database.all("SELECT * FROM ruling ORDER BY at, key").map(decisionFrom);
  }

  async recordDecision(decision: ManualDecision): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => this.#recordDecision(decision));
  }

  async takeBack(key: string, decision?: DecisionKind): Promise<number> {
    this.#database.commit();
    const before = Number(this.#database.get("SELECT count(*) AS count FROM ruling WHERE key = ?", key)?.count);
    this.#database.run(
      "DELETE FROM ruling WHERE key = ? AND (? IS NULL OR ruling = ?)",
      key,
      decision ?? null,
      decision ?? null,
    );
    return before - Number(this.#database.get("SELECT count(*) AS count FROM ruling WHERE key = ?", key)?.count);
  }

  async overwriting(line: Line, { id, before, sent, at }: Overwriting): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => {
      this.#database.run(
        `INSERT INTO overwritten (run, seq, kind, id, at, before, sent) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (run, seq) DO UPDATE SET sent = excluded.sent, put_back_at = NULL`,
        line.run,
        line.seq,
        line.kind,
        id,
        at,
        JSON.stringify(before),
        JSON.stringify(sent),
      );
      this.#database.run("DELETE FROM ruling WHERE key = ? AND ruling = 'undone'", line.key);
    });
  }

  async overwritten(run: number): Promise<readonly Overwritten[]> {
    this.#database.commit();
    return this.#database.all("SELECT * FROM overwritten WHERE run = ? ORDER BY seq", run).map(overwrittenFrom);
  }

  async overwrittenSince({ run, kind, id }: Overwritten): Promise<number | undefined> {
    const row = this.#database.get(
      "SELECT max(run) AS run FROM overwritten WHERE kind = ? AND id = ? AND run > ? AND put_back_at IS NULL",
      kind,
      id,
      run,
    );
    return row === undefined || row.run === null ? undefined : Number(row.run);
  }

  async putBack(record: Overwritten, decision: ManualDecision, remoteRecord: RemoteRecord | undefined): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => {
      this.#database.run(
        "UPDATE overwritten SET put_back_at = ? WHERE run = ? AND seq = ?",
        decision.at,
        record.run,
        record.seq,
      );
      this.#recordDecision(decision);
      if (remoteRecord !== undefined) this.#place(remoteRecord);
    });
  }

  async retriedLines(run: number): Promise<ReadonlyMap<number, readonly Line[]>> {
    const taken = new Map<number, Line[]>();
    for (const row of this.#database.all(
      "SELECT * FROM line INDEXED BY line_takes_up WHERE run = ? AND takes_up IS NOT NULL ORDER BY seq",
      run,
    )) {
      const of = Number(row.takes_up);
      taken.set(of, [...(taken.get(of) ?? []), lineFrom(row)]);
    }
    return taken;
  }

  async linesWithKey(key: string): Promise<readonly Line[]> {
    const runs = this.#database.all("SELECT id FROM run WHERE state <> 'planning' ORDER BY id");
    return runs.flatMap(({ id }) =>
      this.#database
        .all("SELECT * FROM line INDEXED BY line_key WHERE run = ? AND key = ? ORDER BY seq", Number(id), key)
        .map(lineFrom),
    );
  }

  async find(by: LineQuery): Promise<readonly Line[]> {
    this.#database.commit();
    const select = (condition: string, ...values: string[]) =>
      this.#database
        .all(
          `SELECT * FROM line WHERE run IN (SELECT id FROM run WHERE state <> 'planning') AND ${condition} ORDER BY run, seq LIMIT ${MOST_FOUND}`,
          ...values,
        )
        .map(lineFrom);
    if ("remoteId" in by) return select("remote_id = ?", by.remoteId);
    // What was merged has its date in its value alone, what was rejected in what was read.
    if ("date" in by)
      return select(
        "(date = ?1 OR json_extract(value, '$.start.date') = ?1 OR json_extract(as_read, '$.start.date') = ?1)",
        by.date,
      );
    // Text within text, and no pattern: a name may hold any character.
    const endsSo = (path: string) => `substr(${path}, -length('/' || ?1)) = '/' || ?1`;
    const entry = "json_extract(origin, '$.entry')";
    const lies = `(${entry} = ?1 OR ${endsSo(entry)})`;
    if (by.locator !== undefined)
      return select(`${lies} AND json_extract(origin, '$.locator') = ?2`, by.place, by.locator);
    const there = select(lies, by.place);
    if (there.length > 0) return there;
    const ofTrack = select(`(entry = ?1 OR ${endsSo("entry")})`, by.place);
    return ofTrack.length > 0 ? ofTrack : select("json_extract(origin, '$.archive') = ?1", by.place);
  }

  async *keys(run: number): AsyncIterable<{ readonly seq: number; readonly key: string }> {
    this.#database.commit();
    let after = 0;
    for (;;) {
      const rows = this.#database.all(
        "SELECT seq, key FROM line WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?",
        run,
        after,
        ROWS_PER_READ,
      );
      for (const row of rows) yield { seq: Number(row.seq), key: String(row.key) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = Number(last.seq);
    }
  }

  #recordDecision({ key, decision, at, run, seq, origin, issue, fix }: ManualDecision): void {
    this.#database.run(
      `INSERT INTO ruling (key, ruling, at, run, seq, origin, issue, fix) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key, ruling) DO UPDATE SET at = excluded.at, run = excluded.run, seq = excluded.seq,
         origin = excluded.origin, issue = excluded.issue, fix = excluded.fix`,
      key,
      decision,
      at,
      run,
      seq,
      JSON.stringify(origin),
      issue === undefined ? null : JSON.stringify(issue),
      fix === undefined ? null : JSON.stringify(fix),
    );
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
