/**
 * Whole listings that held still while they were read. Each page begins with the last entry of the page before: where it is another one,
 * or the total moved, something was added, taken out or reordered meanwhile, and the list is read again from its start.
 */
import { COURSES_BY_NAME, LISTING_LIMIT, WORKOUT_FIELDS } from "../../transforms/assumptions.ts";
import { FatalError, ItemError } from "../errors.ts";
import { getPage } from "./call.ts";
import { listEquipment } from "./client.ts";
import type { Connection } from "./connection.ts";
import { decodeCourse, decodeTrainingPlan, decodeWorkout } from "./decode.ts";
import { isNotOffered, type Listed, type MarkedEquipment, MOST_ENTRIES } from "./listing.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { CourseRead, EquipmentRead, Page, TrainingPlanRead, WorkoutRead } from "./wire.ts";

/** Times a list is read when it moves under us. */
export const STABLE_ROUNDS = 5;

type Entries<T> = readonly Listed<T>[];
type Query = { readonly offset: number; readonly limit: number };

/**
 * Every workout of the log, with as much of each as a listing gives: the notes and the race placement too, where the service
 * can be asked for them.
 *
 * @returns undefined where the service has no such listing
 * @throws FatalError `api/listing-moves` when it never held still; and what `getPage` throws
 */
export async function workoutsListed(
  connection: Connection,
  signal: AbortSignal,
): Promise<Entries<WorkoutRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listWorkouts;
  const read = (query: Query & { readonly fields?: string }) =>
    getPage(connection, operation, query, decodeWorkout, signal);
  return ifOffered(async () => {
    const isAsked = await understandsFields(read);
    return stable(operation, (query) => read(isAsked ? { ...query, fields: WORKOUT_FIELDS } : query));
  });
}

/** Every course, by name. @returns undefined where the service has no such listing @throws as `workoutsListed` */
export function coursesListed(connection: Connection, signal: AbortSignal): Promise<Entries<CourseRead> | undefined> {
  const operation = ASSUMED_OPERATIONS.listCourses;
  return ifOffered(() =>
    stable(operation, (query) =>
      getPage(connection, operation, { ...query, sortBy: COURSES_BY_NAME }, decodeCourse, signal),
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
  const list = (showRetired: boolean): Promise<Entries<EquipmentRead>> =>
    stable(OPERATIONS.listEquipment, (query) => listEquipment(connection, { ...query, showRetired }, signal));
  // In this order, a piece made in between isn't taken for a retired one.
  const all = await list(true);
  const inUse = new Set((await list(false)).map(({ id }) => id));
  return all.map((entry) => ({ ...entry, retired: !inUse.has(entry.id) }));
}

/** Every training plan this application may see. @throws as `workoutsListed` */
export function trainingPlansListed(connection: Connection, signal: AbortSignal): Promise<Entries<TrainingPlanRead>> {
  const operation = OPERATIONS.listTrainingPlans;
  // "Query: access_token" and nothing else: the paging of the other listings is used only where a first page isn't all.
  return stable(operation, ({ offset, limit }) =>
    getPage(connection, operation, offset === 0 ? {} : { offset, limit }, decodeTrainingPlan, signal),
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

async function stable<T extends { readonly id?: string }>(
  operation: Operation,
  read: (query: Query) => Promise<Page<T>>,
): Promise<Entries<T>> {
  for (let round = 1; round <= STABLE_ROUNDS; round++) {
    const entries = await oneRound(operation, read);
    if (entries !== undefined) return entries;
  }
  throw new FatalError(
    "api/listing-moves",
    "journal",
    `Cannot ${operation.action}: the list changed each of the ${STABLE_ROUNDS} times it was read. Try again when nothing writes to the log`,
  );
}

/** The entries; undefined where the list moved. */
async function oneRound<T extends { readonly id?: string }>(
  operation: Operation,
  read: (query: Query) => Promise<Page<T>>,
): Promise<Entries<T> | undefined> {
  const entries: T[] = [];
  let total: number | undefined;
  for (;;) {
    const isFirst = entries.length === 0;
    const page = await read({ offset: isFirst ? 0 : entries.length - 1, limit: LISTING_LIMIT });
    if (isFirst) total = page.numEntries;
    if (page.numEntries !== total) return undefined;
    const [first, ...more] = page.entries;
    if (isFirst) entries.push(...page.entries);
    else {
      if (first?.id !== entries.at(-1)?.id) return undefined;
      entries.push(...more);
    }
    if (entries.length > MOST_ENTRIES) {
      const message = `Cannot ${operation.action}: it has more than ${MOST_ENTRIES} entries`;
      throw new FatalError("api/endless-listing", "service", message);
    }
    const isLast = (isFirst ? page.entries : more).length === 0;
    if (isLast || (entries.length >= (total ?? Number.POSITIVE_INFINITY) && page.entries.length < LISTING_LIMIT)) break;
  }
  const nameless = entries.some(({ id }) => id === undefined);
  if (nameless) {
    const message = `Cannot ${operation.action}: the service lists an entry without an id`;
    throw new FatalError("api/entry-without-id", "service", message);
  }
  const distinct = new Set(entries.map(({ id }) => id)).size;
  return distinct === entries.length && (total === undefined || total === distinct)
    ? (entries as Listed<T>[])
    : undefined;
}
