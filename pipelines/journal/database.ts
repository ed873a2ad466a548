/**
 * The journal's file: it is opened, written and committed here, and SQLite's errors get a remedy. It uses a write-ahead log (WAL) and
 * `synchronous=FULL`. In WAL mode, SQLite's default does not sync a commit. But an intent must be on the disk before its request leaves. Writes of
 * open requests wait for the disk in file/wal.ts, so that the process goes on meanwhile.
 */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, statSync } from "node:fs";
import { DatabaseSync, type Session, type StatementSync } from "node:sqlite";
import { FatalError } from "../../connectors/errors.ts";
import { checkAndRemoveChecksum, damaged, writeChecksum } from "./file/checksum.ts";
import { asJournalError, replaced } from "./file/errors.ts";
import { WriteAheadLog } from "./file/wal.ts";
import type { Row } from "./rows.ts";
import { APPLICATION_ID, STEPS } from "./schema.ts";
import { type Sql, sql } from "./sql.ts";

/** Rows between two commits while planning. A killed plan is worth nothing, so only speed counts. */
const ROWS_PER_COMMIT = 2_000;

/**
 * Opens or makes the file (mode 0600), and brings its tables up to date.
 *
 * @param waitsForDisk whether each commit waits until the disk has it; if not, the disk has it when the file is closed
 * @throws FatalError reason `journal` when it is not a journal, is damaged, or was made by a newer logferry
 */
export function openJournalDatabase(path: string, waitsForDisk = true): JournalDatabase {
  try {
    const isNew = !existsSync(path);
    checkAndRemoveChecksum(path);
    const database = new DatabaseSync(path);
    try {
      prepare(database, path, isNew);
      if (!waitsForDisk) database.exec("PRAGMA synchronous = NORMAL");
    } catch (error) {
      database.close();
      throw error;
    }
    return new JournalDatabase(database, path, waitsForDisk ? new WriteAheadLog(`${path}-wal`) : undefined);
  } catch (error) {
    throw asJournalError(error, path);
  }
}

/**
 * Opens a file whose changes are kept elsewhere, and begins to record them. The file has no checksum, and its commits don't wait for the disk: it
 * is made anew when it is needed again.
 *
 * @throws as `openJournalDatabase`; FatalError `journal/cannot-record` when this Node's SQLite can't record
 */
export function openRecordedDatabase(path: string): JournalDatabase {
  // Older versions of SQLite record no row of a table with a generated column, which `line` has.
  if (!recordsRowsOf("(a INTEGER PRIMARY KEY, b INTEGER, c INTEGER GENERATED ALWAYS AS (-b) STORED) STRICT")) {
    throw new FatalError(
      "journal/cannot-record",
      "journal",
      `Cannot keep the journal in PostgreSQL: the SQLite of this Node (${process.version}) doesn't tell what it changes. Update Node.`,
    );
  }
  try {
    const database = new DatabaseSync(path);
    try {
      prepare(database, path, false);
      database.exec("PRAGMA synchronous = OFF");
      return new JournalDatabase(database).record();
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw asJournalError(error, path);
  }
}

/** Whether SQLite records the rows of such a table. @param table its columns, `a` and `b` among them, and what else CREATE TABLE says */
export function recordsRowsOf(table: string): boolean {
  const database = new DatabaseSync(":memory:");
  try {
    database.exec(`CREATE TABLE probe ${table}`);
    const session = database.createSession();
    database.exec("INSERT INTO probe (a, b) VALUES (1, 2)");
    return session.changeset().length > 0;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/**
 * Opens the file to read it, while another process may be writing it. The reader sees the file as it was when it was opened.
 *
 * @returns undefined when the tables are from an older logferry; only `openJournalDatabase` updates them
 * @throws as `openJournalDatabase`
 */
export function openJournalDatabaseToRead(path: string): JournalDatabase | undefined {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      database.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -1000; BEGIN");
      if (versionOf(database, path) === STEPS.length) return new JournalDatabase(database);
    } catch (error) {
      database.close();
      throw error;
    }
    database.close();
    return undefined;
  } catch (error) {
    throw asJournalError(error, path);
  }
}

function prepare(database: DatabaseSync, path: string, isNew: boolean): void {
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -1000;",
  );
  // This takes a tenth of a second with a hundred thousand workouts.
  const { quick_check: found } = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
  if (found !== "ok") throw damaged(path, { cause: found });
  // A process that was killed at its first write leaves an empty database, without its application id.
  if (isNew || isEmpty(database)) {
    chmodSync(path, 0o600);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  const missing = STEPS.slice(versionOf(database, path));
  if (missing.length === 0) return;
  // All steps go into one commit, because each commit waits for the disk.
  database.exec(`BEGIN IMMEDIATE; ${missing.join(";\n")}; PRAGMA user_version = ${STEPS.length}; COMMIT;`);
}

/**
 * The number of steps that the tables have been through.
 *
 * @throws FatalError when the file is no journal, or from a newer logferry
 */
function versionOf(database: DatabaseSync, path: string): number {
  const { application_id: id } = database.prepare("PRAGMA application_id").get() as { application_id: number };
  if (id !== APPLICATION_ID) {
    throw new FatalError(
      "journal/not-a-journal",
      "journal",
      `Cannot open ${path}: it is a database, but not a journal of logferry.`,
    );
  }
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > STEPS.length) {
    throw new FatalError(
      "journal/newer",
      "journal",
      `Cannot open ${path}: it was made by a newer logferry. Update logferry.`,
    );
  }
  return version;
}

function isEmpty(database: DatabaseSync): boolean {
  const { marked } = database
    .prepare(
      "SELECT application_id <> 0 OR user_version <> 0 OR (SELECT count(*) FROM sqlite_schema) > 0 AS marked FROM pragma_application_id, pragma_user_version",
    )
    .get() as { marked: number };
  return marked === 0;
}

/** Runs statements on the journal's file. Each known error of the file becomes a FatalError with a remedy. */
export class JournalDatabase {
  readonly #database: DatabaseSync;
  /** Undefined when the file is only read. */
  readonly #path: string | undefined;
  readonly #log: WriteAheadLog | undefined;
  /** The inodes of the file and of its write-ahead log, when they were first seen. */
  readonly #files = new Map<string, number>();
  readonly #statements = new Map<string, StatementSync>();
  #uncommitted = 0;
  #isHeld = false;
  /** Records the changes since they were last taken. */
  #session: Session | undefined;

  /**
   * @param path the path of the file, if it is written
   * @param log its write-ahead log, if commits wait until the disk has it
   */
  constructor(database: DatabaseSync, path?: string, log?: WriteAheadLog) {
    this.#database = database;
    this.#path = path;
    this.#log = log;
    if (path !== undefined) this.checkFile();
  }

  /**
   * Checks that the open file is still the file at the journal's path. If somebody deleted or replaced it, this process would write to a
   * file that can't be found again.
   *
   * @throws FatalError `journal/replaced`
   */
  checkFile(): void {
    if (this.#path === undefined) return;
    for (const file of [this.#path, `${this.#path}-wal`]) {
      const inode = statSync(file, { throwIfNoEntry: false })?.ino;
      const known = this.#files.get(file);
      if (inode !== undefined && known === undefined) this.#files.set(file, inode);
      else if (inode !== known) throw replaced(this.#path, file);
    }
  }

  /** Adds the next statement to a chunk of ROWS_PER_COMMIT rows that are committed together. */
  beginChunk(): void {
    if (this.#isHeld) return;
    if (this.#uncommitted === 0) this.#guard(() => this.#database.exec("BEGIN"));
    if (++this.#uncommitted > ROWS_PER_COMMIT) {
      this.commit();
      this.beginChunk();
    }
  }

  /** Ends the open chunk of planning, if there is one. Its rows are durable then. */
  commit(): void {
    if (this.#isHeld || this.#uncommitted === 0) return;
    this.#uncommitted = 0;
    this.#guard(() => this.#database.exec("COMMIT"));
  }

  /** Runs everything in the body or nothing. It is durable when this returns. */
  transaction(body: () => void): void {
    this.#guard(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        body();
        this.#database.exec("COMMIT");
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /**
   * Runs everything in the body or nothing. The body has run when this returns.
   *
   * @returns settles when it is durable, and rejects when the disk reports an error then
   * @throws at once, when the body or the commit fails
   */
  transactionSoon(body: () => void): Promise<void> {
    if (this.#log === undefined) {
      this.transaction(body);
      return Promise.resolve();
    }
    // All other commits wait for the disk themselves.
    this.exec("PRAGMA synchronous = NORMAL");
    try {
      this.transaction(body);
    } finally {
      this.exec("PRAGMA synchronous = FULL");
    }
    return this.#log.sync().catch((error: unknown) => {
      throw asJournalError(error, "the journal");
    });
  }

  /** Does everything of a longer body, or nothing. It is durable when this settles. Nothing else may write meanwhile. */
  async atomically(body: () => Promise<void>): Promise<void> {
    this.commit();
    this.exec("BEGIN IMMEDIATE");
    this.#isHeld = true;
    try {
      await body();
      this.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    } finally {
      this.#isHeld = false;
    }
  }

  /** Whether a transaction is open. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Whether everything waits for the end of `atomically`. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Begins to record changes, for `takeChanges`. It must come before the first statement: SQLite empties a whole table without telling a recorder
   * that began after the statement was prepared.
   */
  record(): this {
    this.#session = this.#database.createSession();
    return this;
  }

  /**
   * Commits the open chunk, and takes the changes since the last call.
   *
   * @returns SQLite's changeset (https://sqlite.org/session.html); undefined when nothing has changed
   * @throws Error during `atomically`, when the changes are not decided yet
   */
  takeChanges(): Uint8Array | undefined {
    const before = this.#session;
    if (before === undefined || this.#isHeld) throw new Error("Cannot take the changes of the journal now");
    this.commit();
    return this.#guard(() => {
      const changes = before.changeset();
      // The next recorder begins first, so that there is one at any moment.
      this.#session = this.#database.createSession();
      before.close();
      return changes.length === 0 ? undefined : changes;
    });
  }

  /** Writes a copy of everything committed to a file that doesn't exist yet. It checks the copy. @throws FatalError when the copy is damaged */
  copyTo(path: string): void {
    this.commit();
    this.run(sql`VACUUM INTO ${path}`);
    const copy = new DatabaseSync(path, { readOnly: true });
    try {
      const { quick_check: found } = copy.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
      if (found !== "ok") throw damaged(path, { cause: found });
    } finally {
      copy.close();
    }
  }

  /** Runs a statement that gives no rows. */
  run({ text, values }: Sql): void {
    this.#guard(() => this.#statement(text).run(...values));
  }

  /** The first row, if any. */
  get({ text, values }: Sql): Row | undefined {
    return this.#guard(() => this.#statement(text).get(...values)) as Row | undefined;
  }

  /** Every row. */
  all({ text, values }: Sql): Row[] {
    return this.#guard(() => this.#statement(text).all(...values)) as Row[];
  }

  /** Runs statements without results. The statements are not kept for later calls. */
  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  /** Waits until nothing is on its way to the disk. */
  async settle(): Promise<void> {
    await this.#log?.close();
  }

  /** Commits, closes, and writes the checksum. After `transactionSoon`, `settle` comes first. */
  close(): void {
    try {
      this.commit();
      const mark = this.#path === undefined ? undefined : this.#mark();
      this.#database.close();
      if (this.#path !== undefined && mark !== undefined) writeChecksum(this.#path, mark);
    } finally {
      if (this.#database.isOpen) this.#database.close();
    }
  }

  /**
   * Sets a mark for the checksum, and moves everything into the file. It is undefined when that fails, because the disk is full or somebody
   * is still reading.
   */
  #mark(): string | undefined {
    const mark = randomUUID();
    try {
      this.checkFile();
      this.run(sql`UPDATE seal SET mark = ${mark}`);
      // This doesn't wait for a process that is reading the journal now. The journal then gets no checksum this time.
      this.exec("PRAGMA busy_timeout = 0");
      return this.get(sql`PRAGMA wal_checkpoint(TRUNCATE)`)?.busy === 0 ? mark : undefined;
    } catch (error) {
      if (error instanceof FatalError) return undefined;
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw asJournalError(error, "the journal");
    }
  }
}
