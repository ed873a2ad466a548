/**
 * What a plan costs: how many requests each of its operations takes, from the one table that the loader goes by too.
 */
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import type { JournalReader } from "./journal.ts";
import type { LineState } from "./line.ts";
import type { PlannedOperations } from "./run.ts";
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

/** As long as the look after a run takes no more requests than this, or than the run's own, the log is listed whole. */
const CHEAP_LOOK = 10;

/**
 * Requests to look at the workouts once more after a run: the log is listed whole. Where that takes more than the run did, its count
 * alone is asked for.
 *
 * @param size workouts of the log after the run
 */
export function requestsToLookBack(size: number, made: number): number {
  const whole = requestsToList(size);
  return whole > Math.max(CHEAP_LOOK, made) ? 1 : whole;
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
  /** Requests to open the log and to list it, before the run and after it. */
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

/** Requests for the look after a run: of each kind of which it then has something in the log. */
async function requestsToLookBackAt(
  journal: JournalReader,
  run: number,
  operations: readonly PlannedOperations[],
): Promise<number> {
  const tally = await journal.tally(run);
  let requests = 0;
  for (const kind of ["equipment", "course", "workout"] as const) {
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
