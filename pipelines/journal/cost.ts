/**
 * What a plan costs: how many requests each of its operations takes, from the one table that the loader goes by too.
 */
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { JournalReader } from "./journal.ts";
import type { Ledger } from "./summary.ts";

/** Requests to open the log for a run: the preference and the user. */
export const REQUESTS_TO_OPEN = 2;

/** Requests to make a record from its body. */
export const REQUESTS_TO_SAVE = 1;

/** Requests to write over a record: it is read first, so that an edit somebody made there stays. */
export const REQUESTS_TO_OVERWRITE = 2;

/** Requests to put a line on a course. */
export const REQUESTS_TO_MAP = 1;

/** Requests to import a device file and write over each of the workouts it makes; where it makes several, the reading tells them apart. */
export function requestsToImport(workouts: number): number {
  return 1 + workouts * REQUESTS_TO_OVERWRITE;
}

/** Requests to list so many records: a page holds `LISTING_LIMIT`, and what comes after a full one has to be looked at. */
export function requestsToList(records: number): number {
  return Math.floor(records / LISTING_LIMIT) + 1;
}

/** Operations of one sort that are planned and not done. */
export interface PlannedOperations {
  readonly kind: Kind;
  /** A file to import with so many workouts, or one record to save or to write over. */
  readonly does: "import" | "save" | "overwrite";
  /** Of an import: the workouts in the file. Of the others 1. */
  readonly workouts: number;
  /** Whether a line is put on the course too. */
  readonly isMapped: boolean;
  readonly count: number;
}

/** When the run is carried out: right after it was planned, or by a command of its own, which opens the log and looks at it again. */
export type When = "now" | "later";

/** What is still to be sent for a run. */
export interface Cost {
  /** All of it. */
  readonly requests: number;
  /** Files to import, records to save, records to write over, courses to put a line on. */
  readonly imports: number;
  readonly saves: number;
  readonly overwrites: number;
  readonly maps: number;
  /** Requests to open the log and to list it. */
  readonly looks: number;
}

/** The cost of what is planned in a run and not done, when nothing goes wrong and nothing was edited meanwhile. */
export async function costOf(journal: JournalReader, run: number, when: When): Promise<Cost> {
  const operations = await journal.plannedOperations(run);
  const countOf = (does: PlannedOperations["does"]) =>
    operations.reduce((sum, one) => sum + (one.does === does ? one.count : 0), 0);
  let looks = 0;
  if (when === "later" && operations.length > 0) {
    looks += REQUESTS_TO_OPEN;
    // Only where something is to be made: what a plan assumed of the others is seen when they are read.
    const made = new Set(operations.filter(({ does }) => does !== "overwrite").map(({ kind }) => kind));
    for (const kind of made) looks += requestsToList(await journal.logSize(kind));
  }
  return {
    requests: operations.reduce((sum, one) => sum + one.count * requestsOf(one), looks),
    imports: countOf("import"),
    saves: countOf("save"),
    overwrites: countOf("overwrite"),
    maps: operations.reduce((sum, one) => sum + (one.isMapped ? one.count : 0), 0),
    looks,
  };
}

/** Requests to read a run back once it is carried out: the log is listed, and each record that is in it by the run, or was there, is read. */
export async function requestsToReadBack(
  journal: JournalReader,
  { left, unchanged }: Pick<Ledger, "left" | "unchanged">,
): Promise<number> {
  return left + unchanged + requestsToList((await journal.logSize("workout")) + left);
}

function requestsOf({ does, workouts, isMapped }: PlannedOperations): number {
  const own = {
    import: requestsToImport(workouts),
    save: REQUESTS_TO_SAVE,
    overwrite: REQUESTS_TO_OVERWRITE,
  }[does];
  return own + (isMapped ? REQUESTS_TO_MAP : 0);
}
