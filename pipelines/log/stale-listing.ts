/** A listing that lacks what is there: no plan is made from it. */
import { FatalError } from "../../connectors/errors.ts";
import type { Kind } from "../../transforms/model/item.ts";

/** Several of a kind, in words. */
export const SEVERAL: Readonly<Record<Kind, string>> = {
  workout: "workouts",
  equipment: "equipment",
  course: "courses",
};

/** What to do about a cache. */
export const PAST_THE_CACHE =
  "Ask the people who run the cache (a proxy, a delivery network) to keep no answers of the log. Or use an address of the log without a cache.";

/** The error for a listing that lacks a record which the log has. */
export function staleListing(kind: Kind, id: string): FatalError {
  return new FatalError(
    "plan/listing-stale",
    "service",
    `Cannot plan: the log's listing of ${SEVERAL[kind]} is out of date. It lacks ${id}, which the log has. Run the same command again in a minute. If it says the same, a cache between here and the log gives old answers. ${PAST_THE_CACHE}`,
  );
}
