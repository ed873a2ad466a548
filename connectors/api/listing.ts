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
  /**
   * Why the listing can't tell that something is not in the log, once it was read: it never held still, or a cache gave it. Undefined
   * where it can.
   */
  readonly doubt: string | undefined;
  /** What the doubt is about; undefined where there is none. */
  readonly doubtOf: ListingDoubt | undefined;
}

/**
 * What makes a listing doubtful.
 *
 * - `cache`: an answer says that it was not made for us.
 * - `count`: its total is another than its pages hold, the same at each reading: it doesn't move, and counts wrongly.
 * - `change`: it was another one whenever it was read.
 */
export type ListingDoubt = "cache" | "count" | "change";

/** How a list is asked for. */
export interface ListOptions {
  /** Entries a page, 1 to 100. Another number is another address, even to a cache that leaves out of it what it doesn't know. */
  readonly limit?: number;
}

/** Times a list is read when it moves under us. */
export const LISTING_ROUNDS = 3;

/** No log lists so much: a service that goes on for ever is not believed. The bytes are those of the entries as JSON. */
export const LISTING_CAPS = { entries: 1_000_000, bytes: 256 << 20, bytesKept: 64 << 20 } as const;

/**
 * Counts one reading of a list, page by page.
 *
 * @param mostBytes less than usual, where every entry is kept in memory as it is
 * @returns takes each page's entries; throws FatalError `api/endless-listing` once they are too many
 */
export function listingCap(
  operation: Operation,
  mostBytes: number = LISTING_CAPS.bytes,
): (entries: readonly unknown[]) => void {
  let [count, bytes] = [0, 0];
  return (entries) => {
    count += entries.length;
    bytes += JSON.stringify(entries).length;
    if (count <= LISTING_CAPS.entries && bytes <= mostBytes) return;
    const found = count > LISTING_CAPS.entries ? `${LISTING_CAPS.entries} entries` : `${mostBytes >> 20} MB of entries`;
    throw new FatalError(
      "api/endless-listing",
      "service",
      `Cannot ${operation.action}: the service lists more than ${found}, and no log has so many`,
    );
  };
}

/** Refuses a list that is said to be longer than any. @throws FatalError `api/endless-listing`, before more of it is read */
export function refuseEndless(operation: Operation, total: number | undefined): void {
  if (total === undefined || total <= LISTING_CAPS.entries) return;
  throw new FatalError(
    "api/endless-listing",
    "service",
    `Cannot ${operation.action}: the service says that there are ${total}, and no log has more than ${LISTING_CAPS.entries}`,
  );
}

/**
 * Every workout of the log, newest first where the server does so: summaries, each id once.
 *
 * @returns undefined where the service has no such listing (404 or 405)
 * @throws what `getPage` throws, from the first page at once and from later ones while it is read
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
 * One page of `listAllWorkouts`, as the service gives it.
 *
 * @param offset entries before it
 * @returns undefined where the service has no such listing, or lists an entry without an id, and where a cache gave the page
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
 * Every course, by name: in that order a page doesn't shift while workouts are written.
 *
 * @returns undefined where the service has no such listing
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
 * Every piece of equipment.
 *
 * @param filter `showRetired` includes what is no longer in use; `activityID` keeps one activity
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

/** Every training plan this application may see. @throws as `getPage` */
export function listAllTrainingPlans(connection: Connection, signal: AbortSignal): Listing<TrainingPlanRead> {
  const operation = OPERATIONS.listTrainingPlans;
  // "Query: access_token" and nothing else: the paging of the other listings is used only where a first page isn't all.
  return listingOf(connection, operation, undefined, ({ offset, limit }) =>
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

/** Whether a failed listing says that the service has no such listing. */
export function isNotOffered(error: unknown): boolean {
  return (
    (error instanceof FatalError && error.code === "api/http-404") ||
    (error instanceof ItemError && error.code === "api/http-405")
  );
}

/** How a list is read, and who is told why it can't be trusted. */
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
        // A page that only repeats: the server ignores `offset`, or the list moved by a whole page.
        remark({ severity: "warning", rule: "api/page-repeated", field: "offset", found: String(received) });
        break;
      }
      // A full page may have more behind it, whatever a total says that was counted by the page.
      if (received >= (page.numEntries ?? Number.POSITIVE_INFINITY) && page.entries.length < limit) break;
    }
    // Where the service says no total, entries that come twice tell that others may have been pushed out of sight.
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

/** One reading of a list: the totals of its first and its last page, and how many entries came. */
function describeLook(first: number | undefined, last: number | undefined, shown: number): string {
  const says = first === undefined ? "it doesn't say how many it has" : `it says that it has ${first}`;
  return `${says}${last === first ? "" : `, then ${last ?? "nothing of it"}`}, and shows ${shown}`;
}
