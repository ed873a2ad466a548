/**
 * Reads a log into the chunks of a snapshot, group by group.
 */
import { getCourse, getPreference, getWorkout } from "../../connectors/api/client.ts";
import type { Connection } from "../../connectors/api/connection.ts";
import type { LogRecord } from "../../connectors/api/source.ts";
import {
  coursesListed,
  equipmentListed,
  trainingPlansListed,
  workoutsListed,
} from "../../connectors/api/stable-listing.ts";
import { FatalError, ItemError, RetryableError, saysGone } from "../../connectors/errors.ts";
import { type StoredRecord, storedRecord, sumOf, toLines } from "../../connectors/repository/records.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Chunk } from "../../connectors/repository/snapshot.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import { type EarlierChunks, type Entry, type Group, groupOf, isAsIn } from "./earlier-chunks.ts";

/** The settings for reading a log. */
export interface LogReading {
  readonly connection: Connection;
  readonly repository: Repository;
  readonly signal: AbortSignal;
  readonly onProgress: (phase: string, done: number, total: number | undefined) => void;
}

/** The choice of records to read. */
export interface Pass {
  readonly before: EarlierChunks;
  /** True when every record is read in full. */
  readonly isFull: boolean;
  /** The records that an interrupted backup had read. If their entries in the listing are unchanged, they are not read again. */
  readonly cutOff: EarlierChunks | undefined;
  /** Called with all chunks so far, after each group. */
  readonly remember: ((pieces: readonly Chunk[]) => Promise<void>) | undefined;
}

/** Reads a log once, group by group. Memory holds the ids, and the records of a year. */
export class LogReader {
  readonly unread: { kind: LogRecord["kind"]; id: string; kept: boolean }[] = [];
  readInFull = 0;
  /** Records that come from an interrupted backup. */
  resumed = 0;
  written = 0;
  readonly #context: LogReading;
  readonly #pass: Pass;
  /** The chunks to remember, by group: those of the interrupted backup, replaced by newer ones. */
  readonly #finished: Map<string, readonly Chunk[]>;
  #done = 0;

  constructor(context: LogReading, pass: Pass) {
    this.#context = context;
    this.#pass = pass;
    this.#finished = new Map([...(pass.cutOff?.groups ?? [])].map(([group, { pieces }]) => [group, pieces]));
  }

  /** @param user as the log gave it */
  async readEverything(user: object): Promise<readonly Chunk[]> {
    const { connection, signal } = this.#context;
    const pieces: Chunk[] = [];
    const keep = async (kind: LogRecord["kind"], values: readonly object[]) =>
      void pieces.push(...(await this.#write(kind, "all", values.map(stored))));
    // If the user is withheld, it is an empty object.
    await keep("user", Object.keys(user).length === 0 ? [] : [user]);
    await keep("preference", [await getPreference(connection, signal)]);
    await keep("equipment", byId(await equipmentListed(connection, signal)));
    await keep("training-plan", byId(await trainingPlansListed(connection, signal)));
    const courses = await coursesListed(connection, signal, (one) => ({ id: one.id, listed: sumOf(one), part: "all" }));
    if (courses === undefined) this.unread.push({ kind: "course", id: "*", kept: false });
    pieces.push(...(await this.#readListed("course", courses ?? [], getCourse)));
    const workouts = await workoutsListed(connection, signal, (one) => ({
      id: one.id,
      listed: sumOf(one),
      // Grouped by year and not by month: this takes a fifth less room, and an edit rewrites some tens of kilobytes.
      part: one.date?.slice(0, 4) ?? "undated",
    }));
    if (workouts === undefined) {
      const message = `Cannot back up the log at ${connection.host}: the service doesn't list its workouts`;
      throw new FatalError("backup/no-listing", "service", message);
    }
    pieces.push(...(await this.#readListed("workout", workouts, getWorkout)));
    return pieces;
  }

  /** The chunks of all listed records, group by group. */
  async #readListed(
    kind: "course" | "workout",
    entries: readonly Entry[],
    read: (connection: Connection, id: string, signal: AbortSignal) => Promise<object>,
  ): Promise<readonly Chunk[]> {
    const pieces: Chunk[] = [];
    this.#done = 0;
    const parts = Map.groupBy(entries, ({ part }) => part);
    for (const [part, some] of [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const group = groupOf(kind, part);
      const before = this.#pass.before.groups.get(group);
      const isTakenOver = (entry: Entry) => isAsIn(this.#pass.cutOff, kind, group, entry);
      const changed = some.filter(
        (entry) => !isTakenOver(entry) && (this.#pass.isFull || !isAsIn(this.#pass.before, kind, group, entry)),
      );
      this.resumed += some.filter(isTakenOver).length;
      if (changed.length === 0 && before?.records === some.length) {
        pieces.push(...before.pieces);
        this.#tell(kind, some.length, entries.length);
        continue;
      }
      const older = [
        ...(await this.#oldRecords(before)),
        ...(await this.#oldRecords(this.#pass.cutOff?.groups.get(group))),
      ];
      const old = new Map(older.map((record) => [String(record.value.id), record]));
      const fresh = new Map<string, StoredRecord>();
      const gone = new Set<string>();
      const unread = new Set<string>();
      const { connection, signal } = this.#context;
      await forEachConcurrently(fromArray(changed), connection.pacing.inFlight, signal, async ({ id, listed }) => {
        const outcome = await valueOrProblem(() => read(connection, id, signal));
        if ("value" in outcome) fresh.set(id, storedRecord({ id, ...outcome.value }, listed));
        else if (outcome.isGone) gone.add(id);
        else unread.add(id);
        this.readInFull++;
        this.#tell(kind, 1, entries.length);
      });
      stopIfAsked(signal);
      // The owner may have deleted these records since the listing, or a failing service denies them. A new listing decides.
      for (const id of gone.size === 0 ? [] : await idsListed(kind, connection, signal)) {
        if (gone.delete(id)) unread.add(id);
      }
      for (const id of unread) this.unread.push({ kind, id, kept: old.has(id) });
      this.#tell(kind, some.length - changed.length, entries.length);
      // Without its entry in the listing, so that the next backup tries to read the record again.
      const kept = (id: string) => {
        const record = old.get(id);
        return record !== undefined && unread.has(id) ? storedRecord(record.value) : record;
      };
      const records = some.flatMap(({ id }) => (gone.has(id) ? [] : (fresh.get(id) ?? kept(id) ?? [])));
      const written = await this.#write(kind, part, records.toSorted(byTime));
      pieces.push(...written);
      this.#finished.set(group, written);
      await this.#pass.remember?.([...this.#finished.values()].flat());
    }
    return pieces;
  }

  async #oldRecords(group: Group | undefined): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const chunk of group?.pieces ?? []) {
      const read = await this.#context.repository.readChunk(chunk);
      if (typeof read !== "string") records.push(...read);
    }
    return records;
  }

  /** Writes the records of a group. If they equal the previous ones, nothing is written, even if they would be packed differently today. */
  async #write(kind: LogRecord["kind"], part: string, records: readonly StoredRecord[]): Promise<readonly Chunk[]> {
    const before = this.#pass.before.groups.get(groupOf(kind, part));
    if (before?.records === records.length && toLines(await this.#oldRecords(before)) === toLines(records)) {
      return before.pieces;
    }
    const { pieces, written } = await this.#context.repository.writeChunks(kind, part, records);
    this.written += written;
    return pieces;
  }

  #tell(kind: string, more: number, total: number): void {
    if (more === 0) return;
    this.#done += more;
    this.#context.onProgress(`reading the ${kind}s`, this.#done, total);
  }
}

/** Ids of all listed records of a kind. */
async function idsListed(
  kind: "course" | "workout",
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const idOf = ({ id }: { readonly id: string }) => id;
  const list = kind === "course" ? coursesListed : workoutsListed;
  return (await list(connection, signal, idOf)) ?? [];
}

/** @throws RetryableError once the run was stopped */
export function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw new RetryableError("api/stopped", "Cannot back up: stopped before the log was read");
}

function stored(value: object): StoredRecord {
  return storedRecord(value as Record<string, unknown>);
}

function byId<T extends { readonly id: string }>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sorts by start, and by id for equal starts, so that two readings of one log give the same text. */
function byTime(a: StoredRecord, b: StoredRecord): number {
  const [one, other] = [a, b].map(({ value: { date = "", timeOfDay = "", id } }) => `${date} ${timeOfDay} ${id}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

async function valueOrProblem<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly isGone: boolean }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof ItemError)) throw error;
    return { isGone: saysGone(error) };
  }
}

async function* fromArray<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
