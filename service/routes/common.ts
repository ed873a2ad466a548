/** What several routes share: the slice of a listing, and the answer for a missing record. */

import { LISTING } from "../gaps.ts";
import { Refusal } from "../http/refusals.ts";
import { type Activity, activitiesOf, isBuiltIn } from "../model/activities.ts";
import type { LogStore } from "../store/log-store.ts";
import type { Slice } from "../store/slice.ts";

/** The refusal is the same for a record that doesn't exist and for another user's record. */
export function missing(what: string): Refusal {
  return new Refusal("not-found", `id: this user has no such ${what}`);
}

/** `limit` and `offset` of a listing, after their check. */
export function sliceOf(query: { readonly limit?: number; readonly offset?: number }): Slice {
  return { limit: query.limit ?? LISTING.default, offset: query.offset ?? 0 };
}

/** The activities that some records need. The user's own are read only for a record that has one of them. */
export async function activitiesFor(
  store: LogStore,
  userId: string,
  records: readonly { readonly activityID: number }[],
): Promise<readonly Activity[]> {
  const areBuiltIn = records.every(({ activityID }) => isBuiltIn(activityID));
  return activitiesOf(areBuiltIn ? [] : await store.activities(userId));
}
