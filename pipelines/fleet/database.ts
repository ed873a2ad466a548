/**
 * The PostgreSQL of a fleet: connections, transactions, and the wait while it is away. Between it and a worker there may be a pooler of
 * transactions such as PgBouncer, so nothing is set or prepared for a connection.
 */
import pg from "pg";
import type { Db } from "pg-boss";
import { systemClock } from "../../connectors/api/clock.ts";
import { FatalError } from "../../connectors/errors.ts";
import { isNotNow } from "./ask.ts";
import { FLEET_TABLES } from "./athlete-tables.ts";
import { keepSockets, lacksPassword } from "./sockets.ts";
import { untrustedReason } from "./untrusted.ts";

/** A row, by the names of its columns. */
export type Row = Record<string, unknown>;

/** Asks statements, alone or as a part of a transaction. */
export interface Queries {
  /** The rows of a statement. @param values for `$1`, `$2` and so on; objects become JSON */
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same statements for pg-boss. */
  readonly queue: Db;
}

/** An open database of a fleet. */
export interface FleetDatabase extends Queries, AsyncDisposable {
  readonly pool: pg.Pool;
  /** The address in its printable form, without user and password. */
  readonly name: string;
  /** True for a database that only reads now, such as a standby, or a role that may only read, if it was opened with `refuse`: nothing was made or brought up to date in it. */
  readonly isReadOnly: boolean;
  /** Runs the body as one transaction. Nothing of it stays if it throws. It may run again after a lost connection. */
  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Is told why PostgreSQL doesn't answer, and `undefined` once it answers again. */
export type OnAway = (reason: string | undefined) => void;

/** Milliseconds that a connection and a statement may take. */
const PATIENCE = { connection: 10_000, statement: 60_000 } as const;

/**
 * Begins a transaction. PostgreSQL ends one that stands still for three seconds: a worker that freezes in the middle of one holds a lock that all
 * others wait for, such as that of a host's pace.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 3000";

/** The most connections of one process. PostgreSQL itself takes 100 by default, from all processes together. */
const CONNECTIONS = 10;

/** Milliseconds that a statement under way has to end when the database is closed. */
const CLOSE_MS = 5_000;

/** Milliseconds between two tries while PostgreSQL is away: the first, and the longest. */
const AGAIN = { firstMs: 200, mostMs: 5_000 } as const;

/** "LFFL": whoever makes the tables holds this advisory lock of a transaction, so that several can start at once. */
const TABLES_LOCK = 0x4c46464c;

/** What becomes of a database without a fleet: it gets one, or the opening is refused and nothing is made. */
export type WithoutFleet = "make" | "refuse";

/**
 * Opens the database of a fleet, and brings its tables up to date.
 *
 * @param address `postgres://user:password@host:5432/name`. No part of it but host, port and name appears in an error
 * @param signal ends the wait for a database that is away
 * @param onAway is told once when it is away, and once when it is back
 * @param without says what becomes of a database without a fleet. A command that only reads refuses it: the address may be that of another database
 * @throws FatalError `fleet/database`, reason `service`, when it can't be reached or refuses; `fleet/none` when there is no fleet in it
 */
export async function openFleetDatabase(
  address: string,
  signal: AbortSignal,
  onAway: OnAway = () => undefined,
  without: WithoutFleet = "make",
): Promise<FleetDatabase> {
  const name = nameOfFleet(address) ?? "at an address that can't be read";
  const sockets = keepSockets();
  const pool = new pg.Pool({
    connectionString: address,
    max: CONNECTIONS,
    connectionTimeoutMillis: PATIENCE.connection,
    query_timeout: PATIENCE.statement,
    keepAlive: true,
    application_name: "logferry",
    stream: sockets.make,
  });
  // A connection that is lost between two statements emits this event. Without a listener it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const database = new PostgresFleet({ pool, name, signal, onAway, cut: sockets.cut });
  const prepare = async () => {
    await checkStrings(pool, name);
    if (without === "refuse") await checkHasFleet(pool, name);
    database.isReadOnly = without === "refuse" && (await takesNoWrites(pool));
    if (!database.isReadOnly) await makeTables(pool);
  };
  try {
    // The first contact gives up at once: the address may be wrong, and a person waits. A PostgreSQL that is starting shows that it is right.
    await prepare().catch((error: unknown) => {
      if (!isStarting(error)) throw error;
      return database.patiently(prepare);
    });
  } catch (error) {
    await pool.end();
    sockets.cut();
    if (error instanceof FatalError) throw error;
    const reason = lacksPassword(error, new pg.Client({ connectionString: address }).password)
      ? WANTS_PASSWORD
      : reasonOf(error);
    if (isReadOnlyNow(error)) throw readOnly(name);
    throw new FatalError("fleet/database", "service", `Cannot use the fleet's database ${name}: ${reason}`);
  }
  return database;
}

/** The statements of the queue have backslashes in their texts. @throws FatalError for a database that reads these in the way of the years before 2010 */
async function checkStrings(pool: pg.Pool, name: string): Promise<void> {
  const { rows } = await pool.query("SHOW standard_conforming_strings");
  if (rows[0]?.standard_conforming_strings !== "off") return;
  const found =
    "standard_conforming_strings is off there, for this role, for this database or for all. Set it to on, such as with ALTER ROLE ... SET";
  throw new FatalError("fleet/database", "service", `Cannot use the fleet's database ${name}: ${found}`);
}

/** The error of a command that writes, for a database that only reads now. Workers under way wait for such a one: it may be about to take over. */
export function readOnly(name: string): FatalError {
  const found =
    "it only reads now, such as a standby, or this role may only read (it lacks the right CREATE on the database). Give the address of the one that takes writes";
  return new FatalError("fleet/database", "service", `Cannot use the fleet's database ${name}: ${found}`);
}

/** Whether PostgreSQL refused to write: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isReadOnlyNow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "25006";
}

const WANTS_PASSWORD =
  "it wants a password, and there is none. Put it into the address, postgres://user:PASSWORD@host:5432/name, in LOGFERRY_FLEET or as fleet in the config file. PGPASSWORD and ~/.pgpass work, too";

/** @throws FatalError `fleet/none`, reason `service`, for a database in which no worker and no batch has made the tables */
async function checkHasFleet(pool: pg.Pool, name: string): Promise<void> {
  const { rows } = await pool.query<Row>(
    "SELECT to_regclass('logferry_fleet.athletes') IS NOT NULL AND to_regclass('logferry_queue.job') IS NOT NULL AS has_fleet",
  );
  if (rows[0]?.has_fleet === true) return;
  throw new FatalError(
    "fleet/none",
    "service",
    `There is no fleet in the database ${name}. Nothing was made there. Check the address: LOGFERRY_FLEET, --fleet, or fleet in the config file. The first logferry batch makes the fleet`,
  );
}

/** Whether a database can be read and not written: a standby, one whose transactions are set to read only, or by a role that may make nothing in it. */
async function takesNoWrites(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<Row>(
    "SELECT current_setting('transaction_read_only') = 'on' OR NOT has_database_privilege(current_database(), 'CREATE') AS is_read_only",
  );
  return rows[0]?.is_read_only === true;
}

async function makeTables(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [TABLES_LOCK]);
    await client.query(FLEET_TABLES);
  });
}

/** Runs the body as one transaction. A connection whose transaction can't be ended is not used again. */
async function inTransaction<T>(pool: pg.Pool, body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isSound = false;
  try {
    await client.query(BEGIN);
    const result = await body(client);
    await client.query("COMMIT");
    isSound = true;
    return result;
  } catch (error) {
    isSound = await client.query("ROLLBACK").then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    client.release(!isSound);
  }
}

/** The name of an address for messages: `postgres://host:5432/name`. Undefined for an address that can't be read. */
export function nameOfFleet(address: string): string | undefined {
  const isPostgres = /^postgres(?:ql)?:\/\/[^\s"'#]+$/i.test(address) && (address.match(/@/g) ?? []).length < 2;
  if (!isPostgres) return undefined;
  try {
    const { host, port, database } = new pg.Client({ connectionString: address });
    // A slash in a password ends the host early. Then the rest of the password would count as the database's name.
    return database?.includes("@")
      ? undefined
      : `postgres://${host.includes(":") ? `[${host}]` : host}:${port}/${database ?? ""}`;
  } catch {
    // The library's error may repeat the address.
    return undefined;
  }
}

/** The file that an address names, such as with `sslrootcert`, and that can't be read; undefined where there is none. The file is no secret. */
export function unreadableFileOf(address: string): string | undefined {
  try {
    void new pg.Client({ connectionString: address });
    return undefined;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    return code === undefined || code === "ERR_INVALID_URL" ? undefined : path;
  }
}

class PostgresFleet implements FleetDatabase {
  readonly pool: pg.Pool;
  readonly name: string;
  readonly queue: Db;
  readonly #signal: AbortSignal;
  readonly #onAway: OnAway;
  readonly #cut: () => void;
  #isAway = false;
  /** When PostgreSQL last answered, by the clock of the process. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  isReadOnly = false;

  constructor({
    pool,
    name,
    signal,
    onAway,
    cut,
  }: Pick<FleetDatabase, "pool" | "name"> & { signal: AbortSignal; onAway: OnAway; cut: () => void }) {
    this.pool = pool;
    this.name = name;
    this.#signal = signal;
    this.#onAway = onAway;
    this.#cut = cut;
    this.queue = queueOn((text, values) => this.patiently(() => pool.query(text, values)));
  }

  async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.patiently(() => this.pool.query<Row>(text, [...values]))).rows;
  }

  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T> {
    return this.patiently(() =>
      inTransaction(this.pool, (client) =>
        body({
          query: async (text, values = []) => (await client.query<Row>(text, [...values])).rows,
          queue: queueOn((text, values) => client.query(text, values)),
        }),
      ),
    );
  }

  /** Tries again while PostgreSQL is away. After the first contact, a worker waits for it as long as it takes. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let waitMs: number = AGAIN.firstMs; ; waitMs = Math.min(AGAIN.mostMs, 2 * waitMs)) {
      const beganMs = performance.now();
      try {
        const result = await work();
        if (this.#isAway) this.#onAway(undefined);
        this.#isAway = false;
        this.#answeredMs = performance.now();
        return result;
      } catch (error) {
        if (!isAway(error) || this.#signal.aborted) throw error;
        // A lost connection or a deadlock is over with the next try. A try that began before the last answer says nothing of now.
        if (waitMs > AGAIN.firstMs && !this.#isAway && beganMs > this.#answeredMs) {
          this.#isAway = true;
          this.#onAway(reasonOf(error));
        }
        await systemClock.sleep(waitMs, this.#signal).catch(() => undefined);
      }
    }
  }

  /**
   * Ends all connections. One that is still in use is cut after a while, and so is one that the other side never closes, as after a network that swallowed
   * everything: each would keep the process alive for ever.
   */
  async close(): Promise<void> {
    const over = new AbortController();
    const late = systemClock.sleep(CLOSE_MS, over.signal).then(this.#cut, () => undefined);
    await Promise.race([this.pool.end(), late]).finally(() => over.abort());
    // The pool has said goodbye on each of them, and waits for no answer.
    setTimeout(this.#cut, CLOSE_MS).unref();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A statement of pg-boss may hold several, and then its result is that of the last with rows, as for its own connections. */
function queueOn(query: (text: string, values?: unknown[]) => Promise<pg.QueryResult>): Db {
  return { executeSql: (text, values) => query(text, values) };
}

/** Whether PostgreSQL is there and not ready: it starts, or repairs itself after a crash. */
function isStarting(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "57P03";
}

/** Whether an error means that PostgreSQL is away, or took nothing of the statement. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return isNotNow(error);
  const { code = "" } = error as NodeJS.ErrnoException;
  return /^E(?:CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)/.test(code) || LOST.test(error.message);
}

/** The messages of pg about a lost connection, which have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/i;

/** A refused connection to `localhost` is an error without a message. It holds two errors, one for each address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
  return untrustedReason(error) ?? (error instanceof Error ? error.message : String(error));
}
