/**
 * A database as the stores need it. Two are behind it: SQLite and PostgreSQL. Statements keep to what both understand, with `?` for
 * each value; what an operation must do all or nothing runs in a transaction.
 */

/** What can be bound, and what comes back: text, a number, bytes or nothing. */
export type Value = string | number | Uint8Array | null;

/** One row, by column. */
export type Row = Record<string, unknown>;

/** @throws StoreUnavailable from any call when the database is busy, full or out of reach; whatever else is thrown is a bug */
export interface Queries {
  /** The first row. */
  get(sql: string, ...values: Value[]): Promise<Row | undefined>;
  all(sql: string, ...values: Value[]): Promise<Row[]>;
  /** @returns the number of rows changed */
  run(sql: string, ...values: Value[]): Promise<number>;
}

/** An open database, its schema up to date. A write that has resolved survives a kill of the process and of the machine. */
export interface Database extends Queries {
  /** Commits what `body` did when it resolves, and undoes it when it throws. Inside, only the queries it is given may be used. */
  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  /** Frees what is open; no call may follow. Safe to call twice. */
  close(): Promise<void>;
}

/** The database is busy, full or out of reach just now: nothing is wrong with the request, and it did not act. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
