/** The cost of a plan in requests, by operation. The loader uses the same numbers. */
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { LOADING_ORDER } from "../../transforms/model/item.ts";
import type { JournalReader } from "./journal.ts";
import type { LineState } from "./line.ts";
import type { PlannedOperations } from "./run.ts";
import type { Ledger } from "./summary.ts";

/** Requests to open the log for a run: the preference and the user. */
export const REQUESTS_TO_OPEN = 2;

/** Requests to create a record from its body. */
export const REQUESTS_TO_SAVE = 1;

/** Requests to overwrite a record. logferry reads it first, so that it keeps another person's edits. */
export const REQUESTS_TO_OVERWRITE = 2;

/** Requests to add the line on the map to a course. */
export const REQUESTS_TO_MAP = 1;

/**
 * Requests to import a device file and overwrite each workout that the import made. If it made several, logferry distinguishes them by
 * reading them.
 */
export function requestsToImport(workouts: number): number {
  return 1 + workouts * REQUESTS_TO_OVERWRITE;
}

/** Requests to list this number of records. A page holds `LISTING_LIMIT` records, and after a full page comes one more request. */
export function requestsToList(records: number): number {
  return Math.floor(records / LISTING_LIMIT) + 1;
}

/** After a run, the log is listed as a whole if this takes at most so many requests, or at most as many as the run. */
const CHEAP_LOOK = 10;

/**
 * Requests to look at the workouts again after a run. Usually the log is listed as a whole. If that takes more requests than the run did,
 * only the count of workouts is requested.
 *
 * @param size the number of workouts in the log after the run
 */
export function requestsToLookBack(size: number, made: number): number {
  const whole = requestsToList(size);
  return whole > Math.max(CHEAP_LOOK, made) ? 1 : whole;
}

/** The time of the run: right after its plan, or with a separate command, which opens the log and looks at it again. */
export type When = "now" | "later";

/** The requests that a run still has to send. */
export interface Cost {
  /** The total. */
  readonly requests: number;
  /** The number of files to import, records to save, records to overwrite, and courses that get a line on the map. */
  readonly imports: number;
  readonly saves: number;
  readonly overwrites: number;
  readonly maps: number;
  /** Requests to open the log and to list it, before the run and after it. */
  readonly looks: number;
}

/** The cost of the open operations of a run. It assumes that nothing goes wrong, and that nobody edits a record meanwhile. */
export async function costOf(journal: JournalReader, run: number, when: When): Promise<Cost> {
  const operations = await journal.plannedOperations(run);
  const countOf = (does: PlannedOperations["does"]) =>
    operations.reduce((sum, one) => sum + (one.does === does ? one.count : 0), 0);
  let looks = 0;
  if (when === "later" && operations.length > 0) {
    looks += REQUESTS_TO_OPEN;
    // Only kinds with new records are listed. Overwritten records are read anyway, and this shows whether they changed since the plan.
    const made = new Set(operations.filter(({ does }) => does !== "overwrite").map(({ kind }) => kind));
    for (const kind of made) looks += requestsToList(await journal.logSize(kind));
  }
  if (operations.length > 0) looks += await requestsToLookBackAt(journal, run, operations);
  return {
    requests: operations.reduce((sum, one) => sum + one.count * requestsOf(one), looks),
    imports: countOf("import"),
    saves: countOf("save"),
    overwrites: countOf("overwrite"),
    maps: operations.reduce((sum, one) => sum + (one.isMapped ? one.count : 0), 0),
    looks,
  };
}

/** Requests of the open record of a run that takes the most; 0 without any. A device file counts with all of its workouts. */
export async function largestOperation(journal: JournalReader, run: number): Promise<number> {
  return Math.max(0, ...(await journal.plannedOperations(run)).map(requestsOf));
}

/** Requests for the look after a run. It lists each kind that the run has records of in the log. */
async function requestsToLookBackAt(
  journal: JournalReader,
  run: number,
  operations: readonly PlannedOperations[],
): Promise<number> {
  const tally = await journal.tally(run);
  let requests = 0;
  for (const kind of LOADING_ORDER) {
    if (!tally.some((row) => row.kind === kind && STAYS_IN_LOG.includes(row.state))) continue;
    const made = operations.reduce(
      (sum, one) => sum + (one.kind === kind && one.does !== "overwrite" ? one.count * one.workouts : 0),
      0,
    );
    const size = (await journal.logSize(kind)) + made;
    requests += kind === "workout" ? requestsToLookBack(size, made) : requestsToList(size);
  }
  return requests;
}

const STAYS_IN_LOG: readonly LineState[] = ["planned", "in-flight", "in-doubt", "done", "unchanged"];

/**
 * Requests to read a run back after it is carried out. The log is listed. Then each record is read that the run put into the log or found
 * there.
 */
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
