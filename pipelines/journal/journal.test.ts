import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { all, journalLaws, planOf, workoutLine } from "../../test/suites/journal-laws.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Line } from "./line.ts";
import { findHolder } from "./lock.ts";
import { openJournal, openJournalToRead } from "./sqlite.ts";

const folder = temporaryFolder();
const path = join(folder, "journal.db");

journalLaws({
  open: () => openJournal(path),
  async rows(sql) {
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  },
});

test("the journal is a file only its owner can read", async () => {
  const journal = await openJournal(path);
  await journal.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a second process is refused and told who holds the journal; once that one is killed, the journal is free", async () => {
  const script = `
    import { openJournal } from "./pipelines/journal/sqlite.ts";
    await openJournal(${JSON.stringify(path)});
    console.log("open");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const refused = await openJournal(path).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FatalError);
  expect(refused).toMatchObject({ reason: "locked" });
  expect(String(refused)).toContain(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  const journal = await openJournal(path);
  await journal.close();
});

test("a journal can be looked at while a process works with it: as it was at that moment, and without a lock", async () => {
  const journal = await openJournal(path);
  const run = await planOf(journal, [workoutLine("a", { start: { date: "2020-01-01" } })]);
  const reader = await openJournalToRead(path);
  const [line] = (await all(journal.lines(run, {}))) as [Line];
  await journal.intend([line], 1);
  expect((await reader.line(run, 1))?.state).toBe("planned");
  await reader.close();
  const later = await openJournalToRead(path);
  expect((await later.line(run, 1))?.state).toBe("in-flight");
  expect((await later.runs()).map(({ id }) => id)).toEqual([run]);
  await later.close();
  await journal.close();
  // Nobody works with it now, and what a reader left behind is in nobody's way.
  await (await openJournalToRead(path)).close();
  await (await openJournal(path)).close();
});

test("who holds a journal is known while it is held, whoever looks; looking keeps nobody out", async () => {
  expect(findHolder(path)).toBeUndefined();
  const journal = await openJournal(path);
  expect(findHolder(path)).toMatch(new RegExp(`^process ${process.pid} on .+, since \\d{4}-\\d\\d-\\d\\dT`));
  // Its file is made before anything is in it.
  writeFileSync(`${path}.holder`, "");
  expect(findHolder(path)).toBe("it just started");
  await journal.close();
  expect(findHolder(path)).toBeUndefined();
  await (await openJournal(path)).close();
});

test("a file that a killed process left empty, at its very first write, becomes a journal", async () => {
  writeFileSync(path, "");
  await (await openJournal(path)).close();
  const header = new DatabaseSync(join(folder, "other.db"));
  header.exec("PRAGMA journal_mode = WAL");
  header.close();
  const journal = await openJournal(join(folder, "other.db"));
  expect(await journal.runs()).toEqual([]);
  await journal.close();
});

test.each([
  [
    "a text file",
    (file: string) => writeFileSync(file, "not a database, but quite long enough to be taken for one ".repeat(20)),
    "journal/not-a-journal",
  ],
  [
    "another database",
    (file: string) => {
      const other = new DatabaseSync(file);
      other.exec("CREATE TABLE t (a)");
      other.close();
    },
    "journal/not-a-journal",
  ],
  [
    "a journal of a newer logferry",
    (file: string) => {
      const other = new DatabaseSync(file);
      other.exec("PRAGMA application_id = 0x6c667279; PRAGMA user_version = 999");
      other.close();
    },
    "journal/newer",
  ],
])("%s is refused with a clear error", async (_what, make, code) => {
  make(path);
  await expect(openJournal(path)).rejects.toMatchObject({ code });
});

test("an intent and a receipt look their lines up by index, so a record costs the same in a run of any length", async () => {
  const journal = await openJournal(path);
  const run = await planOf(journal, [
    workoutLine("one", { start: { date: "2024-05-01" } }),
    workoutLine("two", { start: { date: "2024-05-02" } }),
  ]);
  const prepared = vi.spyOn(DatabaseSync.prototype, "prepare");
  for (const [index, line] of (await all(journal.lines(run, { state: ["planned"] }))).entries()) {
    if (line.kind !== "workout") continue;
    await journal.intend([line], 2);
    const at = {
      key: line.key,
      kind: "workout",
      remoteId: `id-${index}`,
      content: "c",
      finished: true,
      run,
      sent: undefined,
    } as const;
    expect(await journal.isTaken(line, "workout", at.remoteId)).toBe(false);
    expect(await journal.receiveId(line, "done", { remoteId: at.remoteId }, at)).toBe(true);
  }
  const statements = prepared.mock.calls.map(([text]) => text).filter((text) => !text.includes("ORDER BY"));
  prepared.mockRestore();
  await journal.close();
  expect(statements.length).toBeGreaterThan(5);
  const database = new DatabaseSync(path);
  const steps = statements.flatMap((text) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  database.close();
  expect(steps.filter((step) => /^SEARCH (line|placed)\b/.test(step)).length).toBeGreaterThan(3);
  expect(steps.filter((step) => step.startsWith("SCAN ") || step.endsWith("(run=?)"))).toEqual([]);
});
