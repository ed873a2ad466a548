import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { remembered } from "./answers.ts";
import { type JournalDatabase, openJournalDatabase } from "./database.ts";
import { sql } from "./sql.ts";

const path = join(temporaryFolder(), "journal.db");
let database: JournalDatabase;
let asked: number;

/** The number of lines of a run. Each call that reads them is counted. */
const lines = remembered("lines", (from: JournalDatabase, run: number) => {
  asked++;
  return from.get(sql`SELECT count(*) AS lines FROM issue WHERE run = ${run}`)?.lines;
});

const remark = (run: number) =>
  `INSERT INTO issue (run, rule, severity, count, example) VALUES (${run}, hex(randomblob(8)), 'info', 1, '{}')`;

beforeEach(() => {
  database = openJournalDatabase(path);
  asked = 0;
});
afterEach(() => database.close());

test("a question is asked once while nobody writes, and each run has its own answer", () => {
  database.exec(remark(1));
  expect([lines(database, 1), lines(database, 1), asked]).toEqual([1, 1, 1]);
  expect([lines(database, 2), lines(database, 1), asked]).toEqual([0, 1, 2]);
});

test("a write of this process is seen, and so is one of another", () => {
  const before = Number(lines(database, 3));
  database.exec(remark(3));
  expect(lines(database, 3)).toBe(before + 1);
  const other = new DatabaseSync(path);
  other.exec(remark(3));
  other.close();
  expect(lines(database, 3)).toBe(before + 2);
});

test("what a transaction wrote and took back is in no answer", async () => {
  expect(lines(database, 4)).toBe(0);
  const failed = database.atomically(async () => {
    database.exec(remark(4));
    expect(lines(database, 4)).toBe(1);
    throw new Error("taken back");
  });
  await expect(failed).rejects.toThrow("taken back");
  expect(lines(database, 4)).toBe(0);
});
