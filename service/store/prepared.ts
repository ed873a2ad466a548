/**
 * Reads that PostgreSQL keeps ready on a connection, under a name: it parses them once, and plans them a few times. They are the reads that
 * `kept` marks, some ten for each connection. Planning a page of a listing takes longer than reading it.
 *
 * A pooler may give each transaction another connection, where the name is unknown. So only a connection that goes straight to its
 * server has names. The server tells each connection the number of its process. A pooler makes up numbers of its own.
 */
import pg from "pg";

/** The number of the process that serves this connection. */
export const BACKEND_PID = "SELECT pg_backend_pid() AS pid";

/** The names of a process's statements. The same text has the same name on every connection. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** The name of a statement. */
  nameOf(text: string): string {
    const name = this.#names.get(text) ?? `logferry_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}

/** SQLSTATE of a kept statement whose columns have changed since (0A000), and of a name that somebody took off the connection (26000). */
const OUTDATED: ReadonlySet<string | undefined> = new Set(["0A000", "26000"]);

/** Whether a statement failed because of its name alone. Without the name it can be asked again. */
export function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && OUTDATED.has(error.code);
}
