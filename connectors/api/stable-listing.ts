/**
 * Reads whole listings that don't change during reading. Each page begins with the last entry of the page before. If that entry or the
 * total differs, the list was changed or reordered meanwhile, and is read again from its start. Memory holds only the part of each entry
 * that the caller keeps.
 */
import { COURSES_BY_NAME, LISTING_LIMIT, WORKOUT_FIELDS } from "../../transforms/assumptions.ts";
import { FatalError, ItemError } from "../errors.ts";
import { getPage } from "./call.ts";
import { listEquipment } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { CourseRead, EquipmentRead, TrainingPlanRead, WorkoutRead } from "./decode.ts";
import { decodeCourse, decodeTrainingPlan, decodeWorkout } from "./decode.ts";
import { isNotOffered, LISTING_CAPS, type Listed, listingCap, type MarkedEquipment, refuseEndless } from "./listing.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { Page } from "./wire.ts";

/** Most times a list is read if it changes during reading. */
export const STABLE_ROUNDS = 5;

/** Picks the part of an entry that stays in memory. */
export type Keep<T, K> = (entry: Listed<T>) => K;

type Query = { readonly offset: number; readonly limit: number };

/**
 * Lists every workout of the log, with all fields that a listing can give: also the notes and the race placement, if the service supports
 * asking for them.
 *
 * @param keep called with each entry, also during a reading that is given up later; returns the part to keep
 * @returns undefined if the service has no such listing
 * @throws FatalError `api/listing-moves` when the list changed at every reading; and the errors of `getPage`
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

/** Lists every course, by name. @returns undefined if the service has no such listing @throws as `workoutsListed` */
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
 * Lists every piece of equipment, and whether it is no longer in use: `showRetired=true` lists it and `showRetired=false` doesn't.
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
  // The two lists are read in this order, so that equipment made in between doesn't count as retired.
  const all = await list(true, (entry) => entry);
  const inUse = new Set(await list(false, ({ id }) => id));
  return all.map((entry) => ({ ...entry, retired: !inUse.has(entry.id) }));
}

/** Lists every training plan that this application may see. @throws as `workoutsListed` */
export function trainingPlansListed(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly Listed<TrainingPlanRead>[]> {
  const operation = OPERATIONS.listTrainingPlans;
  // The document says "Query: access_token" and nothing else. So the paging of the other listings is used only if the first page is not the
  // whole list.
  return stable(
    operation,
    ({ offset, limit }) =>
      getPage(connection, operation, offset === 0 ? {} : { offset, limit }, decodeTrainingPlan, signal),
    (entry) => entry,
    LISTING_CAPS.bytesKept,
  );
}

/**
 * Whether a service knows `fields`. A service refuses an unknown parameter, ignores it, or gives entries with these fields and their dates.
 */
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

/** The kept parts of the entries; undefined if the list changed during reading. */
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
    // More entries may follow a full page, even if the total says otherwise.
    const isFull = page.entries.length >= LISTING_LIMIT;
    if (fresh.length > 0 && (isFull || kept.size < (total ?? Number.POSITIVE_INFINITY))) continue;
    return total === undefined || total === kept.size ? [...kept.values()] : undefined;
  }
}

function isListed<T extends { readonly id?: string }>(entry: T): entry is Listed<T> {
  return entry.id !== undefined;
}
