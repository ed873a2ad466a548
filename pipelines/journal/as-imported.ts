/**
 * What imports made, as it was before it was completed. Something on the way that repeats an import makes the same once more, which nobody
 * completes: with the service's own start, activity and length, it is like nothing that was planned.
 */
import type { LocalDate, LocalTime } from "../../transforms/calendar.ts";
import type { JournalDatabase } from "./database.ts";
import type { AsImported } from "./remote-record.ts";

/** See `Journal.keepImported`. */
export function keepImported(database: JournalDatabase, id: string, made: AsImported): void {
  database.run(
    "INSERT OR REPLACE INTO as_imported (id, activity_id, date, time, metres, seconds) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    made.activityID ?? null,
    made.date,
    made.time ?? null,
    made.metres ?? null,
    made.seconds ?? null,
  );
}

/** See `JournalReader.imported`. */
export function findImported(database: JournalDatabase, id: string): AsImported | undefined {
  const row = database.get("SELECT * FROM as_imported WHERE id = ?", id);
  if (row === undefined) return undefined;
  const numberOf = (value: unknown) => (value === null ? undefined : Number(value));
  return {
    activityID: numberOf(row.activity_id),
    date: row.date as LocalDate,
    time: (row.time ?? undefined) as LocalTime | undefined,
    metres: numberOf(row.metres),
    seconds: numberOf(row.seconds),
  };
}
