/** What a log's service offers beyond the document, found out by asking: nothing is written. */
import { FILTERS_NOTHING_PASSES } from "../../transforms/assumptions.ts";
import { ItemError } from "../errors.ts";
import { getPage } from "./call.ts";
import type { Connection } from "./connection.ts";
import { decodeWorkout } from "./decode.ts";
import { ASSUMED_OPERATIONS } from "./operations.ts";

/** What was found out. Undefined where it can't be known: an empty log passes every filter. */
export interface Capabilities {
  /** How many workouts the log holds; undefined where it can't list them, or doesn't say. */
  readonly workouts: number | undefined;
  /** Whether the listing of workouts honours `filters`. */
  readonly filters: boolean | undefined;
}

/**
 * Finds out whether the listing of workouts honours `filters`: none may pass a filter that no workout can.
 *
 * @throws what `getPage` throws, of the listing without filters
 */
export async function readCapabilities(connection: Connection, signal: AbortSignal): Promise<Capabilities> {
  const operation = ASSUMED_OPERATIONS.listWorkouts;
  const all = await getPage(connection, operation, { limit: 1, offset: 0 }, decodeWorkout, signal);
  const workouts = all.numEntries;
  if (all.entries.length === 0) return { workouts, filters: undefined };
  const filters = JSON.stringify(FILTERS_NOTHING_PASSES);
  try {
    const none = await getPage(connection, operation, { limit: 1, offset: 0, filters }, decodeWorkout, signal);
    return { workouts, filters: none.entries.length === 0 };
  } catch (error) {
    // "A server that ignores a parameter" is one thing; one that refuses it has no filters either.
    if (error instanceof ItemError) return { workouts, filters: false };
    throw error;
  }
}
