/**
 * The log as a stream of records: everything the interface lets one read, for an export or a backup.
 */
import { FatalError, ItemError, type TransferError } from "../errors.ts";
import { remarkAt } from "./call.ts";
import { getCourse, getPreference, getUser, getWorkout } from "./client.ts";
import type { Connection } from "./connection.ts";
import {
  type Listing,
  listAllCourses,
  listAllTrainingPlans,
  listAllWorkouts,
  type MarkedEquipment,
  markedEquipment,
} from "./listing.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";
import type { CourseRead, PreferenceRead, TrainingPlanRead, UserRead, WorkoutRead } from "./wire.ts";

/** One record of the log, as it was read. The user and the preference, of which there is one, have the id `me`. */
export type LogRecord =
  | { readonly kind: "user"; readonly id: string; readonly value: UserRead }
  | { readonly kind: "preference"; readonly id: string; readonly value: PreferenceRead }
  | { readonly kind: "equipment"; readonly id: string; readonly value: MarkedEquipment }
  | { readonly kind: "course"; readonly id: string; readonly value: CourseRead }
  | { readonly kind: "training-plan"; readonly id: string; readonly value: TrainingPlanRead }
  | { readonly kind: "workout"; readonly id: string; readonly value: WorkoutRead };

/** How far reading is. */
export interface ReadProgress {
  readonly kind: LogRecord["kind"];
  /** Records of this kind given so far, and passed over. */
  readonly done: number;
  readonly passedOver: number;
  /** How many there are, where the listing says. */
  readonly total: number | undefined;
  /** What is waited for, where something is (`Pacing.waiting`). */
  readonly waiting: string | undefined;
}

/** What of a log is read; everything where it isn't said. */
export interface ReadSelection {
  readonly kinds?: ReadonlySet<LogRecord["kind"]>;
  /** Asked of each summary of the listing, which may lack any field: only workouts it wants are read in full. */
  readonly wantsWorkout?: (summary: WorkoutRead) => boolean;
}

/**
 * Reads the whole log, or what is selected of it: user, preference, equipment (retired too), courses, training plans, then every workout in full, in the order
 * of the listing. Memory holds the ids and a few records.
 *
 * A record that is listed and then isn't there (404), or that the service refuses to give, is passed over with an issue on the
 * connection's `report`; so is a listing the service doesn't have, and a user that may not be read.
 *
 * @throws what `Connection.send` throws of RetryableError and FatalError; then the records so far are all there will be
 */
export async function* readLog(
  connection: Connection,
  signal: AbortSignal,
  onProgress: (progress: ReadProgress) => void = () => undefined,
  { kinds, wantsWorkout }: ReadSelection = {},
): AsyncGenerator<LogRecord> {
  const tell = progressOf(connection, onProgress);
  const isSelected = (kind: LogRecord["kind"]) => kinds === undefined || kinds.has(kind);
  for (const kind of (["user", "preference"] as const).filter(isSelected)) {
    const value = await passOver(connection, SINGLE[kind].operation, "me", () => SINGLE[kind].read(connection, signal));
    tell(kind, value !== undefined, 1);
    if (value !== undefined) yield { kind, id: "me", value };
  }

  const equipment = isSelected("equipment") ? await markedEquipment(connection, signal) : [];
  for (const value of equipment) {
    tell("equipment", true, equipment.length);
    yield { kind: "equipment", id: value.id, value };
  }

  if (isSelected("course")) {
    const courses = await listAllCourses(connection, signal);
    if (courses === undefined) reportNoListing(connection, ASSUMED_OPERATIONS.listCourses);
    else yield* inFull(connection, { ...IN_FULL.course, listing: courses }, signal, tell);
  }

  if (isSelected("training-plan")) {
    for await (const value of listAllTrainingPlans(connection, signal)) {
      tell("training-plan", true, undefined);
      yield { kind: "training-plan", id: value.id, value };
    }
  }

  if (isSelected("workout")) {
    const workouts = await listAllWorkouts(connection, signal);
    if (workouts === undefined) reportNoListing(connection, ASSUMED_OPERATIONS.listWorkouts);
    else {
      const wanted = wantsWorkout === undefined ? workouts : onlyWanted(workouts, wantsWorkout);
      yield* inFull(connection, { ...IN_FULL.workout, listing: wanted }, signal, tell);
    }
  }
}

/** A listing of what is wanted; how many that will be, nobody knows. */
function onlyWanted(listing: Listing<WorkoutRead>, wants: (summary: WorkoutRead) => boolean): Listing<WorkoutRead> {
  return {
    total: undefined,
    get doubt() {
      return listing.doubt;
    },
    get doubtOf() {
      return listing.doubtOf;
    },
    async *[Symbol.asyncIterator]() {
      for await (const summary of listing) if (wants(summary)) yield summary;
    },
  };
}

/** Records of a kind that are listed, and how one of them is got. */
interface InFull<K, T> {
  readonly kind: K;
  readonly operation: Operation;
  readonly read: (connection: Connection, id: string, signal: AbortSignal) => Promise<T>;
  readonly listing: Listing<object>;
}

/** Gets every listed record, a few under way at once, given in the order of the list. */
async function* inFull<K extends "course" | "workout", T>(
  connection: Connection,
  { kind, operation, read, listing }: InFull<K, T>,
  signal: AbortSignal,
  tell: Tell,
): AsyncGenerator<{ readonly kind: K; readonly id: string; readonly value: T }> {
  // Whoever leaves early must not leave requests behind.
  const leaving = new AbortController();
  const inner = AbortSignal.any([signal, leaving.signal]);
  const underWay: { readonly id: string; readonly record: Promise<T | undefined> }[] = [];
  async function* firstUnderWay() {
    const next = underWay.shift();
    if (next === undefined) return;
    const value = await next.record;
    tell(kind, value !== undefined, listing.total);
    if (value !== undefined) yield { kind, id: next.id, value };
  }
  try {
    for await (const { id } of listing) {
      const record = passOver(connection, operation, id, () => read(connection, id, inner));
      // Awaited when its turn comes; until then a failure isn't unhandled.
      record.catch(() => undefined);
      underWay.push({ id, record });
      if (underWay.length >= connection.pacing.inFlight) yield* firstUnderWay();
    }
    while (underWay.length > 0) yield* firstUnderWay();
  } finally {
    leaving.abort();
    await Promise.allSettled(underWay.map(({ record }) => record));
  }
}

const IN_FULL = {
  course: { kind: "course", operation: OPERATIONS.getCourse, read: getCourse },
  workout: { kind: "workout", operation: OPERATIONS.getWorkout, read: getWorkout },
} as const;

const SINGLE = {
  user: { operation: OPERATIONS.getUser, read: getUser },
  preference: { operation: OPERATIONS.getPreference, read: getPreference },
} as const;

/** What the read gives; undefined, with an issue, where the service has no such record or refuses it. */
async function passOver<T>(
  connection: Connection,
  operation: Operation,
  id: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    // Private information may be withheld while the log itself is open; a token that is no good fails at the next request.
    const isWithheld = operation === OPERATIONS.getUser && error instanceof FatalError && error.code === "api/http-403";
    if (!(error instanceof ItemError || isWithheld)) throw error;
    const place = error.code === "api/bad-id" ? "?" : id;
    remarkAt(connection, operation, { id: place })({
      severity: "error",
      rule: (error as TransferError).code,
      found: (error as TransferError).message,
    });
    return undefined;
  }
}

function reportNoListing(connection: Connection, operation: Operation): void {
  remarkAt(
    connection,
    operation,
    {},
  )({
    severity: "warning",
    rule: "api/no-listing",
    expected: "a listing: what the service doesn't list can't be read",
  });
}

type Tell = (kind: LogRecord["kind"], isRead: boolean, total: number | undefined) => void;

function progressOf(connection: Connection, onProgress: (progress: ReadProgress) => void): Tell {
  const counts = new Map<LogRecord["kind"], { done: number; passedOver: number }>();
  return (kind, isRead, total) => {
    const count = counts.get(kind) ?? { done: 0, passedOver: 0 };
    counts.set(kind, count);
    if (isRead) count.done++;
    else count.passedOver++;
    onProgress({ kind, ...count, total, waiting: connection.pacing.waiting() });
  };
}
