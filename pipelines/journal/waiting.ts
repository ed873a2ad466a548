/**
 * Records that can't be decided about before all sources were read, kept on disk and not in memory: a folder may be full of them. They
 * belong to the plan that is being made, and go with the connection.
 */
import { asIfUtc } from "../../transforms/calendar.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";

/** A workout that waits. */
export interface Waiting {
  /** As the connector gave it. */
  readonly reading: WorkoutItem;
  /** Index of its source. */
  readonly source: number;
  /** The line of another run that is retried with it. */
  readonly retryOf?: number | undefined;
}

/** The same with the number it is let go by. */
export type WaitingRecord = Waiting & { readonly id: number };

/** Read at a time. */
const PER_READ = 200;

/** Where they wait. */
export interface WaitingRoom {
  /** Forgets what waited for an earlier plan. To be called before the first waits. */
  open(): void;
  /** Keeps a workout until all sources were read. */
  keep(waiting: Waiting): Promise<void>;
  /** What waits: oldest first, of one moment by key, whatever order it came in. It may be let go meanwhile. */
  all(): AsyncIterable<WaitingRecord>;
  /** It waits no longer. */
  letGo(id: number): Promise<void>;
}

/** In a table that is on the disk, and not in the journal's file. */
export class SqliteWaitingRoom implements WaitingRoom {
  readonly #database: JournalDatabase;

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  open(): void {
    this.#database.exec(
      "DROP TABLE IF EXISTS temp.waiting; CREATE TEMP TABLE waiting (id INTEGER PRIMARY KEY, at INTEGER, key TEXT, record TEXT); " +
        "CREATE INDEX temp.waiting_order ON waiting (at, key, id);",
    );
  }

  async keep(waiting: Waiting): Promise<void> {
    const { key, value } = waiting.reading;
    const { instant, date, time } = value.start;
    const at = instant ?? (date === undefined ? 0 : asIfUtc({ date, time }));
    this.#database.beginChunk();
    this.#database.run(
      "INSERT INTO temp.waiting (at, key, record) VALUES (?, ?, ?)",
      Math.round(at),
      key,
      JSON.stringify(waiting),
    );
  }

  async *all(): AsyncGenerator<WaitingRecord> {
    let after = { at: Number.MIN_SAFE_INTEGER, key: "", id: 0 };
    for (;;) {
      const rows = this.#database.all(
        "SELECT * FROM temp.waiting WHERE (at, key, id) > (?, ?, ?) ORDER BY at, key, id LIMIT ?",
        after.at,
        after.key,
        after.id,
        PER_READ,
      );
      for (const { id, record } of rows) yield { ...(JSON.parse(String(record)) as Waiting), id: Number(id) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = { at: Number(last.at), key: String(last.key), id: Number(last.id) };
    }
  }

  async letGo(id: number): Promise<void> {
    this.#database.beginChunk();
    this.#database.run("DELETE FROM temp.waiting WHERE id = ?", id);
  }
}
