/**
 * One SQLite file, with a write-ahead log and `synchronous=FULL`. SQLite's own default in WAL mode doesn't sync a commit, and an
 * acknowledged save must survive a power cut.
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreUnavailable } from "../http/unavailable.ts";
import { bodyOf, type Database, type Queries, type Row, type Statement, type Value } from "./database.ts";
import { type Opening, STEPS } from "./schema.ts";
import { statementOf } from "./sql.ts";
import { decodeText, encodeText } from "./text.ts";

/** SQLite's `application_id` of a store, "LFSV". With it the service doesn't write to another program's database. */
const APPLICATION_ID = 0x4c465356;

/**
 * Opens or makes the database at a path, its schema up to date (mode 0600: it holds health data), or in memory with `":memory:"`.
 * @throws Error when the file is not a store, or was made by a newer logferry
 */
export async function openSqlite(path: string, opening: Opening = {}): Promise<Database> {
  if (path !== ":memory:" && !existsSync(path)) {
    if (opening.mayMake === false) throw new Error(`Cannot open ${path}: there is no such file`);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
  }
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(database, path, opening);
  } catch (error) {
    database.close();
    const { errcode = 0, message } = error as Error & { errcode?: number };
    throw OUT_OF_ORDER.has(errcode & 0xff) ? new Error(`Cannot open ${path}: ${message}`, { cause: error }) : error;
  }
  return new SqliteDatabase(database);
}

/** Result codes that say nothing against the file itself: BUSY, IOERR, FULL. */
const OUT_OF_ORDER: ReadonlySet<number> = new Set([5, 10, 13]);

/** How long to wait for another process that writes. */
const BUSY_TIMEOUT_MS = 5000;

function prepare(
  database: DatabaseSync,
  path: string,
  { steps = STEPS, mayMake = true, waitsForDisk = true }: Opening,
): void {
  // The order matters. Between these two reads another process can only make the tables and the id together.
  const tables = database.prepare("SELECT COUNT(*) AS total FROM sqlite_schema").get() as { total: number };
  if (tables.total === 0 && !mayMake) throw new Error(`Cannot open ${path}: there is no training log in it`);
  if (tables.total > 0 && pragma(database, "application_id") !== APPLICATION_ID) {
    throw new Error(`Cannot open ${path}: it is a database, but not a training log of logferry`);
  }
  if (pragma(database, "user_version") > steps.length) {
    throw new Error(`Cannot open ${path}: it was made by a newer logferry`);
  }
  database.exec(
    `PRAGMA synchronous = ${waitsForDisk ? "FULL" : "NORMAL"}; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON`,
  );
  if (pragma(database, "user_version") === steps.length) return;
  database.exec("BEGIN IMMEDIATE");
  // Read again, because another process may have made the tables while this one waited.
  for (const step of steps.slice(pragma(database, "user_version")))
    database.exec(typeof step === "string" ? step : step.sqlite);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}; COMMIT`);
}

function pragma(database: DatabaseSync, name: string): number {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] as number;
}

/** SQLite's primary result codes that mean "not now": BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const UNAVAILABLE: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);

function asStoreError(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined || !UNAVAILABLE.has(errcode & 0xff)) return error;
  return new StoreUnavailable(`Cannot use the database: ${(error as Error).message}`, { cause: error });
}

/** Statements kept ready. Each new combination of filters makes a new statement. Old ones are dropped, so that memory stays flat. */
const KEPT_STATEMENTS = 200;

/**
 * SQLite with an asynchronous interface. There is one connection. While a transaction is open, every query outside it waits for its end.
 * The wait is a loop that goes straight on to the query: a pause between the two would let another transaction begin.
 */
class SqliteDatabase implements Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  /** Settles when the open transaction ends; undefined while there is none. */
  #transaction: Promise<unknown> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async get(sql: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    while (this.#transaction !== undefined) await this.#transaction;
    return this.#queries.get(sql, ...values);
  }

  async all(sql: Statement, ...values: readonly Value[]): Promise<Row[]> {
    while (this.#transaction !== undefined) await this.#transaction;
    return this.#queries.all(sql, ...values);
  }

  async run(sql: Statement, ...values: readonly Value[]): Promise<number> {
    while (this.#transaction !== undefined) await this.#transaction;
    return this.#queries.run(sql, ...values);
  }

  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#alone("BEGIN IMMEDIATE", body);
  }

  /** Other processes may write meanwhile. This one doesn't: it has one connection. */
  snapshot<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#alone("BEGIN", body);
  }

  /** Every transaction keeps other writers out from its beginning. */
  exclusively<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.transaction(body);
  }

  async close(): Promise<void> {
    while (this.#transaction !== undefined) await this.#transaction;
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  async #alone<T>(begin: string, body: (queries: Queries) => Promise<T>): Promise<T> {
    while (this.#transaction !== undefined) await this.#transaction;
    // Before the body begins, so that even its first step finds the database taken.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#transaction = promise;
    try {
      return await this.#transact(begin, body);
    } finally {
      this.#transaction = undefined;
      resolve();
    }
  }

  async #transact<T>(begin: string, body: (queries: Queries) => Promise<T>): Promise<T> {
    this.#guard(() => this.#database.exec(begin));
    try {
      const result = await bodyOf(this.#queries, body);
      this.#guard(() => this.#database.exec("COMMIT"));
      return result;
    } catch (error) {
      // A failed COMMIT (disk full) may have ended the transaction itself.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  readonly #queries: Queries = {
    get: async (sql, ...values) =>
      this.#ask(sql, values, (prepared, bound) => {
        const cells = prepared.statement.get(...bound);
        return cells && toRow(cells, prepared);
      }),
    all: async (sql, ...values) =>
      this.#ask(sql, values, (prepared, bound) =>
        prepared.statement.all(...bound).map((cells) => toRow(cells, prepared)),
      ),
    run: async (sql, ...values) =>
      this.#ask(sql, values, ({ statement }, bound) => Number(statement.run(...bound).changes)),
  };

  #ask<T>(sql: Statement, apart: readonly Value[], ask: (prepared: Prepared, bound: Value[]) => T): T {
    const { text, values } = statementOf(sql, apart);
    const bound = values.map((value) => (typeof value === "string" ? encodeText(value) : value));
    return this.#guard(() => ask(this.#prepared(text), bound));
  }

  #guard<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      prepared = { statement, columns: columnsOf(statement) };
      if (this.#statements.size >= KEPT_STATEMENTS)
        this.#statements.delete(this.#statements.keys().next().value as string);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

/** A statement that is kept, with the names of its columns. */
interface Prepared {
  readonly statement: StatementSync;
  columns: readonly string[];
}

function columnsOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

/**
 * Turns the values of a row into the row. node:sqlite would name the columns anew for every row: a page of 100 workouts takes twice as long.
 * @param cells an array, which the types of node:sqlite don't know
 */
function toRow(cells: Row, prepared: Prepared): Row {
  // Another process may have brought the tables up to date, so that `*` means more columns than before.
  if (cells.length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement);
  const row: Row = {};
  for (const [index, column] of prepared.columns.entries()) {
    const value = cells[index];
    row[column] = typeof value === "string" ? decodeText(value) : value;
  }
  return row;
}
