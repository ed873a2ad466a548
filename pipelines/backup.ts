/**
 * A backup: the whole log as a snapshot. What the listings show as it was is taken over from the snapshot before; the rest is read in full.
 * A listing doesn't show everything of a record (an effort, a heart rate), so every few days everything is read.
 */
import { getCourse, getPreference, getWorkout } from "../connectors/api/client.ts";
import type { Connection } from "../connectors/api/connection.ts";
import type { LogRecord } from "../connectors/api/source.ts";
import {
  coursesListed,
  equipmentListed,
  trainingPlansListed,
  workoutsListed,
} from "../connectors/api/stable-listing.ts";
import { FatalError, ItemError, RetryableError } from "../connectors/errors.ts";
import { KINDS } from "../connectors/repository/layout.ts";
import { isToCome } from "../connectors/repository/newest.ts";
import { linesOf, type StoredRecord, storedRecord, sumOf } from "../connectors/repository/records.ts";
import type { Damage, Repository } from "../connectors/repository/repository.ts";
import { type Piece, recordsOf, type Snapshot, type SnapshotBody } from "../connectors/repository/snapshot.ts";
import { inZone } from "../transforms/calendar.ts";
import { takeRepositoryLock } from "./journal/lock.ts";
import { lanes } from "./load/concurrently.ts";
import { accountOf, readUser } from "./log/log-view.ts";

/** What a backup needs. */
export interface BackupContext {
  readonly connection: Connection;
  readonly repository: Repository;
  /** Read everything in full. */
  readonly full: boolean;
  /** Days after which everything is read in full again; 0 for each time. */
  readonly fullEvery: number;
  readonly version: string;
  /** The machine's zone: what a snapshot's day is. */
  readonly zone: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: string, done: number, total: number | undefined) => void;
}

/** What a backup did. */
export interface BackupResult {
  readonly snapshot: Snapshot;
  readonly previous: Snapshot | undefined;
  /** Records that were read in full, one by one. */
  readonly readInFull: number;
  /** Bytes the repository grew by, without the snapshot itself. */
  readonly written: number;
  /** What of the repository was found damaged: of what was needed of it, everything is written anew. */
  readonly damaged: readonly Damage[];
  /** Snapshots of a time to come: the clock was wrong when they were made, or is now. */
  readonly toCome: readonly Snapshot[];
  /** Of what the snapshot before held so much more that somebody should look: the listing may be one of a service in trouble. */
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
    const { baseUrl: host, ...owner } = accountOf(user, connection.host);
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
    const before = await readBefore(repository, previous, damaged);
    const work = new Work(context, before, isFull);
    const pieces = await work.readEverything(user);
    stopIfAsked(signal);
    const body: SnapshotBody = {
      format: "logferry-snapshot",
      version: 1,
      time: time.toISOString(),
      day: inZone(time.getTime(), context.zone).date,
      logferry: context.version,
      log,
      pass: isFull ? "full" : "changes",
      fullAt: isFull || previous === undefined ? time.toISOString() : previous.fullAt,
      unread: work.unread,
      pieces,
    };
    const snapshot = await repository.writeSnapshot(body);
    return {
      snapshot,
      previous,
      readInFull: work.readInFull,
      written: work.written,
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

/** What the snapshot before this one holds, of what can still be read of it. */
interface Before {
  /** By kind and part without its number: `workout 2024-02`. */
  readonly groups: ReadonlyMap<string, Group>;
  /** By kind and id: where a record is, and what its entry in the listing was. */
  readonly records: ReadonlyMap<string, { readonly group: string; readonly listed: string | undefined }>;
  readonly damaged: readonly Damage[];
}

interface Group {
  readonly pieces: readonly Piece[];
  readonly records: number;
}

async function readBefore(
  repository: Repository,
  previous: Snapshot | undefined,
  damagedSnapshots: readonly Damage[],
): Promise<Before> {
  const groups = new Map<string, { pieces: Piece[]; records: number }>();
  const records = new Map<string, { group: string; listed: string | undefined }>();
  const damaged = [...damagedSnapshots];
  for (const piece of previous?.pieces ?? []) {
    const read = await repository.readPiece(piece);
    if (typeof read === "string") {
      damaged.push({ file: piece.file, found: read });
      continue;
    }
    const name = groupOf(piece.kind, partOf(piece));
    const group = groups.get(name) ?? { pieces: [], records: 0 };
    groups.set(name, group);
    group.pieces.push(piece);
    group.records += piece.records;
    for (const { listed, value } of read) records.set(`${piece.kind} ${value.id}`, { group: name, listed });
  }
  return { groups, records, damaged };
}

/** `2024` of `2024` and of `2024-2`. */
function partOf({ part }: Piece): string {
  return /^(\d{4}|[a-z]+)/.exec(part)?.[0] ?? part;
}

function groupOf(kind: string, part: string): string {
  return `${kind} ${part}`;
}

/** An entry of a listing, with what is needed to see whether its record changed. */
interface Entry {
  readonly id: string;
  readonly listed: string;
  readonly part: string;
}

/** One reading of a log, group by group: memory holds the ids, and the records of a year. */
class Work {
  readonly unread: { kind: LogRecord["kind"]; id: string; kept: boolean }[] = [];
  readInFull = 0;
  written = 0;
  readonly #context: BackupContext;
  readonly #before: Before;
  readonly #isFull: boolean;
  #done = 0;

  constructor(context: BackupContext, before: Before, isFull: boolean) {
    this.#context = context;
    this.#before = before;
    this.#isFull = isFull;
  }

  /** @param user as it was read */
  async readEverything(user: object): Promise<readonly Piece[]> {
    const { connection, signal } = this.#context;
    const pieces: Piece[] = [];
    const keep = async (kind: LogRecord["kind"], values: readonly object[]) =>
      void pieces.push(...(await this.#write(kind, "all", values.map(stored))));
    // Withheld, the user is an empty one.
    await keep("user", Object.keys(user).length === 0 ? [] : [user]);
    await keep("preference", [await getPreference(connection, signal)]);
    await keep("equipment", byId(await equipmentListed(connection, signal)));
    await keep("training-plan", byId(await trainingPlansListed(connection, signal)));
    const courses = await coursesListed(connection, signal);
    if (courses === undefined) this.unread.push({ kind: "course", id: "*", kept: false });
    const entries = (courses ?? []).map((entry) => ({ id: entry.id, listed: sumOf(entry), part: "all" }));
    pieces.push(...(await this.#readListed("course", entries, getCourse)));
    const workouts = await workoutsListed(connection, signal);
    if (workouts === undefined) {
      const message = `Cannot back up the log at ${connection.host}: the service doesn't list its workouts`;
      throw new FatalError("backup/no-listing", "service", message);
    }
    const dated = workouts.map((entry) => ({
      id: entry.id,
      listed: sumOf(entry),
      // By the year and not by the month: a fifth less room, for which an edit rewrites some tens of kilobytes.
      part: entry.date?.slice(0, 4) ?? "undated",
    }));
    pieces.push(...(await this.#readListed("workout", dated, getWorkout)));
    return pieces;
  }

  /** The pieces of everything that is listed, group by group. */
  async #readListed(
    kind: "course" | "workout",
    entries: readonly Entry[],
    read: (connection: Connection, id: string, signal: AbortSignal) => Promise<object>,
  ): Promise<readonly Piece[]> {
    const pieces: Piece[] = [];
    this.#done = 0;
    const parts = Map.groupBy(entries, ({ part }) => part);
    for (const [part, some] of [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const group = groupOf(kind, part);
      const before = this.#before.groups.get(group);
      const changed = some.filter((entry) => this.#isFull || !this.#isAsBefore(kind, group, entry));
      if (changed.length === 0 && before?.records === some.length) {
        pieces.push(...before.pieces);
        this.#tell(kind, some.length, entries.length);
        continue;
      }
      const old = new Map((await this.#oldRecords(before)).map((record) => [String(record.value.id), record]));
      const fresh = new Map<string, StoredRecord>();
      const gone = new Set<string>();
      const unread = new Set<string>();
      const { connection, signal } = this.#context;
      await lanes(fromArray(changed), connection.pacing.inFlight, signal, async ({ id, listed }) => {
        const outcome = await valueOrTrouble(() => read(connection, id, signal));
        if ("value" in outcome) fresh.set(id, storedRecord({ id, ...outcome.value }, listed));
        else if (outcome.isGone) gone.add(id);
        else unread.add(id);
        this.readInFull++;
        this.#tell(kind, 1, entries.length);
      });
      stopIfAsked(signal);
      // Taken out of the log since it was listed, or denied by a service in trouble: the listing of now tells which.
      for (const id of gone.size === 0 ? [] : await idsListed(kind, connection, signal)) {
        if (gone.delete(id)) unread.add(id);
      }
      for (const id of unread) this.unread.push({ kind, id, kept: old.has(id) });
      this.#tell(kind, some.length - changed.length, entries.length);
      // Without what listed it, so that the next backup tries to read it again.
      const older = (id: string) => {
        const record = old.get(id);
        return record !== undefined && unread.has(id) ? storedRecord(record.value) : record;
      };
      const records = some.flatMap(({ id }) => (gone.has(id) ? [] : (fresh.get(id) ?? older(id) ?? [])));
      pieces.push(...(await this.#write(kind, part, records.toSorted(byTime))));
    }
    return pieces;
  }

  #isAsBefore(kind: string, group: string, { id, listed }: Entry): boolean {
    const known = this.#before.records.get(`${kind} ${id}`);
    return known?.group === group && known.listed === listed;
  }

  async #oldRecords(group: Group | undefined): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const piece of group?.pieces ?? []) {
      const read = await this.#context.repository.readPiece(piece);
      if (typeof read !== "string") records.push(...read);
    }
    return records;
  }

  /** Writes the records of a group; where they are those of before, nothing is written, however they would be packed today. */
  async #write(kind: LogRecord["kind"], part: string, records: readonly StoredRecord[]): Promise<readonly Piece[]> {
    const before = this.#before.groups.get(groupOf(kind, part));
    if (before?.records === records.length && linesOf(await this.#oldRecords(before)) === linesOf(records)) {
      return before.pieces;
    }
    const { pieces, written } = await this.#context.repository.writePieces(kind, part, records);
    this.written += written;
    return pieces;
  }

  #tell(kind: string, more: number, total: number): void {
    if (more === 0) return;
    this.#done += more;
    this.#context.onProgress(`reading the ${kind}s`, this.#done, total);
  }
}

/** Ids of everything that is listed of a kind. */
async function idsListed(
  kind: "course" | "workout",
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await (kind === "course" ? coursesListed(connection, signal) : workoutsListed(connection, signal));
  return listed?.map(({ id }) => id) ?? [];
}

/** So few may go without a word. */
const FEW = 20;

/** The kinds of which half the records or more are gone. */
function shrunkBetween(previous: Snapshot, snapshot: Snapshot): readonly Shrunk[] {
  return KINDS.map((kind) => ({ kind, before: recordsOf(previous, kind), now: recordsOf(snapshot, kind) })).filter(
    ({ before, now }) => before - now >= Math.max(FEW, before / 2),
  );
}

function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw new RetryableError("api/stopped", "Cannot back up: stopped before the log was read");
}

function stored(value: object): StoredRecord {
  return storedRecord(value as Record<string, unknown>);
}

function byId<T extends { readonly id: string }>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** As they were run; of two at once, by id: so that two readings of one log give one text. */
function byTime(a: StoredRecord, b: StoredRecord): number {
  const [one, other] = [a, b].map(({ value: { date = "", timeOfDay = "", id } }) => `${date} ${timeOfDay} ${id}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

async function valueOrTrouble<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly isGone: boolean }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof ItemError)) throw error;
    return { isGone: error.code === "api/gone" };
  }
}

async function* fromArray<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
