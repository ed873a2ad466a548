/**
 * A database as the stores need it. Two are behind it: SQLite and PostgreSQL. Statements keep to what both understand, with `?` for
 * each value; what an operation must do all or nothing runs in a transaction. `service/test/laws/` holds both to what is
 * written here.
 */

/**
 * What can be bound, and what comes back: text, a number, bytes or nothing. Any string comes back as it was, NUL and half a surrogate
 * pair included, and any finite number. Text compares by code point. True is 1, as SQLite has it.
 */
export type Value = string | number | Uint8Array | null;

/** One row, by column. */
export type Row = Record<string, unknown>;

/**
 * @throws StoreUnavailable from any call when the database is busy, full or out of reach
 * @throws OutcomeUnknown from a write whose confirmation was lost; whatever else is thrown is a bug
 */
export interface Queries {
  /** The first row. */
  get(sql: string, ...values: Value[]): Promise<Row | undefined>;
  all(sql: string, ...values: Value[]): Promise<Row[]>;
  /** @returns the number of rows changed */
  run(sql: string, ...values: Value[]): Promise<number>;
}

/** An open database, its schema up to date. A write that has resolved survives a kill of the process and of the machine. */
export interface Database extends Queries {
  /**
   * Commits what `body` did when it resolves, and undoes it when it throws. Inside, only the queries it is given may be used, and a
   * query that failed is the end of it: the transaction can't be committed any more. Nobody sees what it did before it is committed;
   * of two that change the same row the second waits, and then goes on with what the first left there.
   */
  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  /** Frees what is open; no call may follow. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Runs the body of a transaction between its begin and its end, whichever the database: once a query has failed, or the body is over,
 * no query works any more.
 *
 * @throws whatever the body throws, or the failure of a query that the body caught; undo in both cases
 */
export async function bodyOf<T>(queries: Queries, body: (queries: Queries) => Promise<T>): Promise<T> {
  let end: unknown;
  const within = async <R>(query: () => Promise<R>): Promise<R> => {
    if (end !== undefined) throw end;
    try {
      return await query();
    } catch (error) {
      end ??= error;
      throw error;
    }
  };
  const result = await body({
    get: (sql, ...values) => within(() => queries.get(sql, ...values)),
    all: (sql, ...values) => within(() => queries.all(sql, ...values)),
    run: (sql, ...values) => within(() => queries.run(sql, ...values)),
  }).finally(() => {
    end ??= OVER;
  });
  if (end !== OVER) throw end;
  return result;
}

const OVER = new Error("Cannot ask the database: the transaction is over");
