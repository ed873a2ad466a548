/** What every journal promises, wherever it lives: in a file, or in PostgreSQL. */
import { expect, test } from "vitest";
import type { Journal } from "../../pipelines/journal/journal.ts";
import type { Line, NewLine } from "../../pipelines/journal/line.ts";
import type { LogEntry } from "../../pipelines/journal/remote-record.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";

/** A place where one journal lives. It begins empty for each test. */
export interface JournalPlace {
  /** Opens the journal, as the next process does. */
  open(): Promise<Journal>;
  /** Asks the tables of the closed journal. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Options of a run. */
export const OPTIONS = { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} };

/** The place of a record. */
export const ORIGIN = { connector: "test", archive: "a.zip", entry: "a.csv" };

/** A line of a plan. */
export function workoutLine(
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

/** Makes a plan. @returns its run */
export async function planOf(journal: Journal, lines: readonly NewLine[]): Promise<number> {
  const run = await journal.startPlan([{ path: "/a", name: "a", connector: "test", saw: "" }], OPTIONS, 1);
  for (const line of lines) await journal.addLine(run, line);
  await journal.planReady(run, lines.length);
  return run;
}

/** Every item. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Tries the promises on a place. */
export function journalLaws(place: JournalPlace): void {
  test("lines come in loading order: equipment, courses, then workouts newest first, untimed and undated ones too", async () => {
    const journal = await place.open();
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
    const journal = await place.open();
    const run = await planOf(
      journal,
      Array.from({ length: 450 }, (_, n) => workoutLine(`w${n}`, { start: { date: "2020-01-01" } })),
    );
    const met: string[] = [];
    const under: Promise<void>[] = [];
    for await (const line of journal.lines(run, { state: ["planned"] })) {
      met.push(line.key);
      under.push(journal.intend([line], 5).then(() => journal.receive(line, "done", { remoteId: line.key })));
      // Eight requests at a time, as in a load.
      if (under.length === 8) await Promise.all(under.splice(0));
    }
    await Promise.all(under);
    expect(new Set(met).size).toBe(450);
    expect(met).toHaveLength(450);
    await journal.close();
  });

  test("a line can't take an edge that isn't one: what is done stays done", async () => {
    const journal = await place.open();
    const run = await planOf(journal, [workoutLine("w", { start: { date: "2020-01-01" } })]);
    const [line] = (await all(journal.lines(run, {}))) as [Line];
    await journal.intend([line], 1);
    await journal.receive(line, "done", { remoteId: "1" });
    await expect(journal.intend([line], 2)).rejects.toThrow("no such edge");
    await journal.close();
  });

  test("a line can't be merged into a line that leads back to it: nothing would stand for both", async () => {
    const journal = await place.open();
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
    const journal = await place.open();
    const run = await planOf(journal, [workoutLine("w", { start: { date: "2020-01-01" } })]);
    const [line] = (await all(journal.lines(run, {}))) as [Line];
    expect(line.state).toBe("planned");
    await journal.intend([line], 1);
    await journal.intend([line], 2);
    await journal.receive(line, "done", { remoteId: "1" });
    await journal.close();
    const events = await place.rows('SELECT "from", "to" FROM event ORDER BY id');
    expect(events.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "planned → in-flight",
      "in-flight → in-flight",
      "in-flight → done",
    ]);
  });

  test("the run that a retry belongs to is kept under the name that older journals gave it", async () => {
    const journal = await place.open();
    const run = await journal.startPlan([], { ...OPTIONS, retryOf: 7 }, 1);
    await journal.planReady(run, 0);
    expect((await journal.run(run))?.options).toEqual({ ...OPTIONS, retryOf: 7 });
    await journal.close();
    const [stored] = await place.rows("SELECT options FROM run");
    expect(JSON.parse(String(stored?.options))).toEqual({ ...OPTIONS, takesUp: 7 });
  });

  test("a journal of one account refuses another", async () => {
    const journal = await place.open();
    await journal.bindAccount({ baseUrl: "http://a", userHash: "1", name: "ana" });
    await journal.bindAccount({ baseUrl: "http://a", userHash: "1", name: "ana" });
    await expect(journal.bindAccount({ baseUrl: "http://a", userHash: "2", name: "bo" })).rejects.toMatchObject({
      code: "journal/other-account",
    });
    await journal.close();
  });

  test("possible duplicates are found by wall clock, by instant, and by day when one is untimed", async () => {
    const journal = await place.open();
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
    const journal = await place.open();
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
    let journal = await place.open();
    const half = await journal.startPlan([], OPTIONS, 1);
    await journal.addLine(half, workoutLine("w", { start: { date: "2020-01-01" } }));
    await journal.close();
    journal = await place.open();
    expect(await journal.run()).toBeUndefined();
    const run = await planOf(journal, []);
    expect(await journal.tally(run)).toEqual([]);
    expect(await journal.runs()).toHaveLength(1);
    await journal.close();
  });

  test("a record merged into one that was merged itself is found where that one was put", async () => {
    const journal = await place.open();
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
    const journal = await place.open();
    const run = await planOf(journal, [workoutLine("new", { start, unsupported }), workoutLine("old", { start })]);
    await journal.patchLine(run, 2, { value: { activity: "run", start, unsupported } });
    await journal.close();

    const stored = await place.rows("SELECT value FROM line ORDER BY seq");
    expect(stored.map(({ value }) => JSON.parse(String(value)).beyond)).toEqual([unsupported, unsupported]);

    const again = await place.open();
    expect((await again.lineWithKey(run, "new"))?.value).toEqual({ activity: "run", start, unsupported });
    expect(await again.losses(run)).toEqual([{ field: "calories", count: 2, because: "no field" }]);
    await again.close();
  });
}
