/**
 * Keeps the values of each workout right after its import, before logferry completes it. If something on the way repeats the import, the
 * second workout gets the same values, and no run completes it. It has the start, the activity and the length that the service chose, so it
 * resembles no planned workout.
 */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";
import type { JournalDatabase } from "./database.ts";
import type { AsImported } from "./remote-record.ts";
import { sql } from "./sql.ts";

/** See `Journal.keepImported`. */
export function keepImported(database: JournalDatabase, id: string, made: AsImported): void {
  database.run(sql`INSERT OR REPLACE INTO as_imported (id, activity_id, date, time, metres, seconds, hash)
    VALUES (${id}, ${made.activityID}, ${made.date}, ${made.time}, ${made.metres}, ${made.seconds}, ${made.hash})`);
}

/** See `JournalReader.imported`. */
export function findImported(database: JournalDatabase, id: string): AsImported | undefined {
  const row = database.get(sql`SELECT * FROM as_imported WHERE id = ${id}`);
  if (row === undefined) return undefined;
  const numberOf = (value: unknown) => (value === null ? undefined : Number(value));
  return {
    activityID: numberOf(row.activity_id),
    date: row.date as LocalDate,
    time: (row.time ?? undefined) as LocalTime | undefined,
    metres: numberOf(row.metres),
    seconds: numberOf(row.seconds),
    hash: row.hash === null ? undefined : String(row.hash),
  };
}
