import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "./journal.ts";
import type { Line, NewLine } from "./line.ts";
import { findHolder } from "./lock.ts";
import type { LogEntry } from "./remote-record.ts";
import { openJournal, openJournalToRead } from "./sqlite.ts";

const folder = temporaryFolder();
const path = join(folder, "journal.db");

const OPTIONS = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };
const ORIGIN = { connector: "test", archive: "a.zip", entry: "a.csv" };

function workoutLine(
  key: string,
  value: Partial<Workout> & Pick<Workout, "start">,
  state: NewLine["state"] = "planned",
): NewLine {
  const workout: Workout = { activity: "run", ...value };
  return {
    key,
    kind: "workout",
    source: 0,
    origin: ORIGIN,
    state,
    action: "create",
    uploadMethod: "save",
    content: "c",
    value: workout,
    facts: toFacts(workout),
  };
}

async function planOf(journal: Journal, lines: readonly NewLine[]): Promise<number> {
  const run = await journal.startPlan([{ path: "/a", name: "a", connector: "test", saw: "" }], OPTIONS, 1);
  for (const line of lines) await journal.addLine(run, line);
  await journal.planReady(run, lines.length);
  return run;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test("the journal is a file only its owner can read", async () => {
  const journal = await openJournal(path);
  await journal.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("lines come in loading order: equipment, courses, then workouts newest first, untimed and undated ones too", async () => {
  const journal = await openJournal(path);
  const thing = (key: string, kind: "equipment" | "course"): NewLine => ({
    key,
    kind,
    source: 0,
    origin: ORIGIN,
    state: "planned",
    action: "create",
  });
  const lines = Array.from({ length: 450 }, (_, n) =>
    workoutLine(`w${n}`, { start: { date: `20${String(10 + (n % 15)).padStart(2, "0")}-06-01`, time: "06:00:00" } }),
  );
  const run = await planOf(journal, [
    lines[0] as NewLine,
    thing("c", "course"),
    thing("e", "equipment"),
    ...lines.slice(1),
  ]);
  const read = await all(journal.lines(run, { state: ["planned"] }));
  expect(read.map((line) => line.kind).slice(0, 3)).toEqual(["equipment", "course", "workout"]);
  expect(read).toHaveLength(452);
  const dates = read.filter((line) => line.kind === "workout").map((line) => line.value.start.date ?? "");
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(new Set(read.map((line) => line.key)).size).toBe(452);
  await journal.close();
});

test("lines that change state while they are walked are each met once", async () => {
  const journal = await openJournal(path);
  const run = await planOf(
    journal,
    Array.from({ length: 450 }, (_, n) => workoutLine(`w${n}`, { start: { date: "2020-01-01" } })),
  );
  const met: string[] = [];
  for await (const line of journal.lines(run, { state: ["planned"] })) {
    met.push(line.key);
    await journal.intend([line], 5);
    await journal.receive(line, "done", { remoteId: line.key });
  }
  expect(new Set(met).size).toBe(450);
  expect(met).toHaveLength(450);
  await journal.close();
});

test("a line can't take an edge that isn't one: what is done stays done", async () => {
  const journal = await openJournal(path);
  const run = await planOf(journal, [workoutLine("w", { start: { date: "2020-01-01" } })]);
  const [line] = (await all(journal.lines(run, {}))) as [Line];
  await journal.intend([line], 1);
  await journal.receive(line, "done", { remoteId: "1" });
  await expect(journal.intend([line], 2)).rejects.toThrow("no such edge");
  await journal.close();
});

test("a line can't be merged into a line that leads back to it: nothing would stand for both", async () => {
  const journal = await openJournal(path);
  const start = { date: "2020-01-01" };
  const run = await planOf(
    journal,
    ["a", "b", "c"].map((key) => workoutLine(key, { start })),
  );
  const [a, b, c] = (await all(journal.lines(run, {}))) as [Line, Line, Line];
  const merge = (line: Line, into: Line) =>
    journal.patchLine(run, line.seq, { state: "merged", duplicateOf: into.key });
  await merge(a, b);
  await merge(b, c);
  await expect(merge(c, a)).rejects.toThrow("merged into that line");
  expect((await journal.lineWithKey(run, c.key))?.state).toBe("planned");
  await journal.close();
});

test("the events of a line tell how it really went, whatever its caller believes it to be", async () => {
  const journal = await openJournal(path);
  const run = await planOf(journal, [workoutLine("w", { start: { date: "2020-01-01" } })]);
  const [line] = (await all(journal.lines(run, {}))) as [Line];
  expect(line.state).toBe("planned");
  await journal.intend([line], 1);
  await journal.intend([line], 2);
  await journal.receive(line, "done", { remoteId: "1" });
  await journal.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const events = database.prepare('SELECT "from", "to" FROM event ORDER BY id').all();
  database.close();
  expect(events.map(({ from, to }) => `${from} → ${to}`)).toEqual([
    "planned → in-flight",
    "in-flight → in-flight",
    "in-flight → done",
  ]);
});

test("the run that a retry belongs to is kept under the name that older journals gave it", async () => {
  const journal = await openJournal(path);
  const run = await journal.startPlan([], { ...OPTIONS, retryOf: 7 }, 1);
  await journal.planReady(run, 0);
  expect((await journal.run(run))?.options).toEqual({ ...OPTIONS, retryOf: 7 });
  await journal.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const stored = database.prepare("SELECT options FROM run").get();
  database.close();
  expect(JSON.parse(String(stored?.options))).toEqual({ ...OPTIONS, takesUp: 7 });
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

test("a journal of one account refuses another", async () => {
  const journal = await openJournal(path);
  await journal.bindAccount({ baseUrl: "http://a", userHash: "1", name: "ana" });
  await journal.bindAccount({ baseUrl: "http://a", userHash: "1", name: "ana" });
  await expect(journal.bindAccount({ baseUrl: "http://a", userHash: "2", name: "bo" })).rejects.toMatchObject({
    code: "journal/other-account",
  });
  await journal.close();
});

test("possible duplicates are found by wall clock, by instant, and by day when one is untimed", async () => {
  const journal = await openJournal(path);
  const instant = Date.parse("2024-05-01T05:00:00Z");
  const run = await journal.startPlan([], OPTIONS, 1);
  await journal.addLine(run, workoutLine("wall", { start: { date: "2024-05-01", time: "07:01:00" } }));
  await journal.addLine(run, workoutLine("instant", { start: { date: "2024-05-01", time: "09:00:00", instant } }));
  await journal.addLine(run, workoutLine("untimed", { start: { date: "2024-05-01" } }));
  await journal.addLine(run, workoutLine("far", { start: { date: "2024-05-01", time: "12:00:00" } }));
  const near = async (start: Workout["start"]) => {
    const facts = toFacts({ activity: "run", start });
    return facts === undefined ? [] : (await journal.duplicateCandidates(run, facts)).map((line) => line.key);
  };
  expect(await near({ date: "2024-05-01", time: "07:00:00", instant: instant + 60_000 })).toEqual([
    "wall",
    "instant",
    "untimed",
  ]);
  expect(await near({ date: "2024-05-01" })).toEqual(["wall", "instant", "untimed", "far"]);
  expect(await near({ date: "2024-05-02", time: "07:00:00" })).toEqual([]);
  await journal.close();
});

test("what appeared in the log since the baseline is told apart from what was there", async () => {
  const journal = await openJournal(path);
  async function* listing(...ids: string[]): AsyncIterable<LogEntry> {
    for (const id of ids) yield { kind: "workout", id };
  }
  await journal.takeListing(listing("1", "2"), true);
  await journal.takeListing(listing("1", "2", "3"), false);
  expect((await journal.appeared("workout")).map((entry) => entry.id)).toEqual(["3"]);
  await journal.claimLog("workout", "3", "k");
  expect(await journal.appeared("workout")).toEqual([]);
  await journal.close();
});

test("a plan that was killed half-way is forgotten by the next", async () => {
  let journal = await openJournal(path);
  const half = await journal.startPlan([], OPTIONS, 1);
  await journal.addLine(half, workoutLine("w", { start: { date: "2020-01-01" } }));
  await journal.close();
  journal = await openJournal(path);
  expect(await journal.run()).toBeUndefined();
  const run = await planOf(journal, []);
  expect(await journal.tally(run)).toEqual([]);
  expect(await journal.runs()).toHaveLength(1);
  await journal.close();
});

test("a record merged into one that was merged itself is found where that one was put", async () => {
  const journal = await openJournal(path);
  const start = { date: "2020-01-01" };
  const run = await planOf(journal, [
    workoutLine("row", { start }),
    { ...workoutLine("watch", { start }, "merged"), duplicateOf: "row" },
    { ...workoutLine("phone", { start }, "merged"), duplicateOf: "watch" },
  ]);
  const line = (await journal.lineWithKey(run, "row")) as Line;
  await journal.intend([line], 1);
  await journal.receive(
    line,
    "done",
    { remoteId: "77" },
    { key: "row", kind: "workout", remoteId: "77", content: "c", sent: { a: 1 }, finished: true, run },
  );
  await journal.setRunState(run, "finished", 2);
  expect(await journal.remoteRecord("phone")).toMatchObject({ remoteId: "77", sent: { a: 1 } });
  expect(await journal.remoteRecord("nobody")).toBeUndefined();
  await journal.close();
});

test("values without a field in the log are stored under the name that earlier versions gave them, and counted", async () => {
  const unsupported = [{ field: "calories", value: "640 kcal" }];
  const start = { date: "2024-05-01", time: "07:00:00" };
  const journal = await openJournal(path);
  const run = await planOf(journal, [workoutLine("new", { start, unsupported }), workoutLine("old", { start })]);
  await journal.patchLine(run, 2, { value: { activity: "run", start, unsupported } });
  await journal.close();

  const database = new DatabaseSync(path);
  const stored = database.prepare("SELECT value FROM line ORDER BY seq").all();
  expect(stored.map(({ value }) => JSON.parse(String(value)).beyond)).toEqual([unsupported, unsupported]);
  database.close();

  const again = await openJournal(path);
  expect((await again.lineWithKey(run, "new"))?.value).toEqual({ activity: "run", start, unsupported });
  expect(await again.losses(run)).toEqual([{ field: "calories", count: 2, because: "no field" }]);
  await again.close();
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
