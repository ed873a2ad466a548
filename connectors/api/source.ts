/** The log as a stream of records, for an export or a backup: everything that the interface lets us read. */
import { FatalError, ItemError, type TransferError } from "../errors.ts";
import { remarkAt } from "./call.ts";
import { getCourse, getPreference, getUser, getWorkout } from "./client.ts";
import type { Connection } from "./connection.ts";
import type { CourseRead, PreferenceRead, TrainingPlanRead, UserRead, WorkoutRead } from "./decode.ts";
import {
  type Listing,
  listAllCourses,
  listAllTrainingPlans,
  listAllWorkouts,
  type MarkedEquipment,
  markedEquipment,
} from "./listing.ts";
import { ASSUMED_OPERATIONS, OPERATIONS, type Operation } from "./operations.ts";

/** One record of the log, as read. The user and the preference exist once and have the id `me`. */
export type LogRecord =
  | { readonly kind: "user"; readonly id: string; readonly value: UserRead }
  | { readonly kind: "preference"; readonly id: string; readonly value: PreferenceRead }
  | { readonly kind: "equipment"; readonly id: string; readonly value: MarkedEquipment }
  | { readonly kind: "course"; readonly id: string; readonly value: CourseRead }
  | { readonly kind: "training-plan"; readonly id: string; readonly value: TrainingPlanRead }
  | { readonly kind: "workout"; readonly id: string; readonly value: WorkoutRead };

/** Progress of the reading. */
export interface ReadProgress {
  readonly kind: LogRecord["kind"];
  /** Records of this kind so far: given, and passed over. */
  readonly done: number;
  readonly passedOver: number;
  /** Number of records of this kind, if the listing says it. */
  readonly total: number | undefined;
  /** The current wait, if there is one (`Pacing.waiting`). */
  readonly waiting: string | undefined;
}

/** Selects parts of the log. Without a selection, everything is read. */
export interface ReadSelection {
  readonly kinds?: ReadonlySet<LogRecord["kind"]>;
  /** Called with each summary of the listing, which may lack any field. Only workouts for which it returns true are read in full. */
  readonly wantsWorkout?: (summary: WorkoutRead) => boolean;
}

/**
 * Reads the log or the selected parts of it: user, preference, equipment (also retired), courses, training plans, then every workout in
 * full, in the order of the listing. Memory holds the ids and a few records.
 *
 * A listed record may be missing afterwards (404), or the service may refuse to give it. Such a record is passed over with an issue on the
 * connection's `report`. The same goes for a listing that the service doesn't have, and for a user that may not be read.
 *
 * @throws the RetryableError and FatalError of `Connection.send`; after that no more records come
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

/** A listing of the wanted entries only. Their number is unknown. */
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

/** Listed records of one kind, and how to get one of them. */
interface InFull<K, T> {
  readonly kind: K;
  readonly operation: Operation;
  readonly read: (connection: Connection, id: string, signal: AbortSignal) => Promise<T>;
  readonly listing: Listing<object>;
}

/** Gets every listed record, several at once, and gives them in the order of the list. */
async function* inFull<K extends "course" | "workout", T>(
  connection: Connection,
  { kind, operation, read, listing }: InFull<K, T>,
  signal: AbortSignal,
  tell: Tell,
): AsyncGenerator<{ readonly kind: K; readonly id: string; readonly value: T }> {
  // A caller that stops early must not leave requests behind.
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
      // The promise is awaited when its turn comes. Until then, this keeps a failure from counting as unhandled.
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

/** Returns the record that was read; undefined, with an issue, if the service doesn't have it or refuses it. */
async function passOver<T>(
  connection: Connection,
  operation: Operation,
  id: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    // A service may withhold private information while the log itself is open. If the token is bad instead, the next request fails.
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
