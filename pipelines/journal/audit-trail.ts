/**
 * What the journal remembers for people: why a record was set aside, what its source says, what was decided about it by hand,
 * what happened to it step by step, and how a record of the log looked before a run wrote over it.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind, Origin } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import type { Line, LineState, Placed } from "./journal.ts";
import { lineFrom, type Row } from "./rows.ts";

/** What a person decided about a record: it stays out, it is read otherwise, or what a run wrote over it was taken back. */
export type RulingKind = "dropped" | "fixed" | "undone";

/** A decision by hand, known by the record's key: later plans follow it. */
export interface Ruling {
  readonly key: string;
  readonly ruling: RulingKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The line it was made about. */
  readonly run: number;
  readonly seq: number;
  readonly origin: Origin;
  /** Why the record was set aside; undefined where it wasn't. */
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
  /** Why it was set aside. */
  readonly issue: Issue | undefined;
  /** Members of the value as the source has them, where a plan writes them otherwise. */
  readonly asRead: Readonly<Record<string, unknown>> | undefined;
  /** In a run that takes up what another one left: the line of that run. */
  readonly takesUp: number | undefined;
}

/** What may be asked of the journal's memory for people. */
export interface CustodyReader {
  details(run: number, seq: number): Promise<LineDetails>;
  events(run: number, seq: number): Promise<readonly LineEvent[]>;

  /** Every decision by hand. */
  rulings(): Promise<readonly Ruling[]>;
  /** What a run wrote over, in the order of its lines. */
  overwritten(run: number): Promise<readonly Overwritten[]>;
  /** The last run after this one that wrote over the same record, if any. */
  overwrittenSince(record: Overwritten): Promise<number | undefined>;

  /** Lines of a run that take up lines of another, by the line they take up. */
  takenUp(run: number): Promise<ReadonlyMap<number, readonly Line[]>>;
  /** Every line of any run with this key, oldest first. */
  linesWithKey(key: string): Promise<readonly Line[]>;
  /** Lines of any run, oldest first. */
  find(by: LineQuery): Promise<readonly Line[]>;
  /** Every key of a run with its line's number, in pieces. */
  keys(run: number): AsyncIterable<{ readonly seq: number; readonly key: string }>;
}

/** The journal's memory for people. What is written is durable when the call settles. */
export interface Custody extends CustodyReader {
  /** Keeps a decision; one of the same kind about the same key is replaced. */
  rule(ruling: Ruling): Promise<void>;
  /** Forgets decisions about a key: of one kind, or all. @returns how many */
  takeBack(key: string, ruling?: RulingKind): Promise<number>;

  /**
   * To be called before a record that was there before the run is written over: keeps how it stood. Of several writes of one line
   * the first one's `before` is kept. Whatever was undone of it before is over.
   */
  overwriting(line: Line, write: Overwriting): Promise<void>;
  /** A record stands as it did before: with the decision that it stays so, and where its key stands now. */
  putBack(record: Overwritten, ruling: Ruling, placed: Placed | undefined): Promise<void>;
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

/** The memory of one SQLite journal. */
export class SqliteCustody implements Custody {
  readonly #database: JournalDatabase;
  readonly #place: (placed: Placed) => void;

  /** @param place writes where a key stands, within a transaction */
  constructor(database: JournalDatabase, place: (placed: Placed) => void) {
    this.#database = database;
    this.#place = place;
  }

  async details(run: number, seq: number): Promise<LineDetails> {
    const row = this.#database.get("SELECT issue, as_read, takes_up FROM line WHERE run = ? AND seq = ?", run, seq);
    return {
      issue: parsed(row?.issue) as Issue | undefined,
      asRead: parsed(row?.as_read) as LineDetails["asRead"],
      takesUp: row === undefined || row.takes_up === null ? undefined : Number(row.takes_up),
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

  async rulings(): Promise<readonly Ruling[]> {
    this.#database.commit();
    return this.#database.all("SELECT * FROM ruling ORDER BY at, key").map(rulingFrom);
  }

  async rule(ruling: Ruling): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => this.#rule(ruling));
  }

  async takeBack(key: string, ruling?: RulingKind): Promise<number> {
    this.#database.commit();
    const before = Number(this.#database.get("SELECT count(*) AS count FROM ruling WHERE key = ?", key)?.count);
    this.#database.run(
      "DELETE FROM ruling WHERE key = ? AND (? IS NULL OR ruling = ?)",
      key,
      ruling ?? null,
      ruling ?? null,
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

  async putBack(record: Overwritten, ruling: Ruling, placed: Placed | undefined): Promise<void> {
    this.#database.commit();
    this.#database.transaction(() => {
      this.#database.run(
        "UPDATE overwritten SET put_back_at = ? WHERE run = ? AND seq = ?",
        ruling.at,
        record.run,
        record.seq,
      );
      this.#rule(ruling);
      if (placed !== undefined) this.#place(placed);
    });
  }

  async takenUp(run: number): Promise<ReadonlyMap<number, readonly Line[]>> {
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
    // What was merged has its date in its value alone, what was set aside in what was read.
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

  #rule({ key, ruling, at, run, seq, origin, issue, fix }: Ruling): void {
    this.#database.run(
      `INSERT INTO ruling (key, ruling, at, run, seq, origin, issue, fix) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key, ruling) DO UPDATE SET at = excluded.at, run = excluded.run, seq = excluded.seq,
         origin = excluded.origin, issue = excluded.issue, fix = excluded.fix`,
      key,
      ruling,
      at,
      run,
      seq,
      JSON.stringify(origin),
      issue === undefined ? null : JSON.stringify(issue),
      fix === undefined ? null : JSON.stringify(fix),
    );
  }
}

function rulingFrom(row: Row): Ruling {
  return {
    key: String(row.key),
    ruling: row.ruling as RulingKind,
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
