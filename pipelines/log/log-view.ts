/** The log as planning sees it: its owner, its units, and its records. The records come from listings only. */

import { createHash } from "node:crypto";
import { type ActivityTypeRead, readActivityTypes } from "../../connectors/api/activity-types.ts";
import { getPreference, getUser, getWorkout } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { PreferenceRead, UserRead, WorkoutRead } from "../../connectors/api/decode.ts";
import {
  courseFromWire,
  equipmentFromWire,
  type LogNumbers,
  preferenceFromWire,
} from "../../connectors/api/from-wire.ts";
import {
  type Listed,
  type Listing,
  listAllCourses,
  listAllEquipment,
  listAllWorkouts,
  workoutsPage,
} from "../../connectors/api/listing.ts";
import { FatalError, ItemError } from "../../connectors/errors.ts";
import type { ReadResult } from "../../connectors/sink.ts";
import { LISTING_LIMIT } from "../../transforms/assumptions.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import type { Preference } from "../../transforms/model/account.ts";
import { defined } from "../../transforms/model/defined.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/model/identity.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { inMetres, type Measure, unitSpelt } from "../../transforms/units.ts";
import type { AccountRef, LogEntry } from "../journal/remote-record.ts";
import type { ListLog, LogListing } from "./log-listing.ts";
import { type LogOwner, ownerOf } from "./owner.ts";
import { readWholeWorkout, type WholeWorkout } from "./whole-workout.ts";

/** The view of a log. The owner and the preference are read once, because "preference and equipment are read before planning". */
export interface LogView {
  readonly account: AccountRef;
  /** The owner of the log, according to the log. */
  readonly owner: LogOwner;
  readonly preference: Preference;
  /** The kinds that the service can list, as its listings have shown so far. Before the first listing, this is none. */
  readonly capabilities: LogCapabilities;
  /** Makes a fresh listing of all records of a kind; undefined when the service has none. */
  readonly list: ListLog;
  /**
   * A page of the workout listing from an offset on, counted from 0. It is undefined when there is no listing, or its entries have no ids.
   */
  page?(offset: number, signal: AbortSignal): Promise<LogPage | undefined>;
  /** The log's own names of its activities and training types; undefined when the log doesn't list them. */
  activityTypes?(signal: AbortSignal): Promise<readonly ActivityTypeRead[] | undefined>;
  /** The log's name for the activity of a workout. It is undefined when the workout is gone or names no activity. */
  activityNameOf?(workout: string, signal: AbortSignal): Promise<string | undefined>;
  /** Reads a workout with all its fields. */
  readWorkout?(id: string, numbers: LogNumbers, signal: AbortSignal): Promise<ReadResult<WholeWorkout>>;
  /** The reason why the connection is waiting, for the progress line. */
  waiting(): string | undefined;
}

/** A part of a listing. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** The number of entries in the whole listing, according to the service; undefined when the service gives none. */
  readonly total: number | undefined;
}

/**
 * Reads the owner and the units of a log with two requests. Later listings show what the service can list.
 *
 * @throws FatalError reason `login` when the token is refused; `log/no-units` when the preference doesn't name the units
 */
export async function readLogView(
  connection: Connection,
  signal: AbortSignal,
  { trustsList = false }: { readonly trustsList?: boolean } = {},
): Promise<LogView> {
  const read = await firstPreference(connection, signal);
  if (read.distanceUnit === undefined || unitSpelt("distance", read.distanceUnit) === undefined) {
    throw new FatalError(
      "log/no-units",
      "service",
      `Cannot use the log at ${connection.host}: its preference names no unit of distance that we know. Set it in the log first.`,
    );
  }
  const preference = preferenceFromWire(read, connection.report);
  const user = await readUser(connection, signal);
  const listed = new Set<Kind>();
  let looks = 0;
  return {
    account: toAccountRef(user, connection.host),
    owner: ownerOf(user),
    preference,
    capabilities: {
      get listsWorkouts() {
        return listed.has("workout");
      },
      get listsCourses() {
        return listed.has("course");
      },
    },
    async list(kind, stop, isAnotherLook = false) {
      // A cache may distinguish listings by their paging only. With this new limit, it can't have the answer.
      const limit = isAnotherLook ? LISTING_LIMIT - 1 - (looks++ % (LISTING_LIMIT / 2)) : LISTING_LIMIT;
      const listing = await list(connection, kind, limit, stop);
      if (listing !== undefined) listed.add(kind);
      return listing && trustsList ? believed(listing) : listing;
    },
    async page(offset, stop) {
      const page = await workoutsPage(connection, offset, stop);
      return page && { entries: page.entries.map(workoutEntry), total: page.numEntries };
    },
    activityTypes: (stop) => readActivityTypes(connection, stop),
    activityNameOf: async (workout, stop) => {
      try {
        return (await getWorkout(connection, workout, stop)).activityName;
      } catch (error) {
        // If the workout can't be read, only the name of its activity stays unknown.
        if (error instanceof ItemError) return undefined;
        throw error;
      }
    },
    readWorkout: (id, numbers, stop) => readWholeWorkout(connection, id, numbers, stop),
    waiting: () => connection.waiting(),
  };
}

/**
 * Reads the account that a token opens, and nothing else of the log.
 *
 * @throws FatalError reason `login` when the token is refused, reason `service` when the service is no training log
 */
export async function readAccount(connection: Connection, signal: AbortSignal): Promise<AccountRef> {
  await firstPreference(connection, signal);
  return toAccountRef(await readUser(connection, signal), connection.host);
}

/**
 * Reads the preference. This is the first request to a log.
 *
 * @throws the errors of `getPreference`; for a refused token, an error that says so
 */
export async function firstPreference(connection: Connection, signal: AbortSignal): Promise<PreferenceRead> {
  try {
    return await getPreference(connection, signal);
  } catch (error) {
    if (!(error instanceof FatalError) || error.code !== "api/http-401") throw error;
    const message = `The log at ${connection.host} doesn't accept this access token: it answered 401`;
    throw new FatalError(error.code, error.reason, message, { cause: error });
  }
}

/**
 * Reads the user. "The user must have granted access to private information": without this access the log can still be used, but its owner
 * has no name.
 */
export async function readUser(connection: Connection, signal: AbortSignal): Promise<UserRead> {
  try {
    return await getUser(connection, signal);
  } catch (error) {
    if (!(error instanceof FatalError) || error.code !== "api/http-403") throw error;
    connection.report({
      severity: "warning",
      rule: "log/user-withheld",
      expected: "access to the user's name, to tell accounts apart",
    });
    return {};
  }
}

async function list(
  connection: Connection,
  kind: Kind,
  limit: number,
  signal: AbortSignal,
): Promise<LogListing | undefined> {
  switch (kind) {
    case "workout": {
      const listing = await listAllWorkouts(connection, signal, { limit });
      return listing && mapped(listing, workoutEntry);
    }
    case "course": {
      const listing = await listAllCourses(connection, signal, { limit });
      return (
        listing &&
        mapped(listing, (read) => {
          const { course } = courseFromWire(read);
          return { kind: "course", id: read.id, identity: courseIdentity(course), name: course.name };
        })
      );
    }
    case "equipment":
      return mapped(listAllEquipment(connection, { showRetired: true }, signal, { limit }), (read) => ({
        kind: "equipment",
        id: read.id,
        identity: equipmentIdentity(equipmentFromWire(read).equipment, read.activityID),
        name: [read.brandName, read.modelName].filter((part) => part !== undefined).join(" "),
        ...defined({ metres: metresOf(read.distance) }),
      }));
  }
}

/** A distance in metres; undefined in a unit that nobody knows. */
function metresOf(distance: { readonly unit: string; readonly value: number } | undefined): number | undefined {
  const unit = distance === undefined ? undefined : unitSpelt("distance", distance.unit);
  return distance === undefined || unit === undefined
    ? undefined
    : inMetres({ unit, value: distance.value } as Measure<"distance">);
}

/** Turns a listed workout into the values that identify it. A workout without a date can't be recognised, and is only counted. */
function workoutEntry(read: Listed<WorkoutRead>): LogEntry {
  const metres = metresOf(read.details?.distance);
  const seconds = read.details?.duration;
  const facts: WorkoutFacts | undefined =
    read.date === undefined
      ? undefined
      : {
          // The log gives only the number of the activity. Callers compare the numbers first.
          activity: undefined,
          date: read.date,
          time: read.timeOfDay,
          instant: undefined,
          metres: metres === undefined || metres <= 0 ? undefined : metres,
          seconds: seconds === undefined || seconds <= 0 ? undefined : seconds,
        };
  return {
    kind: "workout",
    id: read.id,
    ...defined({ activityID: read.activityID, activityName: read.activityName, facts }),
  };
}

/** The name of the owner if the log withholds it. logferry can't distinguish two such logs at one service. */
export const NAMELESS = "the owner of the token";

/** The account's identity in the journal. It is a hash, so that the journal contains no e-mail address. */
export function toAccountRef(user: UserRead, host: string): AccountRef {
  const email = user.person?.email ?? "";
  return {
    baseUrl: host,
    userHash: createHash("sha256")
      .update(`${user.screenName ?? ""}\u0000${email}`)
      .digest("hex"),
    name: user.screenName ?? (email === "" ? NAMELESS : email),
  };
}

/** Accepts a listing with a wrong total, because a person confirmed that its pages are complete. */
function believed(listing: LogListing): LogListing {
  return {
    get doubt() {
      return listing.doubtOf === "count" ? undefined : listing.doubt;
    },
    [Symbol.asyncIterator]: () => listing[Symbol.asyncIterator](),
  };
}

function mapped<T>(listing: Listing<T>, toEntry: (read: Listed<T>) => LogEntry): LogListing {
  return {
    get doubt() {
      return listing.doubt;
    },
    get doubtOf() {
      return listing.doubtOf;
    },
    async *[Symbol.asyncIterator]() {
      for await (const read of listing) yield toEntry(read);
    },
  };
}

/** The kinds that the log can list. For the other kinds, only the journal knows the records of the log. */
export interface LogCapabilities {
  readonly listsWorkouts: boolean;
  readonly listsCourses: boolean;
}
