/**
 * Makes a backup: the whole log as a snapshot. If a record's entry in the listing is unchanged, its data comes from the previous snapshot.
 * All other records are read in full. A listing doesn't show every value of a record (an effort, a heart rate), so every few days
 * everything is read.
 */
import type { LogRecord } from "../../connectors/api/source.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type Damage, KINDS } from "../../connectors/repository/layout.ts";
import { isToCome } from "../../connectors/repository/newest.ts";
import { type Chunk, recordsOf, type Snapshot, type SnapshotBody } from "../../connectors/repository/snapshot.ts";
import { inZone } from "../../transforms/calendar.ts";
import { takeRepositoryLock } from "../journal/lock.ts";
import { readUser, toAccountRef } from "../log/log-view.ts";
import { type EarlierChunks, readEarlier } from "./earlier-chunks.ts";
import { LogReader, type LogReading, stopIfAsked } from "./read-log.ts";

/** The settings of a backup. */
export interface BackupContext extends LogReading {
  /** Read every record in full. */
  readonly full: boolean;
  /** Days between two full passes; 0 makes every pass a full one. */
  readonly fullEvery: number;
  readonly version: string;
  /** The machine's zone, which decides the day of a snapshot. */
  readonly zone: string;
  readonly now: () => number;
}

/** The result of a backup. */
export interface BackupResult {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot | undefined;
  /** Records that were read in full, one by one. */
  readonly readInFull: number;
  /** Records from an interrupted backup: its start, and their number. */
  readonly resumed: { readonly since: string; readonly records: number } | undefined;
  /** Growth of the repository in bytes, without the snapshot itself. */
  readonly written: number;
  /** Damage found in the repository. The backup writes the damaged data that it needs again. */
  readonly damaged: readonly Damage[];
  /** Snapshots from the future: the clock was wrong when they were made, or is wrong now. */
  readonly toCome: readonly Snapshot[];
  /**
   * Kinds with far fewer records than in the previous snapshot. Somebody should look, because the listing may come from a failing service.
   */
  readonly shrunk: readonly Shrunk[];
}

/** The previous and the current number of records of a kind. */
export interface Shrunk {
  readonly kind: LogRecord["kind"];
  readonly before: number;
  readonly now: number;
}

/**
 * Backs up a log.
 *
 * @throws FatalError `repository/locked`, `repository/other-log`; `backup/no-listing` if the service lists no workouts;
 * `api/listing-moves`; and the errors of reading and of the disk. No snapshot is made then
 */
export async function backUp(context: BackupContext): Promise<BackupResult> {
  const { repository, connection, signal } = context;
  using _lock = takeRepositoryLock(repository.root);
  const user = await readUser(connection, signal);
  const { baseUrl: host, ...owner } = toAccountRef(user, connection.host);
  const log = { host, ...owner };
  const { snapshots, damaged } = await repository.readSnapshots();
  const isComing = (one: Snapshot) => isToCome(one, context.now());
  const previous = snapshots.findLast((one) => !isComing(one)) ?? snapshots.at(-1);
  refuseOtherLog(repository.root, previous, log);
  await repository.prepareToWrite();
  const time = new Date(context.now());
  const lastFull = previous === undefined ? Number.NEGATIVE_INFINITY : Date.parse(previous.fullAt);
  const sinceFull = time.getTime() - lastFull;
  // A full pass from the future comes from a wrong clock. It would count as the last one for a long time.
  const isFull = context.full || sinceFull < 0 || sinceFull >= context.fullEvery * DAY_MS;
  const before = await readEarlier(repository, previous, damaged);
  const cutOff = isFull ? await findCutOff(context, previous, log) : undefined;
  const bodyOf = (startedAt: string): SnapshotBody => ({
    format: "logferry-snapshot",
    version: 1,
    time: startedAt,
    day: inZone(time.getTime(), context.zone).date,
    logferry: context.version,
    log,
    pass: isFull ? "full" : "changes",
    fullAt: isFull || previous === undefined ? startedAt : previous.fullAt,
    unread: [],
    pieces: [],
  });
  // Only a full pass is remembered, because any other pass continues from the previous snapshot.
  const unfinished = bodyOf(cutOff?.snapshot.time ?? time.toISOString());
  const remember = (pieces: readonly Chunk[]) => repository.writeUnfinished({ ...unfinished, pieces });
  const reader = new LogReader(context, {
    before,
    isFull,
    cutOff: cutOff?.before,
    remember: isFull ? remember : undefined,
  });
  const pieces = await reader.readEverything(user);
  stopIfAsked(signal);
  const resumed = cutOff && reader.resumed > 0 ? { since: cutOff.snapshot.time, records: reader.resumed } : undefined;
  const snapshot = await repository.writeSnapshot({
    ...bodyOf(time.toISOString()),
    // The records from before the interruption may have been edited since, in fields that no listing shows. So the snapshot gets the
    // start of that backup as the time of its full pass.
    ...(resumed !== undefined && { pass: "changes", fullAt: resumed.since }),
    unread: reader.unread,
    pieces,
  });
  await repository.dropUnfinished();
  return {
    snapshot,
    previous,
    readInFull: reader.readInFull,
    resumed,
    written: reader.written,
    damaged: before.damaged,
    toCome: snapshots.filter(isComing),
    shrunk: previous === undefined ? [] : shrunkBetween(previous, snapshot),
  };
}

const DAY_MS = 86_400_000;

function refuseOtherLog(repository: string, previous: Snapshot | undefined, log: SnapshotBody["log"]): void {
  if (previous === undefined || (previous.log.host === log.host && previous.log.userHash === log.userHash)) return;
  throw new FatalError(
    "repository/other-log",
    "source",
    `Cannot back up the log of ${log.name} at ${log.host} into ${repository}: it holds that of ${previous.log.name} at ${previous.log.host}. Name another folder.`,
  );
}

/**
 * The records that an interrupted full pass had read. logferry resumes that pass only while it is younger than `fullEvery` days. Then the
 * next full pass reads all of its records again in time.
 */
async function findCutOff(
  { repository, full, fullEvery, now }: BackupContext,
  previous: Snapshot | undefined,
  log: SnapshotBody["log"],
): Promise<{ readonly snapshot: Snapshot; readonly before: EarlierChunks } | undefined> {
  const snapshot = full ? undefined : await repository.readUnfinished();
  if (snapshot === undefined || snapshot.log.host !== log.host || snapshot.log.userHash !== log.userHash)
    return undefined;
  const startedAt = Date.parse(snapshot.time);
  const age = now() - startedAt;
  const isOlder = previous !== undefined && startedAt <= Date.parse(previous.time);
  if (isOlder || age < 0 || age >= fullEvery * DAY_MS) return undefined;
  return { snapshot, before: await readEarlier(repository, snapshot, []) };
}

/** Fewer missing records than this are not reported. */
const FEW = 20;

/** The kinds that lost half of their records or more. */
function shrunkBetween(previous: Snapshot, snapshot: Snapshot): readonly Shrunk[] {
  return KINDS.map((kind) => ({ kind, before: recordsOf(previous, kind), now: recordsOf(snapshot, kind) })).filter(
    ({ before, now }) => before - now >= Math.max(FEW, before / 2),
  );
}
