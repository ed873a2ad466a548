/**
 * Tables and columns of the database that no reader here knows. Each version of Android adds some. What belongs to a session is counted with it; what
 * belongs to none is named.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Issue } from "../../../transforms/model/issue.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { type Cell, columnsOf, type DatabaseRow, isFilled, rowsOf } from "./rows.ts";
import type { Session, SessionsOfApps } from "./sessions.ts";

const names = (text: string) => text.split(" ");

/** Columns that the records of any kind have. */
const OF_RECORDS = names(
  "row_id uuid last_modified_time client_record_id client_record_version device_info_id app_info_id recording_method dedupe_hash " +
    "start_time start_zone_offset end_time end_zone_offset local_date local_date_time_start_time local_date_time_end_time time zone_offset local_date_time",
);

/** The columns that are read, beside those of all records, by table. The reader of sessions checks the columns of their own table. */
const READ: Readonly<Record<string, readonly string[]>> = {
  distance_record_table: ["distance"],
  total_calories_burned_record_table: ["energy"],
  steps_record_table: ["count"],
  heart_rate_record_table: [],
  heart_rate_record_series_table: names("parent_key beats_per_minute epoch_millis"),
  exercise_segments_table: names("parent_key segment_start_time segment_end_time segment_type repetitions_count"),
  weight_record_table: ["weight"],
  resting_heart_rate_record_table: ["beats_per_minute"],
};

/** Tables without values of a workout: the sessions themselves, and the phone's own. */
const LEFT: ReadonlySet<string> = new Set([
  ...names("exercise_session_record_table application_info_table device_info_table android_metadata sqlite_sequence"),
  ...names("preference_table change_logs_table change_log_request_table health_data_category_priority_table"),
  ...names("activity_date_table access_logs_table read_access_logs_table migration_entity_table"),
  ...names("priority_migration_table backup_change_token_table"),
]);

/** Finds what else belongs to sessions, and gives the members that a session's row gets of it. @param remark takes the names of what belongs to none */
export function othersIn(
  database: DatabaseSync,
  tables: ReadonlySet<string>,
  { book, sessions }: { readonly book: SessionsOfApps; readonly sessions: readonly Session[] },
  remark: (issue: Issue) => void,
): (session: Session) => Readonly<Record<string, string>> {
  const found = new Others();
  const byRow = new Map<unknown, Session>(sessions.map((session) => [session.row.row_id, session]));
  const heartRates = new Map<unknown, DatabaseRow>();
  const sessionOf = (row: DatabaseRow, table: string) => {
    if (table.startsWith("exercise_")) return byRow.get(row.parent_key);
    const record = table === "heart_rate_record_series_table" ? heartRates.get(row.parent_key) : row;
    const from = row.epoch_millis ?? row.start_time ?? row.time;
    return book.find(record?.app_info_id, from, row.end_time ?? from);
  };
  const count = (table: string) => {
    const read = READ[table];
    const isOurs = (column: string) => OF_RECORDS.includes(column) || read?.includes(column) === true;
    if (read !== undefined && columnsOf(database, table).every(isOurs)) return;
    if (table === "heart_rate_record_series_table")
      for (const row of rowsOf(database, tables, "heart_rate_record_table")) heartRates.set(row.row_id, row);
    for (const row of rowsOf(database, tables, table)) {
      const session = sessionOf(row, table);
      if (read === undefined) {
        const isLeft = session === undefined && (isRecord(row) || isPoint(row, table));
        if (!isLeft) found.add(session, wholeOf(table));
      } else
        for (const [column, cell] of Object.entries(row))
          if (!isOurs(column) && isFilled(cell)) found.add(session, `${table}: ${column}`, cell);
    }
  };
  for (const table of tables) {
    if (LEFT.has(table)) continue;
    try {
      count(table);
    } catch (error) {
      // A damaged table costs no session, as long as nobody reads it.
      if ((error as NodeJS.ErrnoException).code !== "ERR_SQLITE_ERROR") throw error;
      found.add(undefined, wholeOf(table));
    }
  }
  for (const field of found.withoutSession())
    remark({ severity: "warning", rule: "table/unknown-column", field, expected: "a known column; it was left out" });
  return (session) => found.of(session);
}

function wholeOf(table: string): string {
  return `${table} (a whole table)`;
}

/** Whether a row is the record of an app. Outside sessions it belongs to a day without a workout. */
function isRecord(row: DatabaseRow): boolean {
  return "app_info_id" in row && ("start_time" in row || "time" in row);
}

/** Whether a row is a point of a record, such as a speed. The record itself is counted. */
function isPoint(row: DatabaseRow, table: string): boolean {
  return "parent_key" in row && !("app_info_id" in row) && !table.startsWith("exercise_");
}

/** The rows of a table, or the values of a column. A single value is kept. */
interface Count {
  count: number;
  readonly only: string | undefined;
}

/** Counts values by session. */
class Others {
  readonly #bySession = new Map<Session, Map<string, Count>>();
  readonly #placed = new Set<string>();
  readonly #unplaced = new Set<string>();

  add(session: Session | undefined, name: string, cell?: Cell): void {
    if (session === undefined) {
      this.#unplaced.add(name);
      return;
    }
    this.#placed.add(name);
    const own = this.#bySession.get(session) ?? new Map<string, Count>();
    this.#bySession.set(session, own);
    const count = own.get(name) ?? { count: 0, only: cell === undefined ? undefined : String(cell) };
    own.set(name, count);
    count.count++;
  }

  of(session: Session): Readonly<Record<string, string>> {
    const own = [...(this.#bySession.get(session) ?? [])];
    return Object.fromEntries(
      own.map(([name, { count, only }]) => [
        name,
        only === undefined ? `${count} ${count === 1 ? "row" : "rows"}` : count === 1 ? only : `${count} values`,
      ]),
    );
  }

  /** Names that no session has, up to a hundred. The reader of rows names the others. */
  withoutSession(): readonly string[] {
    return [...this.#unplaced]
      .filter((name) => !this.#placed.has(name))
      .slice(0, 100)
      .map((name) => printable(name, 80));
  }
}
