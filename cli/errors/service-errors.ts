/** Explains in one line for a person why a service, or its database, can't be opened. The line contains no secret. */
import { UsageError } from "./exit-codes.ts";

/** The place that was to be opened. The database's address is in its printable form. */
export interface Place {
  readonly database: string;
  readonly host: string;
  readonly port: number;
  /** The option that names the database; default `--database`. */
  readonly option?: string;
}

const DATABASE = "--database";

function noPlace({ database, option = DATABASE }: Place): string {
  return `${database} is no place for a database. Name another with ${option}`;
}

/** The problem and the remedy, by the code of the system's error. */
const PROBLEMS: readonly { readonly code: string; readonly says: (place: Place) => string }[] = [
  {
    code: "EADDRINUSE",
    says: ({ host, port }) => `port ${port} of ${host} is taken. Name another with --port, or 0 for any free one`,
  },
  { code: "EACCES", says: ({ database, port }) => `no permission for port ${port} or for ${database}` },
  { code: "EADDRNOTAVAIL", says: ({ host }) => `${host} is no address of this machine. Name one with --host` },
  { code: "ENOTFOUND", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "EAI_AGAIN", says: ({ host }) => `there is no host ${host}. Name an address of this machine with --host` },
  { code: "ENOTDIR", says: noPlace },
  { code: "EEXIST", says: noPlace },
  { code: "EISDIR", says: noPlace },
  {
    code: "ERR_SQLITE_ERROR",
    says: ({ database, option = DATABASE }) =>
      `${database} is no database that can be used. Name another with ${option}`,
  },
];

/**
 * Messages that the service itself writes for people: a database that isn't ours or is from a newer logferry, a fault that can't be read.
 */
const SAID_BY_THE_SERVICE = /^Cannot (?:open|arm|read the address of the database)/;

/** Names of service errors that a person can mend. */
const WORDED: ReadonlySet<string> = new Set(["LoginTaken", "Refusal", "StoreUnavailable", "OutcomeUnknown"]);

/**
 * The error to throw for an error of the service while it opened.
 *
 * @param cannot the failed action: `Cannot serve`
 */
export function asUsageError(error: unknown, cannot: string, place: Place): unknown {
  if (!(error instanceof Error)) return error;
  const found = PROBLEMS.find(({ code }) => "code" in error && code === error.code);
  if (found !== undefined) return new UsageError(`${cannot}: ${found.says(place)}`, { cause: error });
  // A RangeError of the service names the bad value, and a Refusal names the field. Any other error is a bug and keeps its stack.
  const isAboutInput =
    (error.name === "RangeError" && /^(?:Cannot|There is) /.test(error.message)) || WORDED.has(error.name);
  return isAboutInput || SAID_BY_THE_SERVICE.test(error.message) ? new UsageError(error.message) : error;
}
