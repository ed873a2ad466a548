/** The error for a listing that lacks records of the log. logferry makes no plan from such a listing. */
import { FatalError } from "../../connectors/errors.ts";
import type { Kind } from "../../transforms/model/item.ts";

/** The plural of each kind. */
export const SEVERAL: Readonly<Record<Kind, string>> = {
  workout: "workouts",
  equipment: "equipment",
  course: "courses",
};

/** The remedy for a cache that keeps answers of the log. */
export const PAST_THE_CACHE =
  "Ask the people who run the cache (a proxy, a delivery network) to keep no answers of the log. Or use an address of the log without a cache.";

/** The error for a listing that lacks a record, although the log has it. */
export function staleListing(kind: Kind, id: string): FatalError {
  return new FatalError(
    "plan/listing-stale",
    "service",
    `Cannot plan: the log's listing of ${SEVERAL[kind]} is out of date. It lacks ${id}, which the log has. Run the same command again in a minute. If it says the same, a cache between here and the log gives old answers. ${PAST_THE_CACHE}`,
  );
}
