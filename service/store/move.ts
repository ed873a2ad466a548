/** Carries everything that one database holds into another, empty one. Both may be of either kind. */
import { createHash, type Hash } from "node:crypto";
import type { Database, Queries, Row, Value } from "./database.ts";
import { TABLES } from "./schema.ts";
import { part, type Sql, sql } from "./sql.ts";

/** A table that was moved. */
export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of all rows in the order of their keys, in hex. It is the same in both databases, whatever their kind. */
  readonly hash: string;
}

type Exclusive = Pick<Database, "exclusively">;

/** Rows read at a time. A row of `packed` bytes can have megabytes. */
const BATCH = { rows: 100, files: 1 } as const;

/**
 * Copies every table, and compares both copies before the new one is kept. Nobody writes in either database meanwhile.
 * @returns the tables, in the order they were copied
 * @throws RangeError when `to` holds anything, or `from` nothing; StoreUnavailable when either is out of reach, or somebody writes there for too long
 */
export async function moveLog(from: Exclusive, to: Exclusive): Promise<readonly MovedTable[]> {
  return from.exclusively((source) =>
    to.exclusively(async (target) => {
      for (const { name } of TABLES) await expectEmpty(target, name);
      const moved: MovedTable[] = [];
      for (const table of TABLES) moved.push(await moveTable(source, target, table));
      if (moved.every(({ rows }) => rows === 0))
        throw new RangeError("Cannot move: the old database is empty. Is it the right one?");
      return moved;
    }),
  );
}

type Table = (typeof TABLES)[number];

async function expectEmpty(target: Queries, name: string): Promise<void> {
  if ((await target.get(sql`SELECT 1 AS found FROM ${part(name)} LIMIT 1`)) === undefined) return;
  throw new RangeError(`Cannot move: the new database must be empty, and its table ${name} is not`);
}

async function moveTable(source: Queries, target: Queries, table: Table): Promise<MovedTable> {
  const sent = createHash("sha256");
  let rows = 0;
  for await (const batch of batchesOf(source, table)) {
    for (const row of batch) addTo(sent, row);
    await target.run(insertOf(table.name, batch));
    rows += batch.length;
  }
  const kept = createHash("sha256");
  let found = 0;
  for await (const batch of batchesOf(target, table)) {
    for (const row of batch) addTo(kept, row);
    found += batch.length;
  }
  const hash = sent.digest("hex");
  if (rows !== found || hash !== kept.digest("hex")) {
    throw new Error(
      `Nothing was moved: of ${rows} rows of ${table.name} the new database has ${found}, or has them changed`,
    );
  }
  return { table: table.name, rows, hash };
}

/** All rows of a table in the order of its key, some at a time. */
async function* batchesOf(queries: Queries, { name, key, holdsFiles }: Table): AsyncGenerator<readonly Row[]> {
  const columns = part(key.join(", "));
  const size = holdsFiles ? BATCH.files : BATCH.rows;
  let after = sql``;
  for (;;) {
    const rows = await queries.all(sql`SELECT * FROM ${part(name)} ${after} ORDER BY ${columns} LIMIT ${size}`);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = sql`WHERE (${columns}) > (${listOf(key.map((column) => sql`${last[column] as Value}`))})`;
  }
}

/** The order of columns in a table of an older database can differ. So a row is written by names. */
function insertOf(name: string, rows: readonly Row[]): Sql {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${listOf(columns.map((column) => sql`${row[column] as Value}`))})`);
  return sql`INSERT INTO ${part(name)} (${part(columns.join(", "))}) VALUES ${listOf(values)}`;
}

function listOf(parts: readonly Sql[]): Sql {
  return parts.reduce((list, one) => sql`${list}, ${one}`);
}

/** Adds a row, its columns by name. Each value has its type, and bytes have a hash of their own: so no two rows look alike. */
function addTo(hash: Hash, row: Row): void {
  const values = Object.keys(row)
    .toSorted()
    .map((column) => {
      const value = row[column] as Value;
      return [
        column,
        value instanceof Uint8Array ? { bytes: createHash("sha256").update(value).digest("hex") } : value,
      ];
    });
  hash.update(`${JSON.stringify(values)}\n`);
}
