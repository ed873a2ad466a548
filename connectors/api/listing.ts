/**
 * Whole listings. A list that changes while it is paged repeats or skips entries: pages advance by what was received, every id
 * is given once, and the list is read again when its total moved meanwhile.
 */
import { COURSES_BY_NAME, LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { FatalError, ItemError } from "../errors.ts";
import { getPage, remarkAt } from "./call.ts";
import { listEquipment } from "./client.ts";
import type { Connection } from "./connection.ts";
import { decodeCourse, decodeTrainingPlan, decodeWorkout } from "./decode.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { CourseRead, EquipmentRead, Page, TrainingPlanRead, WorkoutRead } from "./wire.ts";

/** An entry of a listing: always with its id. */
export type Listed<T> = T & { readonly id: string };

/** A listing under way. */
export interface Listing<T> extends AsyncIterable<Listed<T>> {
  /** How many there are, as the service said on the first page; undefined where it doesn't say. */
  readonly total: number | undefined;
}

/** Times a list is read when it moves under us. */
export const LISTING_ROUNDS = 3;

/** No log has so many: a service that goes on for ever is not believed. */
export const MOST_ENTRIES = 1_000_000;

/**
 * Every workout of the log, newest first where the server does so: summaries, each id once.
 *
 * @returns undefined where the service has no such listing (404 or 405)
 * @throws what `getPage` throws, from the first page at once and from later ones while it is read
 */
export function listAllWorkouts(
  connection: Connection,
  signal: AbortSignal,
): Promise<Listing<WorkoutRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listWorkouts;
  return ifOffered(connection, operation, (query) => getPage(connection, operation, query, decodeWorkout, signal));
}

/**
 * One page of `listAllWorkouts`, as the service gives it.
 *
 * @param offset entries before it
 * @returns undefined where the service has no such listing, or lists an entry without an id
 * @throws what `getPage` throws
 */
export async function workoutsPage(
  connection: Connection,
  offset: number,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Listed<WorkoutRead>[]; readonly numEntries: number | undefined } | undefined> {
  const query = { offset, limit: LISTING_LIMIT };
  try {
    const operation = ASSUMED_OPERATIONS.listWorkouts;
    const { entries, numEntries } = await getPage(connection, operation, query, decodeWorkout, signal);
    return entries.every(isListed) ? { entries, numEntries } : undefined;
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
}

function isListed<T extends { readonly id?: string }>(entry: T): entry is Listed<T> {
  return entry.id !== undefined;
}

/**
 * Every course, by name: in that order a page doesn't shift while workouts are written.
 *
 * @returns undefined where the service has no such listing
 * @throws as `listAllWorkouts`
 */
export function listAllCourses(connection: Connection, signal: AbortSignal): Promise<Listing<CourseRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listCourses;
  return ifOffered(connection, operation, (query) =>
    getPage(connection, operation, { ...query, sortBy: COURSES_BY_NAME }, decodeCourse, signal),
  );
}

/**
 * Every piece of equipment.
 *
 * @param filter `showRetired` includes what is no longer in use; `activityID` keeps one activity
 * @throws as `getPage`
 */
export function listAllEquipment(
  connection: Connection,
  filter: { readonly showRetired: boolean; readonly activityID?: number },
  signal: AbortSignal,
): AsyncGenerator<Listed<EquipmentRead>> {
  return everyEntry(connection, OPERATIONS.listEquipment, (query) =>
    listEquipment(connection, { ...query, ...filter }, signal),
  );
}

/** Every training plan this application may see. @throws as `getPage` */
export function listAllTrainingPlans(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Listed<TrainingPlanRead>> {
  const operation = OPERATIONS.listTrainingPlans;
  // "Query: access_token" and nothing else: the paging of the other listings is used only where a first page isn't all.
  return everyEntry(connection, operation, ({ offset, limit }) =>
    getPage(connection, operation, offset === 0 ? {} : { offset, limit }, decodeTrainingPlan, signal),
  );
}

/** A piece of equipment, and whether it is no longer in use. */
export type MarkedEquipment = Listed<EquipmentRead> & { readonly retired: boolean };

/**
 * Every piece of equipment, told apart by use. "How retired equipment is marked: not shown": retired is what is listed with
 * `showRetired=true` and not with `showRetired=false`. In this order, a piece made in between isn't taken for a retired one.
 *
 * @throws as `getPage`
 */
export async function markedEquipment(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly MarkedEquipment[]> {
  const all: Listed<EquipmentRead>[] = [];
  for await (const entry of listAllEquipment(connection, { showRetired: true }, signal)) all.push(entry);
  const inUse = new Set<string>();
  for await (const { id } of listAllEquipment(connection, { showRetired: false }, signal)) inUse.add(id);
  return all.map((entry) => ({ ...entry, retired: !inUse.has(entry.id) }));
}

/** The equipment that is no longer in use (see `markedEquipment`). @throws as `getPage` */
export async function retiredEquipment(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly MarkedEquipment[]> {
  return (await markedEquipment(connection, signal)).filter(({ retired }) => retired);
}

type Paging = { readonly offset: number; readonly limit: number };
type ReadPage<T> = (query: Paging) => Promise<Page<T>>;

async function ifOffered<T extends { readonly id?: string }>(
  connection: Connection,
  operation: Operation,
  read: ReadPage<T>,
): Promise<Listing<T> | undefined> {
  let first: Page<T>;
  try {
    first = await read({ offset: 0, limit: LISTING_LIMIT });
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
  return {
    total: first.numEntries,
    [Symbol.asyncIterator]: () => everyEntry(connection, operation, read, first),
  };
}

/** Whether a failed listing says that the service has no such listing. */
export function isNotOffered(error: unknown): boolean {
  return (
    (error instanceof FatalError && error.code === "api/http-404") ||
    (error instanceof ItemError && error.code === "api/http-405")
  );
}

async function* everyEntry<T extends { readonly id?: string }>(
  connection: Connection,
  operation: Operation,
  read: ReadPage<T>,
  first?: Page<T>,
): AsyncGenerator<Listed<T>> {
  const remark = remarkAt(connection, operation, {});
  const given = new Set<string>();
  for (let round = 1; round <= LISTING_ROUNDS; round++) {
    const inRound = new Set<string>();
    let [total, lastTotal, received]: [number | undefined, number | undefined, number] = [undefined, undefined, 0];
    let isShort = false;
    for (;;) {
      const isFirst = received === 0;
      const page =
        isFirst && round === 1 && first !== undefined ? first : await read({ offset: received, limit: LISTING_LIMIT });
      if (isFirst) total = page.numEntries;
      lastTotal = page.numEntries;
      const before = inRound.size;
      for (const entry of page.entries) {
        if (entry.id === undefined) {
          remark({ severity: "warning", rule: "api/entry-without-id", field: "id", expected: "an id" });
          isShort = true;
          continue;
        }
        inRound.add(entry.id);
        if (given.has(entry.id)) continue;
        given.add(entry.id);
        yield entry as Listed<T>;
      }
      received += page.entries.length;
      if (given.size > MOST_ENTRIES) throw endless(operation);
      if (page.entries.length === 0) break;
      if (!isFirst && inRound.size === before) {
        // A page that only repeats: the server ignores `offset`, or the list moved by a whole page.
        remark({ severity: "warning", rule: "api/page-repeated", field: "offset", found: String(received) });
        break;
      }
      // A full page may have more behind it, whatever a total says that was counted by the page.
      if (received >= (page.numEntries ?? Number.POSITIVE_INFINITY) && page.entries.length < LISTING_LIMIT) break;
    }
    const hasMoved = total !== lastTotal || (lastTotal !== undefined && !isShort && inRound.size < lastTotal);
    if (!hasMoved) return;
    if (round === LISTING_ROUNDS) {
      remark({
        severity: "warning",
        rule: "api/listing-incomplete",
        field: "numEntries",
        found: `${given.size} entries in ${round} rounds`,
        expected: `${lastTotal ?? "the same total at both ends"}`,
      });
    }
  }
}

function endless(operation: Operation): FatalError {
  return new FatalError(
    "api/endless-listing",
    "service",
    `Cannot ${operation.action}: it has more than ${MOST_ENTRIES} entries`,
  );
}
