/**
 * The database that the stores need. There are two implementations: SQLite and PostgreSQL. Statements use only SQL that both understand,
 * with `?` for each value. An all-or-nothing operation runs in a transaction. `service/test/laws/` tests both against the comments here.
 */
import type { Sql, Value } from "./sql.ts";

export type { Value };

/** One row, by column. */
export type Row = Record<string, unknown>;

/** A statement: made by `sql` with its values, or a text whose values follow. */
export type Statement = string | Sql;

/**
 * @throws StoreUnavailable from any call when the database is busy, full or out of reach
 * @throws OutcomeUnknown from a write whose confirmation was lost. Any other error is a bug
 */
export interface Queries {
  /** The first row. */
  get(sql: Statement, ...values: readonly Value[]): Promise<Row | undefined>;
  all(sql: Statement, ...values: readonly Value[]): Promise<Row[]>;
  /** @returns the number of rows changed */
  run(sql: Statement, ...values: readonly Value[]): Promise<number>;
}

/** An open database, its schema up to date. A write that has resolved survives a kill of the process and of the machine. */
export interface Database extends Queries {
  /**
   * Commits the work of `body` when it resolves, and undoes it when it throws. Inside, only the given queries may be used. A failed query
   * ends the transaction: it can't be committed any more. Others see the work only after the commit. When two transactions change the
   * same row, the second waits, and then sees the first one's change.
   */
  transaction<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  /** Reads of one moment: all queries of `body` see the same state, whatever others write meanwhile. Inside, only the given queries may be used. */
  snapshot<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  /** A transaction during which nobody else writes. It waits for those who do. */
  exclusively<T>(body: (queries: Queries) => Promise<T>): Promise<T>;
  /** Closes the database. No other call may follow. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Runs the body of a transaction between its begin and its end, for both databases. Once a query has failed, or the body is over, every
 * further query fails.
 * @throws the error of the body, or of a failed query that the body caught. Undo in both cases
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
