/**
 * The log as planning sees it: whose it is, in which units it is written, and what it holds, by listings alone.
 */

import { createHash } from "node:crypto";
import { type ActivityTypeRead, readActivityTypes } from "../../connectors/api/activity-types.ts";
import { getPreference, getUser, getWorkout } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import { courseFromWire, equipmentFromWire, preferenceFromWire } from "../../connectors/api/from-wire.ts";
import {
  type Listed,
  type Listing,
  listAllCourses,
  listAllEquipment,
  listAllWorkouts,
  workoutsPage,
} from "../../connectors/api/listing.ts";
import type { PreferenceRead, UserRead, WorkoutRead } from "../../connectors/api/wire.ts";
import { FatalError, ItemError } from "../../connectors/errors.ts";
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

/** Read once, before planning: "preference and equipment are read before planning". */
export interface LogView {
  readonly account: AccountRef;
  /** What the log says of the person whose it is. */
  readonly owner: LogOwner;
  readonly preference: Preference;
  /** What the service can list, as its listings showed so far: before any, it can list nothing. */
  readonly capabilities: LogCapabilities;
  /** A fresh listing of everything of a kind; undefined where the service has none. */
  readonly list: ListLog;
  /** A page of the listing of workouts, from an entry on, counted from 0; undefined where there is none, or one without ids. */
  page?(offset: number, signal: AbortSignal): Promise<LogPage | undefined>;
  /** What the log itself calls its activities and their kinds of training, where it lists them. */
  activityTypes?(signal: AbortSignal): Promise<readonly ActivityTypeRead[] | undefined>;
  /** What the log calls the activity of one of its workouts; undefined where it is gone, or says nothing. */
  activityNameOf?(workout: string, signal: AbortSignal): Promise<string | undefined>;
  /** What the connection waits for, for the progress line. */
  waiting(): string | undefined;
}

/** Some of a listing. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Of the whole listing, as the service says; undefined where it doesn't. */
  readonly total: number | undefined;
}

/**
 * Reads whose log it is and its units, by two requests; what the service can list is seen when it is listed.
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
      // A cache that tells listings apart by their paging alone has not seen this one.
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
        // One that can't be read only leaves its number without a name.
        if (error instanceof ItemError) return undefined;
        throw error;
      }
    },
    waiting: () => connection.waiting(),
  };
}

/**
 * Whose log a token opens, and nothing else of it.
 *
 * @throws FatalError reason `login` when the token is refused, reason `service` when this is no such service
 */
export async function readAccount(connection: Connection, signal: AbortSignal): Promise<AccountRef> {
  await firstPreference(connection, signal);
  return toAccountRef(await readUser(connection, signal), connection.host);
}

/** The preference, which is asked for first. @throws as `getPreference`; of a token that isn't taken, saying so */
export async function firstPreference(connection: Connection, signal: AbortSignal): Promise<PreferenceRead> {
  try {
    return await getPreference(connection, signal);
  } catch (error) {
    if (!(error instanceof FatalError) || error.code !== "api/http-401") throw error;
    const message = `The log at ${connection.host} doesn't accept this access token: it answered 401`;
    throw new FatalError(error.code, error.reason, message, { cause: error });
  }
}

/** "The user must have granted access to private information": without it the log itself is open, and only nameless. */
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
      }));
  }
}

/** A workout of a listing by what it is recognised by; one without a date can't be, and is only counted. */
function workoutEntry(read: Listed<WorkoutRead>): LogEntry {
  const distance = read.details?.distance;
  const unit = distance === undefined ? undefined : unitSpelt("distance", distance.unit);
  const metres =
    distance === undefined || unit === undefined
      ? undefined
      : inMetres({ unit, value: distance.value } as Measure<"distance">);
  const seconds = read.details?.duration;
  const facts: WorkoutFacts | undefined =
    read.date === undefined
      ? undefined
      : {
          // The log says the number only; whoever asks compares numbers first.
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

/** What the owner is called where the log withholds the name. Two nameless logs at one service can't be told apart. */
export const NAMELESS = "the owner of the token";

/** The account's mark in the journal: a hash, so that the journal holds no e-mail address. */
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

/** A listing whose owner says that its pages are right and its total is not. */
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

/** What of the log could be listed: where it can't, only the journal tells what is there. */
export interface LogCapabilities {
  readonly listsWorkouts: boolean;
  readonly listsCourses: boolean;
}
