/**
 * Whole listings that held still while they were read. Each page begins with the last entry of the page before: where it is another one,
 * or the total moved, something was added, taken out or reordered meanwhile, and the list is read again from its start. Of each entry only
 * what the caller keeps stays in memory.
 */
import { COURSES_BY_NAME, LISTING_LIMIT, WORKOUT_FIELDS } from "../../transforms/assumptions.ts";
import { FatalError, ItemError } from "../errors.ts";
import { getPage } from "./call.ts";
import { listEquipment } from "./client.ts";
import type { Connection } from "./connection.ts";
import { decodeCourse, decodeTrainingPlan, decodeWorkout } from "./decode.ts";
import { isNotOffered, LISTING_CAPS, type Listed, listingCap, type MarkedEquipment, refuseEndless } from "./listing.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { CourseRead, EquipmentRead, Page, TrainingPlanRead, WorkoutRead } from "./wire.ts";

/** Times a list is read when it moves under us. */
export const STABLE_ROUNDS = 5;

/** What is kept of an entry. */
export type Keep<T, K> = (entry: Listed<T>) => K;

type Query = { readonly offset: number; readonly limit: number };

/**
 * Every workout of the log, with as much of each as a listing gives: the notes and the race placement too, where the service
 * can be asked for them.
 *
 * @param keep called with each entry, perhaps of a reading that is given up afterwards: gives what stays of it
 * @returns undefined where the service has no such listing
 * @throws FatalError `api/listing-moves` when it never held still; and what `getPage` throws
 */
export async function workoutsListed<K>(
  connection: Connection,
  signal: AbortSignal,
  keep: Keep<WorkoutRead, K>,
): Promise<readonly K[] | undefined> {
  const operation = ASSUMED_OPERATIONS.listWorkouts;
  const read = (query: Query & { readonly fields?: string }) =>
    getPage(connection, operation, query, decodeWorkout, signal);
  return ifOffered(async () => {
    const isAsked = await understandsFields(read);
    return stable(operation, (query) => read(isAsked ? { ...query, fields: WORKOUT_FIELDS } : query), keep);
  });
}

/** Every course, by name. @returns undefined where the service has no such listing @throws as `workoutsListed` */
export function coursesListed<K>(
  connection: Connection,
  signal: AbortSignal,
  keep: Keep<CourseRead, K>,
): Promise<readonly K[] | undefined> {
  const operation = ASSUMED_OPERATIONS.listCourses;
  return ifOffered(() =>
    stable(
      operation,
      (query) => getPage(connection, operation, { ...query, sortBy: COURSES_BY_NAME }, decodeCourse, signal),
      keep,
    ),
  );
}

/**
 * Every piece of equipment, and whether it is no longer in use: listed with `showRetired=true` and not with `showRetired=false`.
 *
 * @throws as `workoutsListed`
 */
export async function equipmentListed(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly MarkedEquipment[]> {
  const list = <K>(showRetired: boolean, keep: Keep<EquipmentRead, K>): Promise<readonly K[]> =>
    stable(
      OPERATIONS.listEquipment,
      (query) => listEquipment(connection, { ...query, showRetired }, signal),
      keep,
      LISTING_CAPS.bytesKept,
    );
  // In this order, a piece made in between isn't taken for a retired one.
  const all = await list(true, (entry) => entry);
  const inUse = new Set(await list(false, ({ id }) => id));
  return all.map((entry) => ({ ...entry, retired: !inUse.has(entry.id) }));
}

/** Every training plan this application may see. @throws as `workoutsListed` */
export function trainingPlansListed(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly Listed<TrainingPlanRead>[]> {
  const operation = OPERATIONS.listTrainingPlans;
  // "Query: access_token" and nothing else: the paging of the other listings is used only where a first page isn't all.
  return stable(
    operation,
    ({ offset, limit }) =>
      getPage(connection, operation, offset === 0 ? {} : { offset, limit }, decodeTrainingPlan, signal),
    (entry) => entry,
    LISTING_CAPS.bytesKept,
  );
}

/** Whether a service knows `fields`: it refuses what it doesn't know, leaves it unread, or gives entries with them, and their dates. */
async function understandsFields(
  read: (query: Query & { readonly fields?: string }) => Promise<Page<WorkoutRead>>,
): Promise<boolean> {
  try {
    const { entries } = await read({ offset: 0, limit: 1, fields: WORKOUT_FIELDS });
    return entries.every(({ id, date }) => id !== undefined && date !== undefined);
  } catch (error) {
    if (error instanceof ItemError) return false;
    throw error;
  }
}

async function ifOffered<T>(list: () => Promise<T>): Promise<T | undefined> {
  try {
    return await list();
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
}

async function stable<T extends { readonly id?: string }, K>(
  operation: Operation,
  read: (query: Query) => Promise<Page<T>>,
  keep: Keep<T, K>,
  mostBytes?: number,
): Promise<readonly K[]> {
  for (let round = 1; round <= STABLE_ROUNDS; round++) {
    const kept = await oneRound(operation, read, keep, mostBytes);
    if (kept !== undefined) return kept;
  }
  throw new FatalError(
    "api/listing-moves",
    "journal",
    `Cannot ${operation.action}: the list changed each of the ${STABLE_ROUNDS} times it was read. Try again when nothing writes to the log`,
  );
}

/** What is kept of the entries; undefined where the list moved. */
async function oneRound<T extends { readonly id?: string }, K>(
  operation: Operation,
  read: (query: Query) => Promise<Page<T>>,
  keep: Keep<T, K>,
  mostBytes: number | undefined,
): Promise<readonly K[] | undefined> {
  const kept = new Map<string, K>();
  const cap = listingCap(operation, mostBytes);
  let total: number | undefined;
  let last: string | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const page = await read({ offset: isFirst ? 0 : kept.size - 1, limit: LISTING_LIMIT });
    refuseEndless(operation, page.numEntries);
    if (isFirst) total = page.numEntries;
    if (page.numEntries !== total) return undefined;
    cap(page.entries);
    if (!isFirst && page.entries[0]?.id !== last) return undefined;
    const fresh = isFirst ? page.entries : page.entries.slice(1);
    for (const entry of fresh) {
      if (!isListed(entry)) {
        const message = `Cannot ${operation.action}: the service lists an entry without an id`;
        throw new FatalError("api/entry-without-id", "service", message);
      }
      if (kept.has(entry.id)) return undefined;
      kept.set(entry.id, keep(entry));
      last = entry.id;
    }
    // A full page may have more behind it, whatever a total says.
    const isFull = page.entries.length >= LISTING_LIMIT;
    if (fresh.length > 0 && (isFull || kept.size < (total ?? Number.POSITIVE_INFINITY))) continue;
    return total === undefined || total === kept.size ? [...kept.values()] : undefined;
  }
}

function isListed<T extends { readonly id?: string }>(entry: T): entry is Listed<T> {
  return entry.id !== undefined;
}
