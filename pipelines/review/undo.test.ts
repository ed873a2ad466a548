import { afterEach, beforeEach, expect, test } from "vitest";
import { Killed, type MadeSource, openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Item } from "../../transforms/model/item.ts";
import { differencesBetween } from "../log/compare-bodies.ts";
import { type UndoneRecord, undo } from "./undo.ts";

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const KEYS = ["a", "b", "c"];

function row(key: string, notes: string): Item {
  const day = String(KEYS.indexOf(key) + 1).padStart(2, "0");
  return {
    kind: "workout",
    key,
    origin: { connector: "made", archive: "made", entry: key },
    value: {
      activity: "run",
      start: { date: `2024-05-${day}`, time: "07:00:00" },
      distance: { unit: "km", value: 10 },
      duration: 3000,
      notes,
    },
  };
}

const sheet = (word: string): MadeSource => ({ name: "made", readings: KEYS.map((key) => row(key, `${word} ${key}`)) });

/** Two runs: the second writes over all that the first made. */
async function twoRuns(): Promise<void> {
  await world.import([sheet("first")]);
  await world.import([sheet("second")]);
  expect(notes()).toEqual(["second a", "second b", "second c"]);
}

function notes(): unknown[] {
  return world.log
    .of("workout")
    .map(({ body }) => body.notes)
    .sort();
}

async function undoRun(id: number, dryRun = false): Promise<readonly UndoneRecord[]> {
  const journal = await world.journal();
  const run = await journal.run(id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return undo(run, {
    journal,
    sink: world.log,
    concurrency: 1,
    dryRun,
    signal: new AbortController().signal,
    now: () => world.now++,
    onProgress: () => undefined,
  });
}

function verdicts(records: readonly UndoneRecord[]): Record<string, string> {
  return Object.fromEntries(records.map(({ line, verdict }) => [line.key, verdict]));
}

function writes(): number {
  return world.log.calls.filter((call) => !call.startsWith("read")).length;
}

test("what a run wrote over is put back, and a dry run changes nothing", async () => {
  await twoRuns();
  const before = writes();
  expect(verdicts(await undoRun(2, true))).toEqual({ a: "put back", b: "put back", c: "put back" });
  expect(writes()).toBe(before);
  expect(verdicts(await undoRun(2))).toEqual({ a: "put back", b: "put back", c: "put back" });
  expect(notes()).toEqual(["first a", "first b", "first c"]);
  const after = writes();
  expect(verdicts(await undoRun(2))).toEqual({ a: "as before", b: "as before", c: "as before" });
  expect(writes()).toBe(after);
});

test("what only completes the run's own records is no overwriting", async () => {
  await world.import([sheet("first")]);
  expect(await undoRun(1)).toEqual([]);
  expect(notes()).toEqual(["first a", "first b", "first c"]);
});

test.each([
  ["a field changed", (body: Record<string, unknown>) => Object.assign(body, { notes: "mine" }), "notes"],
  ["a field added", (body: Record<string, unknown>) => Object.assign(body, { health: { avgHR: 140 } }), "health"],
  ["a field taken out", (body: Record<string, unknown>) => delete body.notes, "notes"],
])("a record that somebody edited since is never touched (%s)", async (_what, edit, field) => {
  await twoRuns();
  const record = world.log.of("workout").find(({ body }) => body.notes === "second b");
  edit(record?.body as Record<string, unknown>);
  const edited = structuredClone(record?.body);
  const undone = await undoRun(2);
  expect(verdicts(undone)).toEqual({ a: "put back", b: "edited", c: "put back" });
  expect(undone.find(({ line }) => line.key === "b")?.differences.map((one) => one.field.split(".")[0])).toEqual([
    field,
  ]);
  expect(record?.body).toEqual(edited);
});

test("the noise of the wire is nobody's edit", async () => {
  await twoRuns();
  const record = world.log.of("workout").find(({ body }) => body.notes === "second b");
  Object.assign(record?.body as Record<string, unknown>, {
    details: { distance: { unit: "km", value: 10.0000001 }, duration: 3000 },
  });
  expect(verdicts(await undoRun(2))).toEqual({ a: "put back", b: "put back", c: "put back" });
});

test("a record that a later run wrote over is that run's to undo, and then this one's", async () => {
  await twoRuns();
  await world.import([sheet("third")]);
  expect(verdicts(await undoRun(2))).toEqual({ a: "written again", b: "written again", c: "written again" });
  await undoRun(3);
  expect(notes()).toEqual(["second a", "second b", "second c"]);
  expect(verdicts(await undoRun(2))).toEqual({ a: "put back", b: "put back", c: "put back" });
  expect(notes()).toEqual(["first a", "first b", "first c"]);
});

test("a record that is gone is named", async () => {
  await twoRuns();
  const [record] = world.log.of("workout");
  world.log.records.delete(`workout ${record?.id}`);
  expect(Object.values(verdicts(await undoRun(2))).sort()).toEqual(["gone", "put back", "put back"]);
});

test("a later import leaves what was undone as it is; asked for again, it is brought up to date", async () => {
  await twoRuns();
  await undoRun(2);
  const left = await world.import([sheet("second")]);
  expect(left.all).toMatchObject({ read: 3, skipped: 3, updated: 0, created: 0 });
  expect((await world.lines()).map(({ reason }) => reason)).toEqual(
    KEYS.map(() => expect.stringContaining("plan/undone (run 2 was undone on")),
  );
  // Not even where the source changed once more: that is for a person to say.
  expect((await world.import([sheet("third")])).all).toMatchObject({ skipped: 3, updated: 0 });
  world.settings = { ...world.settings, again: true };
  expect((await world.import([sheet("third")])).all).toMatchObject({ updated: 3 });
  expect(notes()).toEqual(["third a", "third b", "third c"]);
  world.settings = { ...world.settings, again: false };
  expect((await world.import([sheet("third")])).all).toMatchObject({ unchanged: 3 });
});

test.each(["killed before", "killed after", "lost before", "lost after"] as const)(
  "undoing goes on where it ended, whichever write it was (%s)",
  async (fault) => {
    for (const nth of [1, 2, 3]) {
      await world.close();
      world = openWorld();
      await twoRuns();
      let calls = 0;
      world.log.script = (operation) => (operation === "replace" && ++calls === nth ? fault : undefined);
      await expect(undoRun(2)).rejects.toThrow();
      world.log.script = () => undefined;
      // The process that goes on knows nothing but the journal.
      await world.closeJournal();
      await undoRun(2);
      expect(notes()).toEqual(["first a", "first b", "first c"]);
      expect((await world.import([sheet("second")])).all).toMatchObject({ skipped: 3, updated: 0 });
    }
  },
);

test("a run that was killed in the middle of writing over keeps the oldest form of each record", async () => {
  await world.import([sheet("first")]);
  for (let nth = 1; nth <= 3; nth++) {
    let calls = 0;
    world.log.script = (operation) => (operation === "replace" && ++calls === nth ? "killed after" : undefined);
    await world.import([sheet("second")]).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    world.log.script = () => undefined;
    await world.closeJournal();
    await world.apply();
    const last = (await (await world.journal()).run())?.id ?? 0;
    await undoRun(last);
    expect(notes()).toEqual(["first a", "first b", "first c"]);
    world.settings = { ...world.settings, again: true };
  }
});

test("two records differ in what either has, and the number of a set of intervals is no difference", () => {
  expect(differencesBetween({ a: 1, b: 2 }, { a: 1, b: 2 })).toEqual([]);
  expect(differencesBetween({ a: 1 }, { a: 1, b: 2 })).toEqual([{ field: "b", expected: undefined, found: 2 }]);
  expect(differencesBetween({ a: 1, b: 2 }, { a: 1 })).toEqual([{ field: "b", expected: 2, found: undefined }]);
  expect(differencesBetween({ a: [1] }, { a: [1, 2] })).toHaveLength(1);
  const set = (id?: number) => ({ intervalSet: { ...(id !== undefined && { id }), intervals: [] } });
  expect(differencesBetween(set(), set(7))).toEqual([]);
});
