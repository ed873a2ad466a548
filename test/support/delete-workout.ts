/** What no interface can do and a log's owner may: a workout taken out of a log, past the service. */
import { DatabaseSync } from "node:sqlite";

/** Takes a workout out of a service's database file. */
export function deleteWorkout(database: string, id: string): void {
  using file = new DatabaseSync(database, { timeout: 5000 });
  file.exec("BEGIN IMMEDIATE");
  file
    .prepare(
      `UPDATE workout_months SET workouts = workouts - 1 WHERE (user_id, month, activity_id) =
         (SELECT user_id, substr(date, 1, 7), activity_id FROM workouts WHERE id = ?)`,
    )
    .run(id);
  file.prepare("DELETE FROM workouts WHERE id = ?").run(id);
  file.exec("COMMIT");
}
