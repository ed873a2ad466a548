import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { rowsOf, tablesOf, valueFor } from "../../test/support/journal-rows.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { type JournalDatabase, openRecordedDatabase, recordsRowsOf } from "./database.ts";
import type { Journal } from "./journal.ts";
import type { LineState, NewLine } from "./line.ts";
import { JOURNAL_VERSION, rebuildJournal } from "./rebuild.ts";
import { replicatedOn } from "./replicated.ts";
import { APPLICATION_ID, STEPS } from "./schema.ts";
import { Sql } from "./sql.ts";
import { openJournal } from "./sqlite.ts";

const folder = temporaryFolder();
const path = join(folder, "journal.db");
const copy = join(folder, "copy.db");

const OPTIONS = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Rebuilds a journal from its changes alone. */
async function rebuilt(changes: readonly Uint8Array[], version = JOURNAL_VERSION): Promise<void> {
  await rebuildJournal(copy, { version, snapshot: undefined, changes: each(changes) });
}

/** An empty journal that records its changes. */
async function recorded(): Promise<JournalDatabase> {
  await rebuildJournal(path, { version: JOURNAL_VERSION, snapshot: undefined, changes: each([]) });
  return openRecordedDatabase(path);
}

/** A replicated journal, the changes that were kept, and how often it was asked to keep them. */
async function replicated(): Promise<{ journal: Journal; kept: Uint8Array[]; asked: () => number }> {
  const kept: Uint8Array[] = [];
  let asked = 0;
  const journal = replicatedOn(await recorded(), ({ take }) => {
    const keep = async () => {
      asked++;
      const changes = take();
      if (changes !== undefined) kept.push(changes);
    };
    return { keep, end: keep };
  });
  return { journal, kept, asked: () => asked };
}

function line(key: string, state: LineState = "planned"): NewLine {
  const value = { activity: "run", start: { date: "2020-01-01" } } as const;
  const origin = { connector: "test", archive: "a.zip", entry: "a.csv" };
  return { key, kind: "workout", source: 0, origin, state, action: "create", uploadMethod: "save", value };
}

test("every table has a key that is never null: SQLite records the changes of no other row", async () => {
  await rebuilt([]);
  const database = new DatabaseSync(copy, { readOnly: true });
  const without = tablesOf(database).filter(({ isWithoutRowid, columns }) => {
    const key = columns.filter((column) => column.key > 0);
    // The number of a row is its key where the key is one whole number.
    return key.length === 0 || !(isWithoutRowid || (key.length === 1 && key[0]?.type === "INTEGER"));
  });
  // SQLite records no changes that a trigger makes under another name, and nothing of virtual tables.
  const others = database.prepare("SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index')").all();
  expect(tablesOf(database).length).toBeGreaterThan(15);
  database.close();
  expect(without.map(({ name }) => name)).toEqual([]);
  expect(others).toEqual([]);
});

test("a journal is rebuilt row by row from the changes of each table: new rows, other values, other keys, replaced and removed rows", async () => {
  const database = await recorded();
  const schema = new DatabaseSync(path, { readOnly: true });
  // Other tables refer to runs, which therefore come first and stay.
  const tables = tablesOf(schema).toSorted((a, b) => Number(b.name === "run") - Number(a.name === "run"));
  schema.close();
  const changes: Uint8Array[] = [];
  const take = () => {
    const taken = database.takeChanges();
    if (taken !== undefined) changes.push(taken);
  };
  const run = (text: string) => database.run(new Sql(text));
  run("PRAGMA foreign_keys = OFF");
  for (const { name, columns } of tables) {
    const own = columns.filter(({ isMade }) => !isMade);
    const names = own.map((column) => `"${column.name}"`).join(", ");
    // A table of a single row is checked to have the key 1.
    const isSingle = columns[0]?.name === "one" && columns[0].type === "INTEGER";
    const insert = (how: string, seed: number) => {
      const values = own.map((column) => (isSingle && column.key > 0 ? 1 : valueFor(column, seed)));
      database.run(new Sql(`${how} INTO "${name}" (${names}) VALUES (${own.map(() => "?")})`, values));
    };
    const seeds = isSingle ? [1] : name === "run" ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 5, 6, 7];
    for (const seed of seeds) insert("INSERT OR REPLACE", seed);
    take();
    const other = own.find(({ key }) => key === 0);
    const key = own.find(({ key: place, type }) => place > 0 && type === "INTEGER");
    if (other !== undefined) {
      const value = other.type === "TEXT" ? "'another'" : "0";
      run(`UPDATE "${name}" SET "${other.name}" = ${value}`);
    }
    insert("INSERT OR REPLACE", 1);
    if (!isSingle && name !== "run" && key !== undefined) {
      run(`UPDATE "${name}" SET "${key.name}" = 4 WHERE "${key.name}" = 7`);
      run(`DELETE FROM "${name}" WHERE "${key.name}" = 2`);
    }
    take();
  }
  run("DELETE FROM issue");
  run("DELETE FROM log");
  take();
  run("INSERT INTO log (kind, id, baseline) VALUES ('workout', 'a', 1), ('workout', 'b', 1), ('course', 'c', 0)");
  take();
  // A whole table is emptied and filled with nearly the same rows, as a listing does.
  database.transaction(() => {
    run("CREATE TEMP TABLE held AS SELECT * FROM log");
    run("DELETE FROM log");
    run("INSERT INTO log SELECT * FROM held WHERE id <> 'b'");
  });
  take();
  const before = rowsOf(path);
  await rebuilt(changes);
  expect(rowsOf(copy)).toEqual(before);
  database.close();
});

test("a table that is emptied as a whole is recorded: SQLite has a short way for that, which tells no recorder that began later", async () => {
  const database = await recorded();
  database.run(new Sql("INSERT INTO log (kind, id, baseline) VALUES ('workout', 'a', 1)"));
  const changes = [database.takeChanges() as Uint8Array];
  database.run(new Sql("DELETE FROM log"));
  changes.push(database.takeChanges() ?? expect.unreachable());
  await rebuilt(changes);
  expect(rowsOf(copy).log).toEqual([]);
  database.close();
});

test("a table without a key is told from one whose rows are recorded, with the values that SQLite makes", () => {
  expect(recordsRowsOf("(a INTEGER, b INTEGER)")).toBe(false);
  expect(recordsRowsOf("(a INTEGER PRIMARY KEY, b INTEGER)")).toBe(true);
  expect(recordsRowsOf("(a INTEGER PRIMARY KEY, b INTEGER, c INTEGER GENERATED ALWAYS AS (-b) STORED) STRICT")).toBe(
    true,
  );
});

test("what is rolled back is not carried, and a chunk of planning is carried as a whole", async () => {
  const database = await recorded();
  const changes: Uint8Array[] = [];
  expect(() =>
    database.transaction(() => {
      database.run(new Sql("DELETE FROM seal"));
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(database.takeChanges()).toBeUndefined();
  database.beginChunk();
  database.run(new Sql("INSERT INTO alias VALUES ('a', 'b')"));
  changes.push(database.takeChanges() as Uint8Array);
  const before = rowsOf(path);
  await rebuilt(changes);
  expect(rowsOf(copy)).toEqual(before);
  database.close();
});

test("methods that promise to be durable settle once their changes are kept, with everything before them; planning waits for nothing", async () => {
  const { journal, kept, asked } = await replicated();
  const run = await journal.startPlan([], OPTIONS, 1);
  await journal.addLine(run, line("a"));
  await journal.addLine(run, line("b"));
  expect(asked()).toBe(0);
  await journal.planReady(run, 2);
  expect(kept).toHaveLength(1);
  const [first] = [(await journal.lineWithKey(run, "a")) ?? expect.unreachable()];
  await journal.intend([first], 1);
  await journal.receive(first, "done", { remoteId: "1" });
  await journal.auditTrail.takeBack("a");
  expect(kept).toHaveLength(3);
  const before = rowsOf(path);
  await rebuilt(kept);
  expect(rowsOf(copy)).toEqual(before);
  await journal.close();
});

test("the changes of a longer body are kept at its end, together", async () => {
  const { journal, kept } = await replicated();
  const run = await journal.startPlan([], OPTIONS, 1);
  const ready = kept.length;
  await journal.links.atomically(async () => {
    const before = kept.length;
    await journal.addLine(run, line("a"));
    await journal.setRunState(run, "planned", 1);
    expect(kept.length).toBe(before);
  });
  expect(kept.length).toBe(ready + 2);
  await journal.close();
});

test("a long plan is kept in parts, so that what waits to be kept doesn't grow with it", async () => {
  const { journal, kept } = await replicated();
  const run = await journal.startPlan([], OPTIONS, 1);
  for (let n = 0; n < 4_500; n++) await journal.addLine(run, line(`w${n}`));
  expect(kept).toHaveLength(2);
  await journal.planReady(run, 4_500);
  expect(kept).toHaveLength(3);
  await journal.close();
});

test("a journal that an older logferry kept is rebuilt with its own tables, and updated when it is opened", async () => {
  const version = 8;
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${STEPS.slice(0, version).join(";\n")}`);
  const session = old.createSession();
  old.exec(
    `INSERT INTO run (state, created_at, sources, options) VALUES ('finished', 1, '[]', '{"tracks":true,"activityIDs":{},"workoutIDs":{}}')`,
  );
  const changes = session.changeset();
  old.close();
  await rebuilt([changes], version);
  const journal = await openJournal(copy);
  expect((await journal.runs()).map(({ state }) => state)).toEqual(["finished"]);
  await journal.close();
  await expect(rebuilt([], JOURNAL_VERSION + 1)).rejects.toMatchObject({ code: "journal/newer", reason: "journal" });
});

test("changes that don't fit together are refused", async () => {
  const { journal, kept } = await replicated();
  const run = await journal.startPlan([], OPTIONS, 1);
  await journal.planReady(run, 0);
  await journal.setRunState(run, "running", 1);
  await journal.close();
  await expect(rebuilt(kept.slice(1))).rejects.toMatchObject({ code: "journal/damaged", reason: "journal" });
  await expect(rebuilt([Buffer.from("nonsense")])).rejects.toMatchObject({ code: "journal/damaged" });
});
