/**
 * One PostgreSQL database. Its statements are those of SQLite with other placeholders. Its tables are those of `schema.ts` with other
 * names for the types. So a log behaves the same in both.
 *
 * Between PostgreSQL and the service there may be a pooler that gives every transaction another connection, as PgBouncer does with
 * `pool_mode = transaction`. So nothing is set for a connection: each transaction sets its own limits, and ends with them. Behind a pooler
 * nothing is prepared for a connection either (see `prepared.ts`).
 */
import pg from "pg";
import { OutcomeUnknown, StoreUnavailable } from "../http/unavailable.ts";
import { unreadable } from "./address.ts";
import { bodyOf, type Database, type Queries, type Row, type Statement, type Value } from "./database.ts";
import { BACKEND_PID, isOutdated, StatementNames } from "./prepared.ts";
import { type Opening, STEPS, TABLES } from "./schema.ts";
import { keepSockets, lacksPassword } from "./sockets.ts";
import { Sql, statementOf } from "./sql.ts";
import { decodeText, encodeText } from "./text.ts";

/** The most connections of one server process. PostgreSQL itself takes 100 by default, from all processes together. */
const CONNECTIONS = 10;

/**
 * Time limits: for a free connection, for a lock (like SQLite's `busy_timeout`), and for a statement. `standstill` is PostgreSQL's limit
 * for a transaction that stands still, so that a process that hangs gives up its locks.
 */
const PATIENCE_MS = { connection: 5_000, lock: 5_000, statement: 30_000, standstill: 60_000, goodbye: 5_000 };

/** The limits of a transaction. "A write that has resolved survives", even where a database was told not to wait for its disk. */
const LIMITS = `SET LOCAL lock_timeout = ${PATIENCE_MS.lock};
  SET LOCAL statement_timeout = ${PATIENCE_MS.statement};
  SET LOCAL idle_in_transaction_session_timeout = ${PATIENCE_MS.standstill};
  SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`;

/** Begins a transaction with its limits. Several statements in one text are one round trip. */
const BEGIN = `BEGIN; ${LIMITS}`;

/** Begins a transaction whose reads are all of one moment. */
const SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LIMITS}`;

/** Two servers that start at once take turns at the schema, with this advisory lock, "LFSV". */
const MIGRATION_LOCK = 0x4c465356;

/**
 * Opens the database at an address, its schema up to date, in the first schema of the role's `search_path`.
 * @param address `postgres://user:password@host:5432/name`. The password appears in no error
 * @throws Error when it can't be reached, isn't a store, or was made by a newer logferry
 */
export async function openPostgres(address: string, opening: Opening = {}): Promise<Database> {
  const name = nameOfPostgres(address);
  const sockets = keepSockets();
  const pool = new pg.Pool({
    connectionString: address,
    max: CONNECTIONS,
    connectionTimeoutMillis: PATIENCE_MS.connection,
    keepAlive: true,
    application_name: "logferry",
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    stream: sockets.make,
  });
  // A connection that is lost between two statements emits this event. Without a listener it would end the process. The next statement
  // finds out for itself.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    const client = await pool.connect();
    let isSound = false;
    try {
      await prepare(client, opening);
      isSound = true;
    } finally {
      client.release(!isSound);
    }
  } catch (error) {
    await pool.end();
    sockets.cut();
    const isWithout = lacksPassword(error, new pg.Client({ connectionString: address }).password);
    throw new Error(`Cannot open ${name}: ${isWithout ? WANTS_PASSWORD : reasonOf(error)}`);
  }
  return new PostgresDatabase(pool, sockets.cut);
}

const WANTS_PASSWORD =
  "it wants a password, and there is none. Put it into the address, postgres://user:PASSWORD@host:5432/name, in LOGFERRY_DATABASE or as database in the config file. PGPASSWORD and ~/.pgpass work, too";

/**
 * The name of an address for messages: `postgres://host:5432/name`, without user and password.
 * @throws Error when it can't be read. The message doesn't repeat it
 */
export function nameOfPostgres(address: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: address });
    // A slash in a password ends the host early. Then the rest of the password would count as the database's name.
    if (!database?.includes("@")) return `postgres://${host}:${port}/${database ?? ""}`;
  } catch {}
  throw unreadable("this one can't be taken apart");
}

async function prepare(client: pg.ClientBase, { steps = STEPS, mayMake = true }: Opening): Promise<void> {
  const encoding = await one(client, "SHOW server_encoding");
  if (encoding !== "UTF8") throw new Error(`its encoding is ${encoding}, and a log needs UTF8`);
  await client.query(`${BEGIN}; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0`);
  await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const isStore = (await one(client, "SELECT to_regclass('logferry_schema') IS NOT NULL")) === 1;
  if (!isStore) {
    if ((await one(client, COUNT_TABLES)) !== 0)
      throw new Error("it is a database, but not a training log of logferry");
    if (!mayMake) throw new Error("there is no training log in it");
    await client.query("CREATE TABLE logferry_schema (version INTEGER NOT NULL)");
    await client.query("INSERT INTO logferry_schema VALUES (0)");
  }
  const version = Number(await one(client, "SELECT version FROM logferry_schema"));
  if (version > steps.length) throw new Error("it was made by a newer logferry");
  for (const step of steps.slice(version))
    await client.query(typeof step === "string" ? tablesOf(step) : step.postgres);
  if (version < steps.length) await client.query(`UPDATE logferry_schema SET version = ${steps.length}`);
  await client.query("COMMIT");
}

/** Counts the tables and views in our schema, without those that extensions bring. */
const COUNT_TABLES = `
  SELECT COUNT(*) FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/**
 * The PostgreSQL type for each type of the schema. Text compares by code point, in every language of the database. Numbers are
 * JavaScript's: a filter may compare with 10.5 or 1e300, which no integer type would take.
 */
const TYPES: Record<string, string> = {
  TEXT: 'TEXT COLLATE "C"',
  INTEGER: "DOUBLE PRECISION",
  BIGINT: "DOUBLE PRECISION",
  REAL: "DOUBLE PRECISION",
  BLOB: "BYTEA",
};

function tablesOf(step: string): string {
  return step.replace(/\b(?:TEXT|INTEGER|BIGINT|REAL|BLOB)\b/g, (type) => TYPES[type] as string);
}

async function one(client: pg.ClientBase, sql: string): Promise<unknown> {
  return Object.values((await client.query(sql)).rows[0] ?? {})[0];
}

/** pg returns counts and sums as text, because 64 bits don't fit a number. Ours are small enough. True is 1, as in SQLite. */
function parserOf(type: number, format?: "text" | "binary"): unknown {
  switch (type) {
    case pg.types.builtins.INT8:
    case pg.types.builtins.NUMERIC:
      return Number;
    case pg.types.builtins.BOOL:
      return (text: string) => (text === "t" ? 1 : 0);
    default:
      return pg.types.getTypeParser(type, format as "text");
  }
}

class PostgresDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  /** Whether a connection goes straight to its server. */
  readonly #direct = new WeakMap<pg.ClientBase, boolean>();
  /** Calls that wait for a connection. */
  readonly #connecting = new Set<Promise<pg.PoolClient>>();
  readonly #cut: () => void;
  #closing: Promise<void> | undefined;

  constructor(pool: pg.Pool, cut: () => void) {
    this.#pool = pool;
    this.#cut = cut;
  }

  async get(sql: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    return (await this.#lone(sql, values)).rows[0];
  }

  async all(sql: Statement, ...values: readonly Value[]): Promise<Row[]> {
    return (await this.#lone(sql, values)).rows;
  }

  async run(sql: Statement, ...values: readonly Value[]): Promise<number> {
    return (await this.#lone(sql, values)).rowCount ?? 0;
  }

  async transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#transact((client) => bodyOf(queriesOn(client), body));
  }

  async snapshot<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#transact((client) => bodyOf(queriesOn(client), body), SNAPSHOT);
  }

  async exclusively<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#transact(async (client) => {
      await control(
        client,
        `LOCK TABLE ${TABLES.map(({ name }) => name).join(", ")} IN SHARE ROW EXCLUSIVE MODE`,
        true,
      );
      return bodyOf(queriesOn(client), body);
    });
  }

  async close(): Promise<void> {
    // The pool forgets whoever still waits for a connection when it ends.
    this.#closing ??= Promise.allSettled(this.#connecting).then(() => this.#pool.end());
    await this.#closing;
    // A network may swallow the goodbye. Then the other side closes nothing, and an open socket keeps the process alive.
    setTimeout(this.#cut, PATIENCE_MS.goodbye).unref();
  }

  /** A write needs the limits of a transaction. A read locks nothing: one round trip is enough, and its time is limited on this side. */
  async #lone(sql: Statement, values: readonly Value[]): Promise<pg.QueryResult<Row>> {
    const { text } = statementOf(sql, values);
    if (!/^\s*SELECT\b/i.test(text)) return this.#transact((client) => ask(client, sql, values));
    const client = await this.#connect();
    let isLost = false;
    try {
      const hasName = sql instanceof Sql && sql.isKept && (await this.#isDirect(client));
      const limit = { query_timeout: PATIENCE_MS.statement };
      return await ask(client, sql, values, hasName ? { ...limit, name: this.#names.nameOf(text) } : limit);
    } catch (error) {
      isLost = error instanceof StoreUnavailable;
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  /** Asked once for each connection. */
  async #isDirect(client: pg.ClientBase): Promise<boolean> {
    const known = this.#direct.get(client);
    if (known !== undefined) return known;
    const { rows } = await ask(client, BACKEND_PID, [], { query_timeout: PATIENCE_MS.statement });
    const isDirect = "processID" in client && client.processID === rows[0]?.pid;
    this.#direct.set(client, isDirect);
    return isDirect;
  }

  async #transact<T>(body: (client: pg.ClientBase) => Promise<T>, begin = BEGIN): Promise<T> {
    const client = await this.#connect();
    let isSound = false;
    try {
      await control(client, begin, true);
      try {
        const result = await body(client);
        await control(client, "COMMIT", begin === SNAPSHOT);
        isSound = true;
        return result;
      } catch (error) {
        isSound = await client.query("ROLLBACK").then(
          () => true,
          () => false,
        );
        throw error;
      }
    } finally {
      client.release(!isSound);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    this.#connecting.add(connecting);
    try {
      return await connecting;
    } catch (error) {
      throw new StoreUnavailable(`Cannot reach the database: ${reasonOf(error)}`);
    } finally {
      this.#connecting.delete(connecting);
    }
  }
}

function queriesOn(client: pg.ClientBase): Queries {
  return {
    get: async (sql, ...values) => (await ask(client, sql, values)).rows[0],
    all: async (sql, ...values) => (await ask(client, sql, values)).rows,
    run: async (sql, ...values) => (await ask(client, sql, values)).rowCount ?? 0,
  };
}

/**
 * Asks one statement, a read or a part of a transaction. Nothing of it is kept before the commit, so a failure can't leave the outcome
 * unknown.
 * @param more this side's limit, which pg knows and its types don't; default the server's limit of the transaction. And the name under
 * which the server keeps the statement
 */
async function ask(
  client: pg.ClientBase,
  sql: Statement,
  apart: readonly Value[],
  more: { readonly query_timeout?: number; readonly name?: string } = {},
): Promise<pg.QueryResult<Row>> {
  const { text, values } = statementOf(sql, apart);
  const bound = values.map((value) => (typeof value === "string" ? encodeText(value) : value));
  try {
    const result = await client.query<Row>({ text: numbered(text), values: bound, ...more });
    for (const row of result.rows) decodeRow(row);
    return result;
  } catch (error) {
    const { name, ...rest } = more;
    if (name !== undefined && isOutdated(error)) return ask(client, sql, apart, rest);
    throw asStoreError(error, true);
  }
}

/** Begins or ends a transaction. @param isHarmless whether nothing is kept by it */
async function control(client: pg.ClientBase, text: string, isHarmless: boolean): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    throw asStoreError(error, isHarmless);
  }
}

function decodeRow(row: Row): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value === "string") row[column] = decodeText(value);
    // A Buffer is a Uint8Array that differs in equality, slices and JSON.
    else if (Buffer.isBuffer(value)) row[column] = new Uint8Array(value.buffer, value.byteOffset, value.length);
  }
}

/** `?` as `$1`, `$2` and so on. It skips strings, quoted names and comments. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g, (part) => (part === "?" ? `$${++count}` : part));
}

/**
 * Classes of SQLSTATE that mean "not now": connection (08), authorization (28), no such database (3D), transaction state (25: read-only,
 * too long idle), rolled back (40: deadlock), resources (53: connections, disk, memory), lock (55), operator (57: shutting down,
 * timeout), system (58: disk).
 */
const UNAVAILABLE: ReadonlySet<string> = new Set(["08", "28", "3D", "25", "40", "53", "55", "57", "58"]);

function asStoreError(error: unknown, isHarmless: boolean): unknown {
  if (!(error instanceof pg.DatabaseError)) {
    if (isHarmless) return new StoreUnavailable(`Lost the connection to the database: ${reasonOf(error)}`);
    return new OutcomeUnknown(`Lost the connection to the database while it wrote: ${reasonOf(error)}`);
  }
  const { code = "", constraint, table } = error;
  if (UNAVAILABLE.has(code.slice(0, 2))) return new StoreUnavailable(`Cannot use the database: ${error.message}`);
  // PostgreSQL's other details (`detail`, `where`) can hold the row itself, and this message may be logged.
  const where = [table, constraint].filter((name) => name !== undefined).join(", ");
  return new Error(
    `The database refused a statement (${code}): ${error.message}${where === "" ? "" : `, at ${where}`}`,
  );
}

/** A refused connection to `localhost` is an error without a message. It holds two errors, one for each address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
