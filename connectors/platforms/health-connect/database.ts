/**
 * Reads the database of Health Connect. It may come from a stranger, so only plain tables are read: a view or a virtual table could compute without
 * end. The columns of a table depend on the version of Android.
 */

import type { DatabaseSync } from "node:sqlite";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import type { RecordFound } from "../table/description.ts";
import { othersIn } from "./other-tables.ts";
import { type Cell, type DatabaseRow, numberOf, plainTables, rowsOf } from "./rows.ts";
import { type Session, SessionsOfApps } from "./sessions.ts";

/** The error for a file that is not a database, or lacks necessary data for a workout. */
export class DatabaseError extends Error {
  readonly issue: Issue;

  constructor(found: string) {
    super(found);
    this.name = "DatabaseError";
    const expected = "a whole database of Health Connect: export it once more";
    this.issue = { severity: "error", rule: "health-connect/unreadable-database", found, expected };
  }
}

const SESSIONS = "exercise_session_record_table";

/**
 * Gives the sessions. Each has the sums of the records that the same app made within it.
 *
 * @param remark takes the names of tables and columns that nobody here knows, and that belong to no session
 * @throws DatabaseError if the database can't be read
 */
export function recordsOf(archive: Archive, entry: Entry, remark: (issue: Issue) => void): AsyncGenerator<RecordFound> {
  return readWith(archive, entry, (database, tables) => sessionsIn(database, tables, remark));
}

/**
 * Gives the weights and the resting heart rates, each with its day on the phone's clock.
 *
 * @throws DatabaseError if the database can't be read
 */
export function daysOf(archive: Archive, entry: Entry): AsyncGenerator<RecordFound> {
  return readWith(archive, entry, daysIn);
}

async function* readWith(
  archive: Archive,
  entry: Entry,
  read: (database: DatabaseSync, tables: ReadonlySet<string>) => Iterable<RecordFound>,
): AsyncGenerator<RecordFound> {
  const bytes = await archive.read(entry);
  const { DatabaseSync: Database } = await import("node:sqlite");
  const database = new Database(":memory:");
  try {
    yield* read(database, tablesIn(database, bytes));
  } catch (error) {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== "ERR_SQLITE_ERROR") throw error;
    throw new DatabaseError(error.message.slice(0, 100));
  } finally {
    database.close();
  }
}

/** Fills an empty database, and gives the names of its plain tables. */
function tablesIn(database: DatabaseSync, bytes: Uint8Array): ReadonlySet<string> {
  if (sizeIn(bytes) > bytes.length) throw new DatabaseError(`${bytes.length} bytes of ${sizeIn(bytes)}`);
  database.deserialize(bytes);
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON");
  const tables = plainTables(database);
  if (!tables.has(SESSIONS)) throw new DatabaseError(`no table ${SESSIONS}`);
  return tables;
}

function* daysIn(database: DatabaseSync, tables: ReadonlySet<string>): Generator<RecordFound> {
  for (const { time, zone_offset, weight } of rowsOf(database, tables, "weight_record_table"))
    yield { value: { day: dayOf(time, zone_offset), grams: numberOf(weight) }, place: undefined };
  for (const { time, zone_offset, beats_per_minute } of rowsOf(database, tables, "resting_heart_rate_record_table"))
    yield { value: { day: dayOf(time, zone_offset), restingBeats: numberOf(beats_per_minute) }, place: undefined };
}

/** The day of a time in milliseconds since 1970 UTC on a clock that is so many seconds ahead of UTC; "" if there is none. */
function dayOf(time: Cell | undefined, offset: Cell | undefined): string {
  const local = typeof time === "number" ? time + numberOrZero(offset) * 1000 : Number.NaN;
  return Math.abs(local) <= LAST_TIME ? new Date(local).toISOString().slice(0, 10) : "";
}

/** The last time that a date can hold, in milliseconds. */
const LAST_TIME = 8.64e15;

function numberOrZero(cell: Cell | undefined): number {
  return typeof cell === "number" && Number.isFinite(cell) ? cell : 0;
}

function* sessionsIn(
  database: DatabaseSync,
  tables: ReadonlySet<string>,
  remark: (issue: Issue) => void,
): Generator<RecordFound> {
  const sessions = [...rowsOf(database, tables, SESSIONS)].map(toSession);
  const book = new SessionsOfApps(sessions);
  addSums(database, tables, book);
  const othersOf = othersIn(database, tables, { book, sessions }, remark);
  const segments = segmentsIn(database, tables);
  const apps = new Map<unknown, DatabaseRow>(
    [...rowsOf(database, tables, "application_info_table")].map((row) => [row.row_id, row]),
  );
  for (const [index, session] of sessions.entries()) {
    const app = apps.get(session.row.app_info_id);
    const value = {
      ...session.row,
      ...othersOf(session),
      ...book.sumsOf(session),
      segments: segments.get(session.row.row_id) ?? null,
      app: app?.package_name ?? null,
      app_name: app?.app_name ?? null,
    };
    yield { value, place: `record ${index + 1}` };
  }
}

/** The numbers of segments of the sessions that have several, or whose segments count repetitions. */
function segmentsIn(database: DatabaseSync, tables: ReadonlySet<string>): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  const counted = new Set<unknown>();
  for (const { parent_key, repetitions_count } of rowsOf(database, tables, "exercise_segments_table")) {
    counts.set(parent_key, (counts.get(parent_key) ?? 0) + 1);
    if (numberOf(repetitions_count) > 0) counted.add(parent_key);
  }
  return new Map([...counts].filter(([key, count]) => count > 1 || counted.has(key)));
}

/** The size of a database by its header: the size of a page, where 1 is 64 KiB, and the number of pages. */
function sizeIn(bytes: Uint8Array): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const pageBytes = header.getUint16(16);
  return (pageBytes === 1 ? 65_536 : pageBytes) * header.getUint32(28);
}

const HEADER_BYTES = 100;

function addSums(database: DatabaseSync, tables: ReadonlySet<string>, book: SessionsOfApps): void {
  for (const row of rowsOf(database, tables, "distance_record_table"))
    book.add(row.app_info_id, row.start_time, row.end_time, { metres: numberOf(row.distance) });
  for (const row of rowsOf(database, tables, "total_calories_burned_record_table"))
    book.add(row.app_info_id, row.start_time, row.end_time, { calories: numberOf(row.energy) });
  for (const row of rowsOf(database, tables, "steps_record_table"))
    book.add(row.app_info_id, row.start_time, row.end_time, { steps: numberOf(row.count) });
  const apps = new Map<Cell, Cell>();
  for (const row of rowsOf(database, tables, "heart_rate_record_table"))
    apps.set(row.row_id ?? null, row.app_info_id ?? null);
  for (const row of rowsOf(database, tables, "heart_rate_record_series_table"))
    book.add(apps.get(row.parent_key ?? null), row.epoch_millis, row.epoch_millis, {
      beats: numberOf(row.beats_per_minute),
    });
}

function toSession(row: DatabaseRow): Session {
  const { start_time: start, end_time: end, app_info_id: app } = row;
  return {
    row,
    app: String(app),
    start: typeof start === "number" ? start : 0,
    end: typeof end === "number" ? end : 0,
  };
}
