/** What no interface can do and a log's owner may: a workout taken out of a log, past the service. */
import { DatabaseSync } from "node:sqlite";

/** Takes a workout out of a service's database file. */
export function deleteWorkout(database: string, id: string): void {
  using file = new DatabaseSync(database, { timeout: 5000 });
  file.prepare("DELETE FROM workouts WHERE id = ?").run(id);
}
