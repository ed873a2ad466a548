/** What several routes share: the slice of a listing, and the answer for a missing record. */
import { LISTING } from "../gaps.ts";
import { Refusal } from "../http/refusals.ts";
import type { Slice } from "../store/slice.ts";

/** The refusal is the same for a record that doesn't exist and for another user's record. */
export function missing(what: string): Refusal {
  return new Refusal("not-found", `id: this user has no such ${what}`);
}

/** `limit` and `offset` of a listing, after their check. */
export function sliceOf(query: { readonly limit?: number; readonly offset?: number }): Slice {
  return { limit: query.limit ?? LISTING.default, offset: query.offset ?? 0 };
}
