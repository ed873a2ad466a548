/**
 * Workouts that logferry can decide about only after all sources were read. They are kept on disk and not in memory, because a folder may
 * contain very many. They belong to the current plan, and are removed when the connection closes.
 */
import { asIfUtc } from "../../transforms/calendar.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { JournalDatabase } from "./database.ts";
import { sql } from "./sql.ts";

/** A waiting workout. */
export interface Waiting {
  /** The reading as the connector gave it. */
  readonly reading: WorkoutItem;
  /** The index of its source. */
  readonly source: number;
  /** The number of the line in another run that this workout retries. */
  readonly retryOf?: number | undefined;
}

/** A waiting workout, with the number for `letGo`. */
export type WaitingRecord = Waiting & { readonly id: number };

/** Workouts in one read. */
const PER_READ = 200;

/** The store of waiting workouts. */
export interface WaitingRoom {
  /** Removes the workouts of an earlier plan. Call this before the first workout is kept. */
  open(): void;
  /** Keeps a workout until all sources were read. */
  keep(waiting: Waiting): Promise<void>;
  /**
   * The waiting workouts, oldest first. Workouts of the same moment come in the order of their keys, so the order of reading makes no
   * difference. The caller may let them go while it iterates.
   */
  all(): AsyncIterable<WaitingRecord>;
  /** Removes a workout from the store. */
  letGo(id: number): Promise<void>;
}

/** Keeps waiting workouts in a temporary table on the disk, outside the journal's file. */
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
    this.#database.run(sql`INSERT INTO temp.waiting (at, key, record)
      VALUES (${Math.round(at)}, ${key}, ${JSON.stringify(waiting)})`);
  }

  async *all(): AsyncGenerator<WaitingRecord> {
    let after = { at: Number.MIN_SAFE_INTEGER, key: "", id: 0 };
    for (;;) {
      const rows = this.#database.all(sql`SELECT * FROM temp.waiting WHERE (at, key, id) > (${after.at},
        ${after.key}, ${after.id}) ORDER BY at, key, id LIMIT ${PER_READ}`);
      for (const { id, record } of rows) yield { ...(JSON.parse(String(record)) as Waiting), id: Number(id) };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = { at: Number(last.at), key: String(last.key), id: Number(last.id) };
    }
  }

  async letGo(id: number): Promise<void> {
    this.#database.beginChunk();
    this.#database.run(sql`DELETE FROM temp.waiting WHERE id = ${id}`);
  }
}
