/** Finds out what a log's service offers beyond the document. It only reads, and writes nothing. */
import { FILTERS_NOTHING_PASSES } from "../../transforms/assumptions.ts";
import { ItemError } from "../errors.ts";
import { getPage } from "./call.ts";
import type { Connection } from "./connection.ts";
import { decodeWorkout } from "./decode.ts";
import { ASSUMED_OPERATIONS } from "./operations.ts";

/** The findings. Undefined if the answers can't show it: an empty log gives no workouts under any filter. */
export interface Capabilities {
  /** Number of workouts in the log; undefined if the service can't list them or doesn't say. */
  readonly workouts: number | undefined;
  /** Whether the listing of workouts honours `filters`. */
  readonly filters: boolean | undefined;
}

/**
 * Finds out whether the listing of workouts honours `filters`, with a filter that no workout can pass.
 *
 * @throws the errors of `getPage` for the listing without filters
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
    // "A server that ignores a parameter" has no filters. A server that refuses the parameter has none either.
    if (error instanceof ItemError) return { workouts, filters: false };
    throw error;
  }
}
