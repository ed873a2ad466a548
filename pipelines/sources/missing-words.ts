/** Finds out what a plan of sources would ask for: the unit of distances, or the order of dates, which a table doesn't say. */
import { statSync } from "node:fs";
import type { ReadContext } from "../../connectors/contract.ts";
import { TransferError } from "../../connectors/errors.ts";
import { readSource } from "./read-source.ts";
import { closeSources, openSources } from "./sources.ts";

/** What a person must say before all rows can be read. */
export interface MissingWords {
  readonly unit: boolean;
  readonly order: boolean;
  /** The time was over before everything was read. Absent where all of it was. */
  readonly isCut?: true;
}

/** The words that a person said so far. */
export type SaidWords = Pick<ReadContext, "distanceUnits" | "dateOrder">;

/** How long to look, and the clock, both in milliseconds. */
export interface LookLimits {
  readonly ms: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Tables: they are read first, the smallest before larger ones. A table of a hundred rows must not wait for an export of ten years. */
const TABLE = /\.(?:csv|tsv|txt|xlsx|ods)$/i;

function smallestFirst(paths: readonly string[]): readonly string[] {
  const sizes = new Map(
    paths.map((path) => [path, TABLE.test(path) ? (statSync(path, NO_ERROR)?.size ?? 0) : Number.POSITIVE_INFINITY]),
  );
  return paths.toSorted((a, b) => {
    const [ours = 0, theirs = 0] = [sizes.get(a), sizes.get(b)];
    return ours === theirs ? 0 : ours - theirs;
  });
}

const NO_ERROR = { throwIfNoEntry: false } as const;

/**
 * Reads sources until both were found, or until the time is over. Tables come first. Recordings of devices have neither, so they stay closed where a connector can spare it.
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
  for (const path of smallestFirst(paths)) {
    if (now() > end) return { ...missing, isCut: true };
    const sources = await openSources([path], undefined).catch(orNone);
    try {
      for (const { archive, connector } of sources) {
        const context = { signal, sports: new Map(), report: () => {}, wants: isTable, ...said };
        for await (const record of readSource({ archive, connector }, context)) {
          // The message of a rejected row names the option that lets it in. A plan shows the same one.
          const asks = record.kind === "set-aside" ? (record.issue.expected ?? "") : "";
          missing.unit ||= asks.includes("--distance-unit");
          missing.order ||= asks.includes("--date-order");
          if ((missing.unit && missing.order) || signal.aborted) return missing;
          if (now() > end) return { ...missing, isCut: true };
        }
      }
    } catch (error) {
      orNone(error);
    } finally {
      await closeSources(sources);
    }
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
