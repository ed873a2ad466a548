/** All rows of a journal's file, and rows for tests that write into every table. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** A column as SQLite describes it. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  /** Its place in the primary key, from 1; 0 for a column outside of it. */
  readonly key: number;
  /** Whether SQLite makes its value. */
  readonly isMade: boolean;
}

/** A table of the journal. */
export interface Table {
  readonly name: string;
  /** Whether it has no row numbers of its own: then no part of its key may be null. */
  readonly isWithoutRowid: boolean;
  readonly columns: readonly Column[];
}

/** The tables of an open journal, by name. */
export function tablesOf(database: DatabaseSync): readonly Table[] {
  const names = database.prepare(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const columns = database.prepare('SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid');
  return names.all().map(({ name, wr }) => ({
    name: String(name),
    isWithoutRowid: wr === 1,
    columns: columns.all(String(name)).map((column) => ({
      name: String(column.name),
      type: String(column.type),
      notNull: column.notnull === 1,
      key: Number(column.pk),
      isMade: Number(column.hidden) > 0,
    })),
  }));
}

/** Every row of every table of a journal's file, with generated columns, and the names of its tables and indexes. */
export function rowsOf(path: string): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const schema = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
    const tables = tablesOf(database).map(({ name, columns }) => [
      name,
      database.prepare(`SELECT * FROM "${name}" ORDER BY ${columns.map((_column, index) => index + 1)}`).all(),
    ]);
    const versions = database.prepare("SELECT * FROM pragma_user_version, pragma_application_id").get();
    return { schema, versions, ...Object.fromEntries(tables) };
  } finally {
    database.close();
  }
}

/** A value for a column, different for different seeds. */
export function valueFor({ type, notNull, key }: Column, seed: number): SQLInputValue {
  // Zero and the empty text are values, and no value is none.
  if (!notNull && key === 0 && seed % 3 === 0) return null;
  if (type === "TEXT") return seed % 5 === 0 ? "" : `text ${seed} é 👟`;
  return type === "REAL" ? seed / 7 : seed;
}
