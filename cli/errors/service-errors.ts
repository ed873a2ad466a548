/** What keeps a service, or its database, from being opened: as one line for a person, without a secret in it. */
import { UsageError } from "./exit-codes.ts";

/** What was asked for. The database is as it may be shown. */
export interface Place {
  readonly database: string;
  readonly host: string;
  readonly port: number;
}

/** By the code of the system's error: what is wrong, and what to do about it. */
const PROBLEMS: readonly { readonly code: string; readonly says: (place: Place) => string }[] = [
  {
    code: "EADDRINUSE",
    says: ({ host, port }) => `port ${port} of ${host} is taken. Name another with --port, or 0 for any free one`,
  },
  { code: "EACCES", says: ({ database, port }) => `no permission for port ${port} or for ${database}` },
  { code: "EADDRNOTAVAIL", says: ({ host }) => `${host} is no address of this machine. Name one with --host` },
  { code: "ENOTFOUND", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "EAI_AGAIN", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "ENOTDIR", says: ({ database }) => `${database} is no place for a database. Name another with --database` },
  { code: "EEXIST", says: ({ database }) => `${database} is no place for a database. Name another with --database` },
  { code: "EISDIR", says: ({ database }) => `${database} is no place for a database. Name another with --database` },
  {
    code: "ERR_SQLITE_ERROR",
    says: ({ database }) => `${database} is no database that can be used. Name another with --database`,
  },
];

/** What the service words for people itself: a database that isn't ours or is a newer logferry's, a fault that can't be read. */
const SAID_BY_THE_SERVICE = /^Cannot (?:open|arm|read the address of the database)/;

/** Names of the service's errors that a person can do something about. */
const WORDED: ReadonlySet<string> = new Set(["LoginTaken", "Refusal", "StoreUnavailable", "OutcomeUnknown"]);

/**
 * The error to throw for one that a service met while it was opened.
 *
 * @param cannot what could not be done: `Cannot serve`
 */
export function asUsageError(error: unknown, cannot: string, place: Place): unknown {
  if (!(error instanceof Error)) return error;
  const found = PROBLEMS.find(({ code }) => "code" in error && code === error.code);
  if (found !== undefined) return new UsageError(`${cannot}: ${found.says(place)}`, { cause: error });
  // A RangeError of the service names what it was given; a Refusal the field. Whatever else is a bug keeps its stack.
  const isAboutInput =
    (error.name === "RangeError" && /^(?:Cannot|There is) /.test(error.message)) || WORDED.has(error.name);
  return isAboutInput || SAID_BY_THE_SERVICE.test(error.message) ? new UsageError(error.message) : error;
}
