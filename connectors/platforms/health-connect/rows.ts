/** Reads rows of a database that may come from a stranger: only those of its plain tables. */
import type { DatabaseSync } from "node:sqlite";

/** The value of a cell: integers beyond the safe range, and texts and bytes of any length. */
export type Cell = null | number | bigint | string | Uint8Array;

/** A row, by the names of its columns. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

/** The names of the plain tables. A view or a virtual table could compute without end. */
export function plainTables(database: DatabaseSync): ReadonlySet<string> {
  const rows = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
    .all();
  return new Set(rows.map(({ name }) => String(name)));
}

/** The columns of a table that exists. */
export function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  return database
    .prepare(allOf(table))
    .columns()
    .map(({ name }) => name);
}

/** The rows of a table; none if the database lacks it. */
export function* rowsOf(
  database: DatabaseSync,
  tables: ReadonlySet<string>,
  table: string,
): Generator<DatabaseRow, void, undefined> {
  if (!tables.has(table)) return;
  const statement = database.prepare(allOf(table));
  statement.setReadBigInts(true);
  for (const row of statement.iterate()) {
    const cells = Object.entries(row as DatabaseRow).map(([name, cell]) => [name, plainOf(cell)] as const);
    yield Object.fromEntries(cells);
  }
}

function allOf(table: string): string {
  return `SELECT * FROM "${table.replaceAll('"', '""')}"`;
}

/** Integers as numbers, and bytes in hex: the ids are bytes. */
function plainOf(cell: Cell): Cell {
  if (typeof cell === "bigint") return Number(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell.subarray(0, 64)).toString("hex") : cell;
}

/** The smallest possible number means "not recorded". */
const LEAST = 1e-300;

/** A number above 0; 0 for any other cell. */
export function numberOf(cell: Cell | undefined): number {
  return typeof cell === "number" && cell > LEAST && Number.isFinite(cell) ? cell : 0;
}

/** Whether a cell says anything. */
export function isFilled(cell: Cell): boolean {
  return typeof cell === "number" ? Math.abs(cell) > LEAST : cell !== null && String(cell).trim() !== "";
}
