/** A host may change a log past its service. Here it puts the database back to an older state while the service runs. */
import { copyFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

/** Copies a service's database in its present state. @returns puts the copy back into the database that is in use */
export async function copyOfDatabase(database: string): Promise<() => Promise<void>> {
  const copy = `${database}.older`;
  using file = new DatabaseSync(database, { timeout: 60_000 });
  await backup(file, copy);
  return async () => {
    const scratch = `${copy}.scratch`;
    copyFileSync(copy, scratch);
    using older = new DatabaseSync(scratch);
    await overwritten(older, database);
  };
}

/** More pages than any of these databases has. All are written in one step, and the service's own writes can't come between. */
const ALL_PAGES = 1_000_000;

/**
 * Writes one database over another that is in use. When the other is being written to, SQLite gives up at once instead of waiting. node:sqlite then
 * says only "not an error".
 */
async function overwritten(from: DatabaseSync, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await backup(from, to, { rate: ALL_PAGES });
      return;
    } catch (error) {
      if (tries === 1_000 || !/not an error|database is locked/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

/** The number of workouts of a service's database that name equipment. */
export function countWithEquipment(database: string): number {
  using file = new DatabaseSync(database, { timeout: 60_000 });
  return Number(file.prepare("SELECT count(*) AS n FROM workouts WHERE equipment_id IS NOT NULL").get()?.n);
}

/** Takes the shoes off all workouts, past the service. The shoes stay. */
export function takeOffShoes(database: string): void {
  using file = new DatabaseSync(database, { timeout: 60_000 });
  file.exec("UPDATE workouts SET equipment_id = NULL");
}

/** Deletes equipment and courses past the service, as their owner's page would. No workout names them any more. */
export function deleteThings(database: string, kind: "equipment" | "course"): void {
  using file = new DatabaseSync(database, { timeout: 60_000 });
  file.exec("BEGIN IMMEDIATE");
  if (kind === "equipment") file.exec("UPDATE workouts SET equipment_id = NULL; DELETE FROM equipment");
  else file.exec("UPDATE workouts SET course_id = NULL; DELETE FROM course_maps; DELETE FROM courses");
  file.exec("COMMIT");
}
