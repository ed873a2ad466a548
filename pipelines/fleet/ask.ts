/** Asks PostgreSQL one statement. A statement is all there is to a round trip, so it works behind a pooler of transactions. */
import type pg from "pg";
import { FatalError } from "../../connectors/errors.ts";

/** A connection, or a pool of them. */
export type Asked = Pick<pg.Pool | pg.ClientBase, "query">;

/** PostgreSQL doesn't answer now, or can't do it now. What was asked may have happened. It is asked again. */
export class Unreachable extends Error {}

/** A row of an answer. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** After this many milliseconds without an answer, the connection counts as lost. */
export const ANSWER_MS = 30_000;

/**
 * Asks one statement.
 *
 * @param values for `$1`, `$2` and so on
 * @throws Unreachable when it should be asked again; FatalError `journal/database`, reason `journal`, when PostgreSQL refuses it
 */
export async function ask(
  asked: Asked,
  text: string,
  values: readonly unknown[] = [],
  withinMs = ANSWER_MS,
): Promise<readonly AnswerRow[]> {
  try {
    // pg knows this limit, and its types don't.
    const limit = { query_timeout: withinMs };
    const { rows } = await asked.query<AnswerRow & pg.QueryResultRow>({ text, values: [...values], ...limit });
    return rows;
  } catch (error) {
    throw asAnswer(error);
  }
}

/**
 * Classes of SQLSTATE that mean "not now": connection (08), transaction state (25: read-only, too long idle), sign-in (28: the address worked at the first
 * contact, so a password was changed, or a standby takes over), rolled back (40: deadlock), resources (53: connections, disk, memory), lock (55),
 * operator (57: starting, shutting down, timeout), system (58: disk).
 */
const NOT_NOW: ReadonlySet<string> = new Set(["08", "25", "28", "40", "53", "55", "57", "58"]);

/**
 * Whether an error of PostgreSQL means that it takes the same later: by its SQLSTATE, or because it ended the connection. It does the latter to a role that
 * may not connect for now, with the code of any other missing right.
 */
export function isNotNow(error: { readonly code?: unknown; readonly severity?: unknown }): boolean {
  return error.severity === "FATAL" || (typeof error.code === "string" && NOT_NOW.has(error.code.slice(0, 2)));
}

/** What an error of pg means. An error without an SQLSTATE is one of the connection. */
export function asAnswer(error: unknown): Unreachable | FatalError {
  const code = stateOf(error);
  const reason = reasonOf(error);
  if (code === undefined || isNotNow(error as object)) return new Unreachable(reason, { cause: error });
  return refusal(reason, code);
}

/** The same error at the first contact: then the address or the password is wrong, and no wait makes it right. */
export function atFirstContact(error: unknown): unknown {
  const code = error instanceof Unreachable ? stateOf(error.cause) : undefined;
  return code?.startsWith("28") ? refusal(reasonOf(error), code) : error;
}

function refusal(reason: string, code: string): FatalError {
  const said = `Cannot use the journal in PostgreSQL: ${reason} (${code}). Check the address and the role's rights.`;
  return new FatalError("journal/database", "journal", said);
}

function stateOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && "severity" in (error as object) ? code : undefined;
}

/** A refused connection to `localhost` is an error without a message. It holds two errors, one for each address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
