/** Finds out what a plan of sources would ask for: the unit of distances, or the order of dates, which a table doesn't say. */
import type { ReadContext } from "../../connectors/contract.ts";
import { TransferError } from "../../connectors/errors.ts";
import { readSource } from "./read-source.ts";
import { closeSources, openSources } from "./sources.ts";

/** What a person must say before all rows can be read. */
export interface MissingWords {
  readonly unit: boolean;
  readonly order: boolean;
}

/** The words that a person said so far. */
export type SaidWords = Pick<ReadContext, "distanceUnits" | "dateOrder">;

/** How long to look, and the clock, both in milliseconds. */
export interface LookLimits {
  readonly ms: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * Reads sources until both were found, or until the time is over. Recordings of devices have neither, so they stay closed where a connector can spare it.
 *
 * @returns that nothing is missing where a source can't be read: its reader says why
 */
export async function findMissingWords(
  paths: readonly string[],
  said: SaidWords,
  { ms, now, signal }: LookLimits,
): Promise<MissingWords> {
  const end = now() + ms;
  const missing = { unit: false, order: false };
  const sources = await openSources(paths, undefined).catch(orNone);
  try {
    for (const { archive, connector } of sources) {
      const context = { signal, sports: new Map(), report: () => {}, wants: isTable, ...said };
      for await (const record of readSource({ archive, connector }, context)) {
        // The message of a rejected row names the option that lets it in. A plan shows the same one.
        const asks = record.kind === "set-aside" ? (record.issue.expected ?? "") : "";
        missing.unit ||= asks.includes("--distance-unit");
        missing.order ||= asks.includes("--date-order");
        if ((missing.unit && missing.order) || now() > end || signal.aborted) return missing;
      }
    }
  } catch (error) {
    orNone(error);
  } finally {
    await closeSources(sources);
  }
  return missing;
}

function isTable({ entry }: { readonly entry: string }): boolean {
  return !/\.(?:fit|gpx|tcx)(?:\.gz)?$/i.test(entry);
}

function orNone(error: unknown): [] {
  if (error instanceof TransferError) return [];
  throw error;
}
