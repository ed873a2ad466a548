/** The log's owner may take a workout out of a log, past the service. No interface can. */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** Takes a workout out of a service's database file. */
export function deleteWorkout(database: string, id: string): void {
  using file = new DatabaseSync(database, { timeout: 60_000 });
  file.prepare("DELETE FROM workouts WHERE id = ?").run(id);
}

/** Takes workouts out of a service's PostgreSQL. @param address `postgres://...` */
export async function deleteFromPostgres(address: string, ids: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query("DELETE FROM workouts WHERE id = ANY($1)", [ids]);
  } finally {
    await client.end();
  }
}
