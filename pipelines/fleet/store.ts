/**
 * One journal in PostgreSQL: its claim, its changes and its snapshot. Every write is one statement that checks the fence, so a worker whose claim is
 * over writes nothing, whatever it still believes.
 */
import type pg from "pg";
import { asAnswer, ask } from "./ask.ts";

/** The result of a claim. */
export type ClaimResult =
  | { readonly fence: number; readonly version: number }
  /** Another worker has a live claim, for so many seconds. */
  | { readonly heldBy: string; readonly seconds: number };

/** A journal as it is in PostgreSQL. */
export interface StoredJournal {
  readonly version: number;
  /** The number of the last change in the snapshot; 0 when there is none. */
  readonly snapshot: number;
  /** The number of pieces of the snapshot. */
  readonly pieces: number;
  piece(index: number): Promise<Uint8Array | undefined>;
  /** Some of the changes after a number, in order; none when there are no more. */
  changesAfter(number: number): Promise<readonly StoredChange[]>;
}

/** Changes of a journal, with the number of their shipment. */
export interface StoredChange {
  readonly number: number;
  readonly changes: Uint8Array;
}

/**
 * The parts of a journal in a database. Each method may be called again with the same words when its answer was lost.
 * Methods with a fence answer false when the journal has another fence, and then they did nothing.
 */
export interface JournalStore {
  /** Claims the journal, if nobody has a live claim on it. `token` is this claim's own, so that a lost answer can be asked for again. */
  claim(claim: { token: string; worker: string; version: number; lastsMs: number }): Promise<ClaimResult>;
  /** Lets the claim last for so long from now. */
  prolong(fence: number, lastsMs: number): Promise<boolean>;
  release(fence: number): Promise<boolean>;
  /** Keeps changes under the next number. */
  append(fence: number, change: StoredChange): Promise<boolean>;
  /** Keeps a piece of the snapshot that ends with a number. It counts once `useSnapshot` is called. */
  keepPiece(fence: number, number: number, index: number, bytes: Uint8Array): Promise<boolean>;
  /** Replaces the earlier snapshot, and the changes up to its number. */
  useSnapshot(fence: number, snapshot: { number: number; pieces: number; version: number }): Promise<boolean>;
  /** Reads the journal as it is at one moment. @returns undefined when there is none */
  read<T>(body: (stored: StoredJournal) => Promise<T>): Promise<T | undefined>;
}

/** A commit waits for the disk, even where a database was told not to wait. It counts for this statement alone. */
const DURABLY = `CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END AS durably`;

/** The claim on the journal `$1` with the fence `$2`, and its row locked until the end of the statement: a new claim waits for us, or we see it. */
const OURS = "SELECT 1 FROM logferry_fleet.journals WHERE journal = $1 AND fence = $2 FOR UPDATE";

const CLAIM = `
  INSERT INTO logferry_fleet.journals AS known (journal, version, fence, token, worker, until)
  VALUES ($1, $2, nextval('logferry_fleet.fences'), $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
  ON CONFLICT (journal) DO UPDATE SET fence = greatest(known.fence + 1, excluded.fence), token = $3, worker = $4, until = excluded.until
    WHERE known.until < clock_timestamp() OR known.token = $3
  RETURNING fence, version, ${DURABLY}`;

/** A claim that was let go is held until '-infinity', which PostgreSQL before 17 can't subtract from. */
const HOLDER = `
  SELECT worker, CASE WHEN until > clock_timestamp() THEN extract(epoch FROM until - clock_timestamp()) ELSE 0 END::float8 AS seconds
  FROM logferry_fleet.journals WHERE journal = $1`;

const PROLONG = `
  UPDATE logferry_fleet.journals SET until = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE journal = $1 AND fence = $2 RETURNING ${DURABLY}`;

const RELEASE = "UPDATE logferry_fleet.journals SET until = '-infinity' WHERE journal = $1 AND fence = $2 RETURNING 1";

const APPEND = `
  WITH ours AS MATERIALIZED (${OURS}),
  kept AS (
    INSERT INTO logferry_fleet.journal_changes (journal, number, fence, changes) SELECT $1, $3, $2, $4 FROM ours
    ON CONFLICT DO NOTHING RETURNING 1)
  SELECT EXISTS (SELECT 1 FROM ours) AS ours,
    EXISTS (SELECT 1 FROM kept) OR EXISTS (SELECT 1 FROM logferry_fleet.journal_changes
      WHERE journal = $1 AND number = $3 AND fence = $2 AND changes = $4) AS kept, ${DURABLY}`;

const KEEP_PIECE = `
  WITH ours AS MATERIALIZED (${OURS})
  INSERT INTO logferry_fleet.journal_snapshots (journal, number, piece, bytes) SELECT $1, $3, $4, $5 FROM ours
  ON CONFLICT (journal, number, piece) DO UPDATE SET bytes = excluded.bytes RETURNING 1`;

const USE_SNAPSHOT = `
  WITH ours AS (UPDATE logferry_fleet.journals SET snapshot = $3, pieces = $4, version = $5
    WHERE journal = $1 AND fence = $2 RETURNING 1),
  in_snapshot AS (DELETE FROM logferry_fleet.journal_changes
    WHERE journal = $1 AND number <= $3 AND EXISTS (SELECT 1 FROM ours)),
  earlier AS (DELETE FROM logferry_fleet.journal_snapshots
    WHERE journal = $1 AND number <> $3 AND EXISTS (SELECT 1 FROM ours))
  SELECT 1, ${DURABLY} FROM ours`;

const STORED = "SELECT version, snapshot, pieces FROM logferry_fleet.journals WHERE journal = $1";

const PIECE = "SELECT bytes FROM logferry_fleet.journal_snapshots WHERE journal = $1 AND number = $2 AND piece = $3";

/** Changes in one answer, and their bytes. A single change may be larger. */
const PER_READ = { changes: 500, bytes: 4_000_000 } as const;

const CHANGES = `
  WITH next AS (SELECT number, sum(octet_length(changes)) OVER (ORDER BY number) - octet_length(changes) AS before
    FROM (SELECT number, changes FROM logferry_fleet.journal_changes WHERE journal = $1 AND number > $2
      ORDER BY number LIMIT ${PER_READ.changes}) AS first)
  SELECT number, changes FROM next JOIN logferry_fleet.journal_changes USING (number)
  WHERE journal = $1 AND before < ${PER_READ.bytes} ORDER BY number`;

/** The store of a journal in PostgreSQL. @param journal its name */
export function postgresStore(pool: pg.Pool, journal: string): JournalStore {
  return new PostgresStore(pool, journal);
}

class PostgresStore implements JournalStore {
  readonly #pool: pg.Pool;
  readonly #journal: string;

  constructor(pool: pg.Pool, journal: string) {
    this.#pool = pool;
    this.#journal = journal;
  }

  async claim({ token, worker, version, lastsMs }: Parameters<JournalStore["claim"]>[0]): Promise<ClaimResult> {
    for (;;) {
      const [claimed] = await this.#ask(CLAIM, version, token, worker, lastsMs);
      if (claimed !== undefined) return { fence: Number(claimed.fence), version: Number(claimed.version) };
      const [holder] = await this.#ask(HOLDER);
      // It may have been released between the two statements.
      const seconds = Number(holder?.seconds ?? 0);
      if (seconds > 0) return { heldBy: String(holder?.worker), seconds };
    }
  }

  async prolong(fence: number, lastsMs: number): Promise<boolean> {
    return (await this.#ask(PROLONG, fence, lastsMs)).length > 0;
  }

  async release(fence: number): Promise<boolean> {
    return (await this.#ask(RELEASE, fence)).length > 0;
  }

  async append(fence: number, { number, changes }: StoredChange): Promise<boolean> {
    for (let asked = 1; ; asked++) {
      const [row] = await this.#ask(APPEND, fence, number, bytesOf(changes));
      if (row?.ours !== true) return false;
      if (row.kept === true) return true;
      // The same statement, whose answer was lost, may have been committed while this one waited. This one doesn't see it yet.
      if (asked === 2) throw new Error(`Cannot keep change ${number}: another one has its number`);
    }
  }

  async keepPiece(fence: number, number: number, index: number, bytes: Uint8Array): Promise<boolean> {
    return (await this.#ask(KEEP_PIECE, fence, number, index, bytesOf(bytes))).length > 0;
  }

  async useSnapshot(
    fence: number,
    { number, pieces, version }: Parameters<JournalStore["useSnapshot"]>[1],
  ): Promise<boolean> {
    return (await this.#ask(USE_SNAPSHOT, fence, number, pieces, version)).length > 0;
  }

  async read<T>(body: (stored: StoredJournal) => Promise<T>): Promise<T | undefined> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asAnswer(error);
    });
    let isSound = false;
    try {
      // A snapshot may be replaced while it is read. In one transaction everything is as it was at its beginning.
      await ask(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const [row] = await ask(client, STORED, [this.#journal]);
      const result = row === undefined ? undefined : await body(this.#stored(client, row));
      await ask(client, "COMMIT");
      isSound = true;
      return result;
    } finally {
      // A connection with an open transaction is not used again.
      client.release(!isSound);
    }
  }

  #stored(client: pg.ClientBase, row: Readonly<Record<string, unknown>>): StoredJournal {
    const snapshot = Number(row.snapshot);
    return {
      version: Number(row.version),
      snapshot,
      pieces: Number(row.pieces),
      piece: async (index) => {
        const [found] = await ask(client, PIECE, [this.#journal, snapshot, index]);
        return found?.bytes as Uint8Array | undefined;
      },
      changesAfter: async (number) => {
        const rows = await ask(client, CHANGES, [this.#journal, number]);
        return rows.map((found) => ({ number: Number(found.number), changes: found.changes as Uint8Array }));
      },
    };
  }

  #ask(text: string, ...values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return ask(this.#pool, text, [this.#journal, ...values]);
  }
}

/** The same bytes for pg, which knows a Buffer. */
function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
