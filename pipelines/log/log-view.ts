/**
 * The log as planning sees it: whose it is, in which units it is written, and what it holds, by listings alone.
 */
import { createHash } from "node:crypto";
import { type ActivityTypeRead, readActivityTypes, readNumbers } from "../../connectors/api/activity-types.ts";
import { getPreference, getUser } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import {
  courseFromWire,
  equipmentFromWire,
  type LogNumbers,
  preferenceFromWire,
} from "../../connectors/api/from-wire.ts";
import {
  type Listed,
  listAllCourses,
  listAllEquipment,
  listAllWorkouts,
  workoutsPage,
} from "../../connectors/api/listing.ts";
import type { UserRead, WorkoutRead } from "../../connectors/api/wire.ts";
import { FatalError } from "../../connectors/errors.ts";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { courseIdentity, equipmentIdentity } from "../../transforms/identity.ts";
import type { Preference } from "../../transforms/model/account.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { inMetres, type Measure, unitSpelt } from "../../transforms/units.ts";
import type { LogCapabilities } from "../compare-with-log.ts";
import type { AccountRef, LogEntry } from "../journal/journal.ts";
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
  list(kind: Kind, signal: AbortSignal): Promise<AsyncIterable<LogEntry> | undefined>;
  /** A page of the listing of workouts, from an entry on, counted from 0; undefined where there is none, or one without ids. */
  page?(offset: number, signal: AbortSignal): Promise<LogPage | undefined>;
  /** The numbers of activities and workout types as the log itself lists them, where it does; those that a table of ours can name. */
  numbers?(signal: AbortSignal): Promise<LogNumbers | undefined>;
  /** What the log itself calls its activities and their kinds of training, where it lists them. */
  activityTypes?(signal: AbortSignal): Promise<readonly ActivityTypeRead[] | undefined>;
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
export async function readLogView(connection: Connection, signal: AbortSignal): Promise<LogView> {
  const read = await getPreference(connection, signal);
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
  return {
    account: accountOf(user, connection.host),
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
    async list(kind, stop) {
      const listing = await list(connection, kind, stop);
      if (listing !== undefined) listed.add(kind);
      return listing;
    },
    async page(offset, stop) {
      const page = await workoutsPage(connection, offset, stop);
      return page && { entries: page.entries.map(workoutEntry), total: page.numEntries };
    },
    numbers: (stop) => readNumbers(connection, stop),
    activityTypes: (stop) => readActivityTypes(connection, stop),
    waiting: () => connection.waiting(),
  };
}

/**
 * Whose log a token opens, and nothing else of it.
 *
 * @throws FatalError reason `login` when the token is refused, reason `service` when this is no such service
 */
export async function readAccount(connection: Connection, signal: AbortSignal): Promise<AccountRef> {
  await getPreference(connection, signal);
  return accountOf(await readUser(connection, signal), connection.host);
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
  signal: AbortSignal,
): Promise<AsyncIterable<LogEntry> | undefined> {
  switch (kind) {
    case "workout": {
      const listing = await listAllWorkouts(connection, signal);
      return listing && mapped(listing, workoutEntry);
    }
    case "course": {
      const listing = await listAllCourses(connection, signal);
      return (
        listing &&
        mapped(listing, (read) => {
          const { course } = courseFromWire(read);
          return { kind: "course", id: read.id, identity: courseIdentity(course), name: course.name };
        })
      );
    }
    case "equipment":
      return mapped(listAllEquipment(connection, { showRetired: true }, signal), (read) => ({
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
    ...(read.activityID !== undefined && { activityID: read.activityID }),
    ...(facts !== undefined && { facts }),
  };
}

/** What the owner is called where the log withholds the name. Two nameless logs at one service can't be told apart. */
export const NAMELESS = "the owner of the token";

/** The account's mark in the journal: a hash, so that the journal holds no e-mail address. */
export function accountOf(user: UserRead, host: string): AccountRef {
  const email = user.person?.email ?? "";
  return {
    baseUrl: host,
    userHash: createHash("sha256")
      .update(`${user.screenName ?? ""}\u0000${email}`)
      .digest("hex"),
    name: user.screenName ?? (email === "" ? NAMELESS : email),
  };
}

async function* mapped<T>(listing: AsyncIterable<T>, toEntry: (read: T) => LogEntry): AsyncIterable<LogEntry> {
  for await (const read of listing) yield toEntry(read);
}
