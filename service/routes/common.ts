/** What several routes share: the id in a path, the slice of a listing, and the answer for what isn't there. */
import { LISTING } from "../gaps.ts";
import { integerParameter, type Query } from "../parameters.ts";
import { Refusal } from "../refusals.ts";
import type { Slice } from "../store/store.ts";

/** A route with `:id` in its path. */
export interface OfId {
  Params: { id: string };
}

/** The same for a record that doesn't exist and for one of somebody else's. */
export function missing(what: string): Refusal {
  return new Refusal("not-found", `id: this user has no such ${what}`);
}

/**
 * `limit` and `offset` of a listing. Parameters nobody told us of are left alone (`UNKNOWN_PARAMETERS_ARE_IGNORED`).
 *
 * @throws Refusal `bad-parameter` outside their ranges, see `LIMIT_OUTSIDE_IS_REFUSED`
 */
export function sliceOf(query: Query): Slice {
  return {
    limit: integerParameter(query, "limit", LISTING),
    offset: integerParameter(query, "offset", { minimum: 0, maximum: 2 ** 31 - 1, default: 0 }),
  };
}
