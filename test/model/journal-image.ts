/** A journal's database as a value: kept, put back, and compared. It works for any tables. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

type Row = Record<string, SQLInputValue>;

/** Rows by table. */
export type JournalImage = ReadonlyMap<string, readonly Row[]>;

/** Tables that are only shown. The loader never reads them, so they make no difference to its next steps. */
const TOLD = new Set(["event", "issue"]);

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly all: StatementSync;
  readonly clear: StatementSync;
  readonly insert: StatementSync;
}

/** Keeps and puts back the content of a database. */
export class JournalImages {
  readonly #database: DatabaseSync;
  readonly #tables: readonly Table[];

  constructor(database: DatabaseSync) {
    this.#database = database;
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    this.#tables = tables.all().map(({ name }) => {
      // Columns that SQLite generates can't be inserted.
      const found = database.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0").all(String(name));
      const columns = found.map((column) => String(column.name));
      const names = columns.map((column) => `"${column}"`).join(", ");
      const values = columns.map(() => "?").join(", ");
      return {
        name: String(name),
        columns,
        all: database.prepare(`SELECT ${names} FROM "${name}"`),
        clear: database.prepare(`DELETE FROM "${name}"`),
        insert: database.prepare(`INSERT INTO "${name}" (${names}) VALUES (${values})`),
      };
    });
  }

  /** Everything that is committed. */
  keep(): JournalImage {
    return new Map(this.#tables.map(({ name, all }) => [name, all.all() as Row[]]));
  }

  /** Makes the database hold the content of an image, without the tables that are only shown. */
  putBack(image: JournalImage): void {
    // The tables may come in any order.
    this.#database.exec("BEGIN; PRAGMA defer_foreign_keys = ON");
    for (const { name, columns, clear, insert } of this.#tables) {
      clear.run();
      if (TOLD.has(name)) continue;
      for (const row of image.get(name) ?? []) insert.run(...columns.map((column) => row[column] ?? null));
    }
    this.#database.exec("COMMIT");
  }
}

/** States of a planned run that has not come to its end. They are shown, and otherwise alike. */
const OPEN_RUN = new Set<SQLInputValue>(["planned", "running", "stopped"]);

/**
 * A text that is the same for two images with the same possible futures. It leaves out a plan that was never completed, since the next plan forgets
 * it. It also leaves out a replaced plan, unless a line of it may be in the log. Runs count by their order.
 *
 * @param now the present time: times count by their age
 */
export function fingerprintOf(image: JournalImage, now: number): string {
  const doubtful = (image.get("line") ?? []).filter(({ state }) => state === "in-doubt" || state === "in-flight");
  const referred = new Set([...doubtful, ...(image.get("placed") ?? [])].map(({ run }) => run));
  const runs = (image.get("run") ?? [])
    .filter(({ id, state }) => state === "finished" || OPEN_RUN.has(state ?? null) || referred.has(id ?? null))
    .map(({ id }) => id);
  const kept: Record<string, readonly Row[]> = {};
  for (const [name, rows] of image) {
    if (TOLD.has(name)) continue;
    if (name === "run")
      kept[name] = rows.filter(({ id }) => runs.includes(id)).map(({ id = null, ...row }) => ({ ...row, run: id }));
    else kept[name] = name === "line" ? rows.filter(({ run }) => runs.includes(run)) : rows;
  }
  return JSON.stringify(kept, (key, value) => {
    if (/(^|_)at$/.test(key) && typeof value === "number") return Math.min(now - value, 1_000_000);
    // The loader reads only the beginning of a reason, where it is a rule's name.
    if (key === "reason" && typeof value === "string") return /^[a-z]+\/[\w-]+/.exec(value)?.[0];
    if (key === "run" && typeof value === "number") return runs.indexOf(value);
    if (key === "state" && OPEN_RUN.has(value) && value !== "planned") return "planned";
    return value;
  });
}
