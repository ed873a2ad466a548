/**
 * Every way the service says no. "Non-zero values of `code` and the shape of error responses from data endpoints: not
 * shown", and so are HTTP statuses: this table decides all of them. An answer is `{code, message}`; `message` is an
 * extension of ours that names the field or parameter to blame, and never holds a token.
 */

import { PROFILE_WITHOUT_GRANT_STATUS } from "./gaps.ts";

/** HTTP status and envelope code of each refusal. Codes are stable: scripts may match on them. */
export const REFUSALS = {
  /** The request itself can't be read: not JSON, not gzip, cut off. */
  "bad-request": { status: 400, code: 1 },
  /** A query parameter is missing, repeated or out of range. */
  "bad-parameter": { status: 400, code: 2 },
  /** A field of the body is missing, unknown, or of the wrong type or range. */
  "bad-field": { status: 400, code: 3 },
  /** An id in the body points at nothing of this user's. */
  "unknown-reference": { status: 400, code: 4 },
  /** The uploaded file can't be used. */
  "bad-file": { status: 400, code: 5 },
  /** No token, or not one of ours. */
  unauthorized: { status: 401, code: 6 },
  /** The token doesn't reach this far. */
  forbidden: { status: PROFILE_WITHOUT_GRANT_STATUS, code: 7 },
  /** No such address, or no such record of this user's. */
  "not-found": { status: 404, code: 8 },
  "bad-method": { status: 405, code: 9 },
  "too-large": { status: 413, code: 10 },
  /** A media type or content encoding the operation doesn't take. */
  unsupported: { status: 415, code: 11 },
  /** A bug of the service. */
  failed: { status: 500, code: 12 },
  /** The database is busy or full. */
  unavailable: { status: 503, code: 13 },
} as const;

/** Name of a refusal. */
export type RefusalName = keyof typeof REFUSALS;

/** Thrown anywhere below a route; the error handler of `app.ts` turns it into an answer. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  /** Read by fastify, which takes the status of an answer from the error. */
  readonly statusCode: number;

  /** @param message names the field or parameter first: `date: must be a day that exists, as YYYY-MM-DD` */
  constructor(refusal: RefusalName, message: string) {
    super(message);
    this.name = "Refusal";
    this.refusal = refusal;
    this.statusCode = REFUSALS[refusal].status;
  }
}

/** Foreign text (a parameter's name, an id) as it may stand in a message: printable and short. */
export function quoted(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  return JSON.stringify(printable.length > 60 ? `${printable.slice(0, 57)}...` : printable);
}
