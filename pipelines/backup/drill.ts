/** Reads a restored log back and compares it with the snapshot, record by record and field by field. */

import { getAsGiven } from "../../connectors/api/as-given.ts";
import { getCourse, getWorkout } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { LogNumbers } from "../../connectors/api/from-wire.ts";
import { coursesListed, equipmentListed, workoutsListed } from "../../connectors/api/stable-listing.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { keyInSnapshot, recordsOfSnapshot, type SnapshotRecord } from "../../connectors/repository/source.ts";
import { readIfThere } from "../../connectors/sink.ts";
import type { Activity } from "../../transforms/activities.ts";
import { type Kind, LOADING_ORDER } from "../../transforms/model/item.ts";
import { unitSpelt } from "../../transforms/units.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Difference, Run } from "../journal/run.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import { differencesBetween } from "../log/compare-bodies.ts";
import type { ActivitiesMet } from "./restore-numbers.ts";

/** A field that came back differently, or a record that didn't come back. */
export interface DrillDifference {
  readonly kind: SnapshotRecord["kind"];
  /** The id in the snapshot. */
  readonly id: string;
  readonly field: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** The findings of a drill. */
export interface DrillResult {
  /** The number of compared records. */
  readonly records: number;
  /** The first differences; `differing` counts all of them. */
  readonly differences: readonly DrillDifference[];
  readonly differing: number;
  /** Differences in values that the interface can't set, counted by kind or field. */
  readonly notSet: Readonly<Record<string, number>>;
}

/** The data for comparing. */
export interface DrillContext {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
  /** The log of the restore, which was empty before. */
  readonly connection: Connection;
  /** The snapshot's own log, if it can be asked. One record in `ONE_IN` is also compared with that log's answer. */
  readonly original?: Connection | undefined;
  readonly journal: JournalReader;
  readonly run: Run;
  readonly activities: ActivitiesMet;
  /** The numbers of the snapshot's activities in the restored log. */
  readonly numbers: LogNumbers;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: string, done: number) => void;
}

/** The most differences that are kept. All of them are counted. */
const MOST_KEPT = 100;

/** Fields that the log sets itself, or that the interface can't save. */
const NEVER_SAVED: ReadonlySet<string> = new Set(["brandID", "modelID", "distance", "retired"]);

/**
 * Compares all records of a snapshot with the log that it was restored into.
 *
 * @throws FatalError `repository/damaged`; the errors of reading the log
 */
export async function compareRestored(context: DrillContext): Promise<DrillResult> {
  const { repository, snapshot, connection, journal, run, concurrency, signal } = context;
  const differences: DrillDifference[] = [];
  const notSet = new Map<string, number>();
  const counts = { equipment: 0, course: 0, workout: 0 };
  let differing = 0;
  let records = 0;
  const differs = (difference: DrillDifference) => {
    differing++;
    if (differences.length < MOST_KEPT) differences.push(difference);
  };
  const lost = (what: string) => notSet.set(what, (notSet.get(what) ?? 0) + 1);
  const equipment = new Map((await equipmentListed(connection, signal)).map((piece) => [piece.id, piece]));
  const read = (kind: Kind, id: string): Promise<object | undefined> =>
    kind === "workout"
      ? getWorkout(connection, id, signal)
      : kind === "course"
        ? getCourse(connection, id, signal)
        : Promise.resolve(equipment.get(id));

  await forEachConcurrently(recordsOfSnapshot(repository, snapshot), concurrency, signal, async ({ kind, value }) => {
    if (kind !== "equipment" && kind !== "course" && kind !== "workout") {
      lost(kind);
      return;
    }
    const place = counts[kind]++;
    const id = String(value.id);
    const key = keyInSnapshot(kind, id);
    const remoteRecord = (await journal.remoteRecord(key))?.remoteId;
    const found = remoteRecord === undefined ? undefined : await readIfThere(() => read(kind, remoteRecord));
    context.onProgress("reading back", ++records);
    if (found === undefined) {
      const line = await journal.lineWithKey(run.id, key);
      differs({ kind, id, field: "id", expected: id, found: line && `${line.state}: ${line.reason ?? ""}` });
      return;
    }
    let isSame = true;
    const expected = await inThatLog(value, kind, context);
    for (const { field, ...sides } of differencesBetween(comparable(expected), comparable(found))) {
      const [top = ""] = field.split(".");
      const isNever = kind === "equipment" && NEVER_SAVED.has(top);
      if (isNever || top === "extra") lost(`${kind} ${top}`);
      else {
        isSame = false;
        differs({ kind, id, field, ...sides });
      }
    }
    const { original } = context;
    const isDue = original !== undefined && isSame && place % ONE_IN === 0;
    if (!isDue || remoteRecord === undefined || kind === "equipment") return;
    const there = { connection: original, id };
    const pair = { kind, original: there, restored: { connection, id: remoteRecord } };
    for (const difference of (await readIfThere(() => differencesAsGiven(pair, signal))) ?? []) {
      differs({ kind, id, ...difference });
    }
  });
  // The totals show records that were created twice, or that should not exist.
  const there = {
    equipment: equipment.size,
    course: (await coursesListed(connection, signal, () => 1))?.length,
    workout: (await workoutsListed(connection, signal, () => 1))?.length,
  };
  for (const kind of LOADING_ORDER) {
    if (there[kind] !== counts[kind] && !signal.aborted)
      differs({ kind, id: "*", field: "records", expected: counts[kind], found: there[kind] });
  }
  return { records, differences, differing, notSet: Object.fromEntries(notSet) };
}

/** A record of the snapshot, with the ids and numbers of the restored log. */
async function inThatLog(
  value: SnapshotRecord["value"],
  kind: Kind,
  { journal, activities, numbers }: DrillContext,
): Promise<SnapshotRecord["value"]> {
  const { activityID, workoutID, course, equipment } = value as {
    readonly activityID?: number;
    readonly workoutID?: number;
    readonly course?: { readonly id: string };
    readonly equipment?: readonly { readonly id: string }[];
  };
  const idOf = async (as: Kind, { id }: { readonly id: string }) => ({
    id: (await journal.remoteRecord(keyInSnapshot(as, id)))?.remoteId ?? id,
  });
  const activity = activities.activity(activityID);
  const type = activities.type(activityID, workoutID);
  const types: Readonly<Record<string, number | undefined>> =
    activity === undefined ? {} : (numbers.workoutIDs[activity] ?? {});
  return {
    ...value,
    ...(activityID !== undefined && { activityID: numbers.activityIDs[activity as Activity] ?? activityID }),
    ...(workoutID !== undefined && { workoutID: types[type ?? ""] ?? workoutID }),
    ...(kind === "workout" && course !== undefined && { course: await idOf("course", course) }),
    ...(kind === "workout" &&
      equipment !== undefined && { equipment: await Promise.all(equipment.map((one) => idOf("equipment", one))) }),
  };
}

/** A record without its own id, and without the names that a log shows for numbers and ids. */
function comparable(record: object): Record<string, unknown> {
  const { id: _id, activityName: _a, workoutName: _w, course, equipment, ...rest } = record as Record<string, unknown>;
  const idOf = (one: unknown) => ({ id: (one as { id?: unknown }).id });
  return {
    ...rest,
    ...(course !== undefined && { course: idOf(course) }),
    ...(Array.isArray(equipment) && { equipment: equipment.map(idOf) }),
  };
}

// Compares the raw answers of the log and of the restored log. If our reader leaves out a field, the snapshot lacks it, too. Comparing with
// the snapshot alone would never show that.

/** One record in this many is read again. A moment ago the whole log was read. */
const ONE_IN = 20;

/** Fields of a save in the document, without numbers and ids, because another log has its own. */
const FIELDS = {
  workout: ["date", "timeOfDay", "notes", "details", "health", "intervalSet", "raceStats", "ratings", "weather"],
  course: ["name", "notes", "distance", "surfaces"],
} as const;

/** One record in two logs. */
interface InTwoLogs {
  readonly kind: keyof typeof FIELDS;
  readonly original: { readonly connection: Connection; readonly id: string };
  readonly restored: { readonly connection: Connection; readonly id: string };
}

/** The differences between the answers of two logs about one record. Throws as `getWorkout`. */
async function differencesAsGiven(
  { kind, original, restored }: InTwoLogs,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  const [given, back] = await Promise.all(
    [original, restored].map(({ connection, id }) => getAsGiven(connection, kind, id, signal)),
  );
  return differencesBetween(plain(kind, given), plain(kind, back));
}

/** The fields to compare, each in one spelling. Some services write numbers as texts, and units in words. */
function plain(kind: keyof typeof FIELDS, given: unknown): Record<string, unknown> {
  const record = { ...(given as Record<string, unknown>) };
  record.timeOfDay ??= record.time;
  const entries = FIELDS[kind].map((name) => [name, plainValue(record[name], name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function plainValue(value: unknown, name: string): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  if (name === "conditions" || name === "surfaces") return plainFlags(value);
  if (name === "unit")
    return (
      ["distance", "weight", "temperature"].map((of) => unitSpelt(of as "distance", String(value))).find(Boolean) ??
      value
    );
  if (name === "timeOfDay") return String(value).slice(0, 5);
  if (Array.isArray(value)) return value.map((member) => plainValue(member, ""));
  if (typeof value === "object") {
    const members = Object.entries(value as object)
      .map(([member, inner]) => [member, plainValue(inner, member)] as const)
      .filter(([, inner]) => inner !== undefined);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const isNumber =
    typeof value === "string" && !TEXTS.has(name) && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

const TEXTS: ReadonlySet<string> = new Set(["notes", "name", "type", "id", "date"]);

/** Flags as words. The comparison of records treats a false flag like a missing one, but here the two differ. */
function plainFlags(value: unknown): unknown {
  const flags = Array.isArray(value) ? value.map((flag) => [String(flag), true]) : Object.entries(value as object);
  const told = flags
    .filter(([, flag]) => flag !== null)
    .map(([name, flag]) => [name, SET.has(flag) ? "set" : "not set"]);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

const SET: ReadonlySet<unknown> = new Set([true, "true", 1]);
