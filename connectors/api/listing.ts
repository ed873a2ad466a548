/**
 * Reads whole listings. If a list changes while its pages are read, entries repeat or are skipped. So pages advance by the number of
 * entries received, every id is given once, and the list is read again if its total changed meanwhile.
 */
import { COURSES_BY_NAME, LISTING_LIMIT } from "../../transforms/assumptions.ts";
import { FatalError, ItemError } from "../errors.ts";
import { getPage, remarkAt } from "./call.ts";
import { listEquipment } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { CourseRead, EquipmentRead, TrainingPlanRead, WorkoutRead } from "./decode.ts";
import { decodeCourse, decodeTrainingPlan, decodeWorkout } from "./decode.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { Page } from "./wire.ts";

/** An entry of a listing. It always has an id. */
export type Listed<T> = T & { readonly id: string };

/** A listing that is being read. */
export interface Listing<T> extends AsyncIterable<Listed<T>> {
  /** Number of entries, as the service said on the first page; undefined if it doesn't say. */
  readonly total: number | undefined;
  /**
   * After reading: the reason why the listing can't prove that a record is missing from the log. Either it changed at every reading, or a
   * cache gave it. Undefined if the listing can prove it.
   */
  readonly doubt: string | undefined;
  /** The kind of doubt; undefined if there is none. */
  readonly doubtOf: ListingDoubt | undefined;
}

/**
 * The reasons to doubt a listing.
 *
 * - `cache`: an answer shows that it came from a cache.
 * - `count`: its total differs from the number of entries on its pages, in the same way at each reading. So the list doesn't change, but
 * its total is wrong.
 * - `change`: it differed at every reading.
 */
export type ListingDoubt = "cache" | "count" | "change";

/** How to ask for a list. */
export interface ListOptions {
  /** Entries a page, 1 to 100. Another number makes another address, even for a cache that ignores unknown parameters. */
  readonly limit?: number;
}

/** Most times a list is read if it changes during reading. */
export const LISTING_ROUNDS = 3;

/** Limits on a listing, against a service that lists without end. No log has so many entries. `bytes` counts the entries as JSON, without escapes. */
export const LISTING_CAPS = { entries: 1_000_000, bytes: 256 << 20, bytesKept: 64 << 20 } as const;

/**
 * Counts one reading of a list, page by page.
 *
 * @param mostBytes a lower limit than usual, for callers that keep every entry in memory
 * @returns a function that takes each page's entries; it throws FatalError `api/endless-listing` once they are too many
 */
export function listingCap(
  operation: Operation,
  mostBytes: number = LISTING_CAPS.bytes,
): (entries: readonly unknown[]) => void {
  let [count, bytes] = [0, 0];
  return (entries) => {
    count += entries.length;
    bytes += sizeOf(entries);
    if (count <= LISTING_CAPS.entries && bytes <= mostBytes) return;
    const found = count > LISTING_CAPS.entries ? `${LISTING_CAPS.entries} entries` : `${mostBytes >> 20} MB of entries`;
    throw new FatalError(
      "api/endless-listing",
      "service",
      `Cannot ${operation.action}: the service lists more than ${found}, and no log has so many`,
    );
  };
}

/** The length of a value as JSON, without escapes. It looks at no character of a text, so that long texts cost as little as short ones. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  const sizes = Array.isArray(value)
    ? value.map(sizeOf)
    : Object.entries(value).map(([name, member]) => name.length + 3 + sizeOf(member));
  // Two brackets, and a comma between two members.
  return sizes.reduce((sum, size) => sum + size, 2 + Math.max(0, sizes.length - 1));
}

/** Refuses a list if its total is higher than any log's. @throws FatalError `api/endless-listing`, before more of it is read */
export function refuseEndless(operation: Operation, total: number | undefined): void {
  if (total === undefined || total <= LISTING_CAPS.entries) return;
  throw new FatalError(
    "api/endless-listing",
    "service",
    `Cannot ${operation.action}: the service says that there are ${total}, and no log has more than ${LISTING_CAPS.entries}`,
  );
}

/**
 * Lists every workout of the log, newest first if the server sorts so: summaries, each id once.
 *
 * @returns undefined if the service has no such listing (404 or 405)
 * @throws the errors of `getPage`: for the first page at once, for later pages during reading
 */
export function listAllWorkouts(
  connection: Connection,
  signal: AbortSignal,
  { limit }: ListOptions = {},
): Promise<Listing<WorkoutRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listWorkouts;
  return ifOffered(connection, operation, limit, (query) =>
    getPage(connection, operation, query, decodeWorkout, signal),
  );
}

/**
 * Reads one page of `listAllWorkouts`, as the service gives it.
 *
 * @param offset number of entries before the page
 * @returns undefined if the service has no such listing, if it lists an entry without an id, or if a cache gave the page
 * @throws the errors of `getPage`
 */
export async function workoutsPage(
  connection: Connection,
  offset: number,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Listed<WorkoutRead>[]; readonly numEntries: number | undefined } | undefined> {
  const query = { offset, limit: LISTING_LIMIT };
  try {
    const operation = ASSUMED_OPERATIONS.listWorkouts;
    const { entries, numEntries, cachedBy } = await getPage(connection, operation, query, decodeWorkout, signal);
    return entries.every(isListed) && cachedBy === undefined ? { entries, numEntries } : undefined;
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
}

function isListed<T extends { readonly id?: string }>(entry: T): entry is Listed<T> {
  return entry.id !== undefined;
}

/**
 * Lists every course, by name. In that order, pages don't shift while workouts are written.
 *
 * @returns undefined if the service has no such listing
 * @throws as `listAllWorkouts`
 */
export function listAllCourses(
  connection: Connection,
  signal: AbortSignal,
  { limit }: ListOptions = {},
): Promise<Listing<CourseRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listCourses;
  return ifOffered(connection, operation, limit, (query) =>
    getPage(connection, operation, { ...query, sortBy: COURSES_BY_NAME }, decodeCourse, signal),
  );
}

/**
 * Lists every piece of equipment.
 *
 * @param filter `showRetired` includes equipment that is no longer in use; `activityID` keeps one activity
 * @throws as `getPage`
 */
export function listAllEquipment(
  connection: Connection,
  filter: { readonly showRetired: boolean; readonly activityID?: number },
  signal: AbortSignal,
  { limit }: ListOptions = {},
): Listing<EquipmentRead> {
  return listingOf(connection, OPERATIONS.listEquipment, limit, (query) =>
    listEquipment(connection, { ...query, ...filter }, signal),
  );
}

/** Lists every training plan that this application may see. @throws as `getPage` */
export function listAllTrainingPlans(connection: Connection, signal: AbortSignal): Listing<TrainingPlanRead> {
  const operation = OPERATIONS.listTrainingPlans;
  // The document says "Query: access_token" and nothing else. So the paging of the other listings is used only if the first page is not the
  // whole list.
  return listingOf(connection, operation, undefined, ({ offset, limit }) =>
    getPage(connection, operation, offset === 0 ? {} : { offset, limit }, decodeTrainingPlan, signal),
  );
}

/** A piece of equipment, and whether it is no longer in use. */
export type MarkedEquipment = Listed<EquipmentRead> & { readonly retired: boolean };

/**
 * Lists every piece of equipment, and marks the retired ones. "How retired equipment is marked: not shown": equipment counts as retired if
 * `showRetired=true` lists it and `showRetired=false` doesn't. The two are read in this order, so that equipment made in between doesn't
 * count as retired.
 *
 * @throws as `getPage`
 */
export async function markedEquipment(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly MarkedEquipment[]> {
  const all: Listed<EquipmentRead>[] = [];
  const keep = listingCap(OPERATIONS.listEquipment, LISTING_CAPS.bytesKept);
  for await (const entry of listAllEquipment(connection, { showRetired: true }, signal)) {
    keep([entry]);
    all.push(entry);
  }
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
  limit: number | undefined,
  read: ReadPage<T>,
): Promise<Listing<T> | undefined> {
  let first: Page<T>;
  try {
    first = await read({ offset: 0, limit: limit ?? LISTING_LIMIT });
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
  return listingOf(connection, operation, limit, read, first);
}

function listingOf<T extends { readonly id?: string }>(
  connection: Connection,
  operation: Operation,
  limit = LISTING_LIMIT,
  read: ReadPage<T>,
  first?: Page<T>,
): Listing<T> {
  let doubt: { readonly of: ListingDoubt; readonly why: string } | undefined;
  const onDoubt = (of: ListingDoubt, why: string) => {
    doubt ??= { of, why };
  };
  return {
    total: first?.numEntries,
    get doubt() {
      return doubt?.why;
    },
    get doubtOf() {
      return doubt?.of;
    },
    [Symbol.asyncIterator]: () => everyEntry({ connection, operation, read, limit, onDoubt }, first),
  };
}

/** Whether the error of a listing means that the service has no such listing. */
export function isNotOffered(error: unknown): boolean {
  return (
    (error instanceof FatalError && error.code === "api/http-404") ||
    (error instanceof ItemError && error.code === "api/http-405")
  );
}

/** How to read a list, and the callback for doubts about it. */
interface Reading<T> {
  readonly connection: Connection;
  readonly operation: Operation;
  readonly read: ReadPage<T>;
  readonly limit: number;
  readonly onDoubt: (of: ListingDoubt, why: string) => void;
}

async function* everyEntry<T extends { readonly id?: string }>(
  { connection, operation, read, limit, onDoubt }: Reading<T>,
  first?: Page<T>,
): AsyncGenerator<Listed<T>> {
  const remark = remarkAt(connection, operation, {});
  const given = new Set<string>();
  const looks = new Set<string>();
  for (let round = 1; round <= LISTING_ROUNDS; round++) {
    const inRound = new Set<string>();
    let [total, lastTotal, received]: [number | undefined, number | undefined, number] = [undefined, undefined, 0];
    let isShort = false;
    const cap = listingCap(operation);
    for (;;) {
      const isFirst = received === 0;
      const page = isFirst && round === 1 && first !== undefined ? first : await read({ offset: received, limit });
      refuseEndless(operation, page.numEntries);
      if (page.cachedBy !== undefined) onDoubt("cache", `a cache gave it (${page.cachedBy})`);
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
      cap(page.entries);
      if (page.entries.length === 0) break;
      if (!isFirst && inRound.size === before) {
        // The page only repeats: the server ignores `offset`, or the list moved by a whole page.
        remark({ severity: "warning", rule: "api/page-repeated", field: "offset", found: String(received) });
        break;
      }
      // More entries may follow a full page, even if the total says otherwise, because it may count only one page.
      if (received >= (page.numEntries ?? Number.POSITIVE_INFINITY) && page.entries.length < limit) break;
    }
    // If the service gives no total, repeated entries show that other entries may have been skipped.
    const hasMoved = total !== lastTotal || (!isShort && inRound.size < (lastTotal ?? received));
    if (!hasMoved) return;
    looks.add(describeLook(total, lastTotal, inRound.size));
    if (round === LISTING_ROUNDS) {
      const isSteady = looks.size === 1 && total === lastTotal && given.size === inRound.size;
      const seen = [...looks].join("; then ");
      if (isSteady) onDoubt("count", `${seen}, the same ${LISTING_ROUNDS} times`);
      else onDoubt("change", `it changed each of the ${LISTING_ROUNDS} times it was read (${seen})`);
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

/** Describes one reading of a list: the totals of its first and last page, and the number of entries received. */
function describeLook(first: number | undefined, last: number | undefined, shown: number): string {
  const says = first === undefined ? "it doesn't say how many it has" : `it says that it has ${first}`;
  return `${says}${last === first ? "" : `, then ${last ?? "nothing of it"}`}, and shows ${shown}`;
}
