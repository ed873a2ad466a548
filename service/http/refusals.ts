/**
 * Every way the service says no. "Non-zero values of `code` and the shape of error responses from data endpoints: not shown", and HTTP
 * statuses aren't shown either. This table decides all of them. An answer is `{code, message}`. `message` is our own extension. It names
 * the field or parameter to blame, and never holds a token.
 */

import { PROFILE_WITHOUT_GRANT_STATUS } from "../gaps.ts";
import { OutcomeUnknown, StoreUnavailable } from "./unavailable.ts";

/** One way of saying no. */
interface RefusalRow {
  readonly status: number;
  /** The envelope's `code`. Codes are stable: scripts may match on them. */
  readonly code: number;
  /** The published meaning. */
  readonly means: string;
}

/** HTTP status and envelope code of each refusal. */
export const REFUSALS = {
  "bad-request": { status: 400, code: 1, means: "the request itself can't be read: not JSON, not gzip, cut off" },
  "bad-parameter": { status: 400, code: 2, means: "a query parameter is missing, repeated or out of range" },
  "bad-field": {
    status: 400,
    code: 3,
    means: "a field of the body is missing, unknown, or of the wrong type or range",
  },
  "unknown-reference": { status: 400, code: 4, means: "an id in the body points at nothing of this user's" },
  "bad-file": { status: 400, code: 5, means: "the uploaded file can't be used" },
  unauthorized: { status: 401, code: 6, means: "no token, or not one of this service" },
  forbidden: { status: PROFILE_WITHOUT_GRANT_STATUS, code: 7, means: "the token doesn't reach this far" },
  "not-found": { status: 404, code: 8, means: "no such address, or no such record of this user's" },
  "bad-method": { status: 405, code: 9, means: "the address doesn't take this method" },
  "too-large": { status: 413, code: 10, means: "the body is larger than the operation takes, or unpacks to more" },
  unsupported: { status: 415, code: 11, means: "a media type or content encoding the operation doesn't take" },
  failed: { status: 500, code: 12, means: "a bug of the service" },
  unavailable: { status: 503, code: 13, means: "the database is busy or full" },
  "headers-too-large": { status: 431, code: 14, means: "the headers are longer than any request's" },
  "too-slow": { status: 408, code: 15, means: "the request didn't arrive in time" },
  misdirected: { status: 421, code: 16, means: "the request came to a private log by a name that is not its own" },
} as const satisfies Record<string, RefusalRow>;

/** Name of a refusal. */
export type RefusalName = keyof typeof REFUSALS;

/** Code below a route throws it. The error handler of `app.ts` turns it into an answer. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  /** Fastify reads the status of an answer from this member of the error. */
  readonly statusCode: number;

  /** @param message names the field or parameter first: `date: must be a day that exists, as YYYY-MM-DD` */
  constructor(refusal: RefusalName, message: string) {
    super(message);
    this.name = "Refusal";
    this.refusal = refusal;
    this.statusCode = REFUSALS[refusal].status;
  }
}

/** Fastify's own errors, by their codes, with our refusal for each. Any other error below 500 is a request that can't be read. */
const FASTIFY_ERRORS: Partial<Record<string, readonly [RefusalName, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["too-large", "body: larger than this operation takes"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported", "Content-Type: can't be read"],
};

/** Turns any thrown error into an answer. Errors of 500 and above belong in the log, because their answer's message tells nothing. */
export function asRefusal(
  error: Error & { readonly code?: string; readonly statusCode?: number | undefined },
): Refusal {
  if (error instanceof Refusal) return error;
  const known = FASTIFY_ERRORS[error.code ?? ""];
  if (known !== undefined) return new Refusal(...known);
  if (error instanceof StoreUnavailable) {
    return new Refusal("unavailable", "The log can't be written or read just now");
  }
  if (error instanceof OutcomeUnknown) {
    return new Refusal(
      "failed",
      "The database was lost while it wrote: this may be saved or not, so look before you resend",
    );
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new Refusal("bad-request", "The request can't be read");
  }
  return new Refusal("failed", "The service failed; this is a bug of it");
}

/** Foreign text (a parameter's name, an id) made safe for a message: printable and short. */
export function quoted(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  return JSON.stringify(printable.length > 60 ? `${printable.slice(0, 57)}...` : printable);
}
