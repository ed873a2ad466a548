/**
 * A backup: the whole log as a snapshot. What the listings show as it was is taken over from the snapshot before; the rest is read in full.
 * A listing doesn't show everything of a record (an effort, a heart rate), so every few days everything is read.
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

/** What a backup needs. */
export interface BackupContext extends LogReading {
  /** Read everything in full. */
  readonly full: boolean;
  /** Days after which everything is read in full again; 0 for each time. */
  readonly fullEvery: number;
  readonly version: string;
  /** The machine's zone: what a snapshot's day is. */
  readonly zone: string;
  readonly now: () => number;
}

/** What a backup did. */
export interface BackupResult {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot | undefined;
  /** Records that were read in full, one by one. */
  readonly readInFull: number;
  /** Records taken over from a backup that was cut off: when that began, and how many. */
  readonly resumed: { readonly since: string; readonly records: number } | undefined;
  /** Bytes the repository grew by, without the snapshot itself. */
  readonly written: number;
  /** What of the repository was found damaged: of what was needed of it, everything is written anew. */
  readonly damaged: readonly Damage[];
  /** Snapshots of a time to come: the clock was wrong when they were made, or is now. */
  readonly toCome: readonly Snapshot[];
  /** Of what the snapshot before held so much more that somebody should look: the listing may be one of a failing service. */
  readonly shrunk: readonly Shrunk[];
}

/** How many records of a kind there were, and are. */
export interface Shrunk {
  readonly kind: LogRecord["kind"];
  readonly before: number;
  readonly now: number;
}

/**
 * Backs up a log.
 *
 * @throws FatalError `repository/locked`, `repository/other-log`; `backup/no-listing` where the service
 *   lists no workouts; `api/listing-moves`; and what reading and the disk throw. No snapshot is made then
 */
export async function backUp(context: BackupContext): Promise<BackupResult> {
  const { repository, connection, signal } = context;
  const lock = takeRepositoryLock(repository.root);
  try {
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
    // Of a time to come, as by a clock that was wrong, it would be the last one for long.
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
    // Of a full pass alone: any other goes on from the snapshot before.
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
      // What was read before the cut may have been edited since where no listing shows it: as if it had been read when that backup began.
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
  } finally {
    lock.release();
  }
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
 * What a full pass that was cut off had read. It is gone on from only while it is no older than a full pass may be: then everything that it read
 * is read again by the next full pass in time.
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

/** So few may go without a word. */
const FEW = 20;

/** The kinds of which half the records or more are gone. */
function shrunkBetween(previous: Snapshot, snapshot: Snapshot): readonly Shrunk[] {
  return KINDS.map((kind) => ({ kind, before: recordsOf(previous, kind), now: recordsOf(snapshot, kind) })).filter(
    ({ before, now }) => before - now >= Math.max(FEW, before / 2),
  );
}
