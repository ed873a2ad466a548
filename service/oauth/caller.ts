/**
 * Finds the caller of a request. "All data endpoints take the query parameter `access_token`". Every other way in is refused, and so are
 * two ways at once (RFC 6750 section 2). Only hashes are compared, in constant time.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { hashOf, TOKEN_LENGTH } from "../http/ids.ts";
import { type Query, refuseRepeated } from "../http/parameters.ts";
import { Refusal } from "../http/refusals.ts";
import type { LogStore } from "../store/log-store.ts";
import type { Caller } from "../store/store.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller. The service sets it on every request below `/rest` before it checks anything else. */
    caller: Caller;
  }
}

/** The header of the answer to a refused token (RFC 6750 section 3). */
export const CHALLENGE = 'Bearer realm="training log", error="invalid_token"';

/**
 * The caller of a request.
 *
 * @throws Refusal `bad-parameter` for a repeated parameter, `bad-request` for two ways in at once, `unauthorized` for no
 * token or an unknown one
 */
export async function callerOf(request: FastifyRequest, store: LogStore): Promise<Caller> {
  const query = request.query as Query;
  refuseRepeated(query);
  const token = query.access_token;
  if (token !== undefined && request.headers.authorization !== undefined) {
    throw new Refusal("bad-request", "access_token: a token in the query and an Authorization header at once");
  }
  if (typeof token !== "string" || token === "") throw new Refusal("unauthorized", "access_token: is required");
  const hash = token.length > TOKEN_LENGTH ? undefined : hashOf(token);
  const record = hash === undefined ? undefined : await store.token(hash);
  if (hash === undefined || record === undefined || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash)))
    throw new Refusal("unauthorized", "access_token: not a token of this service");
  return record;
}
