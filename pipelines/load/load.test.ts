import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import {
  type Fault,
  Killed,
  type MadeSource,
  type Operation,
  openWorld,
  type Script,
  type World,
} from "../../test/support/scripted-log.ts";
import { inputs } from "../../test/support/tiers.ts";
import type { Item, Kind, Reading } from "../../transforms/model/item.ts";
import type { TrackRef, Workout } from "../../transforms/model/workout.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import { LEDGER_COLUMNS, type RunSummary } from "../journal/summary.ts";

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const FIRST_START = Date.parse("2024-05-01T05:00:00Z");
const DAY = 86_400_000;

function item<K extends Kind>(kind: K, key: string, value: Extract<Item, { kind: K }>["value"]): Item {
  return { kind, key, value, origin: { connector: "made", archive: "made", entry: key } } as Item;
}

/** A run by hand, one a day; what is in its notes is how it is found again. */
function row(day: number, extra: Partial<Workout> = {}): Item {
  const date = new Date(FIRST_START + day * DAY).toISOString().slice(0, 10);
  return item("workout", `row-${day}`, {
    activity: "run",
    start: { date, time: "07:00:00" },
    distance: { unit: "km", value: 10 },
    duration: 3000 + day,
    notes: `run ${day}`,
    ...extra,
  });
}

/** A run with a device file of its own, at the same time every day as commuters do. */
function recorded(day: number, extra: Partial<Workout> = {}): Item {
  const entry = `${day}.fit`;
  const start = FIRST_START + day * DAY;
  world.files.set(entry, [{ start, metres: 10_000, seconds: 3000 + day }]);
  return row(day, {
    start: { instant: start, offsetMinutes: 120 },
    notes: `recorded ${day}`,
    track: { ...TRACK, entry },
    ...extra,
  });
}

const TRACK: TrackRef = { entry: "", format: "fit", recording: 0, recordings: 1, sha256: "0" };

/** Legs of one file, an hour apart. */
function legs(day: number, count: number): Item[] {
  const entry = `${day}-legs.fit`;
  const made = Array.from({ length: count }, (_, leg) => ({
    start: FIRST_START + day * DAY + leg * 3_600_000,
    metres: 2000 + 3000 * leg,
    seconds: 600 + 900 * leg,
  }));
  world.files.set(entry, made);
  return made.map(({ start, metres, seconds }, leg) =>
    item("workout", `leg-${day}-${leg}`, {
      activity: "run",
      start: { instant: start, offsetMinutes: 120 },
      distance: { unit: "m", value: metres },
      duration: seconds,
      notes: `leg ${day} ${leg}`,
      track: { ...TRACK, entry, recording: leg, recordings: count },
    }),
  );
}

const SHOE = item("equipment", "shoe", { activity: "run", brandName: "Hoka", modelName: "Clifton" });
const ROUTE = item("course", "route", {
  name: "River loop",
  distance: { unit: "km", value: 8 },
  map: { entry: "river.gpx", format: "gpx", line: 0, sha256: "0" },
});

function source(...readings: readonly Reading[]): MadeSource {
  return { name: "made", readings };
}

/** Goes wrong at the nth call of an operation on a kind, and at no other. */
function once(operation: Operation, kind: Kind, fault: Fault, nth = 1): Script {
  let calls = 0;
  return (each, of) => (each === operation && of === kind && ++calls === nth ? fault : undefined);
}

/** The notes of every workout in the log, once the server has done all it was sent. */
function notes(): string[] {
  world.log.finish();
  return world.log
    .of("workout")
    .map(({ body }) => String(body.notes))
    .sort();
}

function workoutOf(text: string): Record<string, unknown> {
  const found = world.log.of("workout").filter(({ body }) => body.notes === text);
  expect(found, `workouts with the notes ${text}`).toHaveLength(1);
  return found[0]?.body ?? {};
}

function expectBalance({ all, balanced }: RunSummary, columns: Partial<RunSummary["all"]>): void {
  expect(balanced).toBe(true);
  expect(LEDGER_COLUMNS.reduce((sum, column) => sum + all[column], 0)).toBe(all.read);
  expect(all).toMatchObject({ left: 0, inDoubt: 0, failed: 0, refused: 0, ...columns });
}

async function expectVerified(): Promise<void> {
  const { discrepancies, claimedTwice } = await world.verify();
  expect(discrepancies.map(({ line, differences }) => [line.key, differences])).toEqual([]);
  expect(claimedTwice).toEqual([]);
}

/** Import, which the fault may stop; then again as a person would, until it is through. */
async function importWith(script: Script, ...readings: readonly Reading[]): Promise<RunSummary> {
  world.log.script = script;
  const made = source(...readings);
  let summary: RunSummary | undefined;
  try {
    summary = await world.import(made.readings.length === 0 ? [] : [made]);
  } catch (error) {
    if (!(error instanceof Killed || error instanceof FatalError)) throw error;
  }
  world.log.script = () => undefined;
  return summary !== undefined && summary.all.left === 0 ? summary : world.apply();
}

test("every record is made once, in its order, and points at the log's ids", async () => {
  const withGear = row(1, { equipment: ["shoe"], course: "route" });
  const summary = await world.import([source(withGear, recorded(2), ...legs(3, 3), SHOE, ROUTE)]);
  expectBalance(summary, { read: 7, created: 7 });
  expect(notes()).toEqual(["leg 3 0", "leg 3 1", "leg 3 2", "recorded 2", "run 1"]);
  const [shoe] = world.log.of("equipment");
  const [route] = world.log.of("course");
  expect(workoutOf("run 1")).toMatchObject({ equipment: [{ id: shoe?.id }], course: { id: route?.id } });
  expect(route?.maps).toBe(1);
  expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(2);
  await expectVerified();
});

const KINDS_OF_PROBLEM = ["lost before", "lost after", "busy", "login", "killed before", "killed after"] as const;
const OPERATIONS: readonly [Operation, Kind][] = [
  ["create", "workout"],
  ["create", "equipment"],
  ["create", "course"],
  ["map", "course"],
  ["import", "workout"],
  ["read", "workout"],
  ["replace", "workout"],
];

describe.each(OPERATIONS)("%s of a %s that goes wrong", (operation, kind) => {
  test.each(KINDS_OF_PROBLEM)("(%s) loses and doubles nothing, at whichever call", async (fault) => {
    for (const nth of [1, 2, 3, 4, 5]) {
      const readings = [
        SHOE,
        item("equipment", "other shoe", { activity: "run", brandName: "Saucony" }),
        ROUTE,
        ...[1, 2, 3].map((day) => row(day, { equipment: ["shoe"], course: "route" })),
        ...[4, 5].map((day) => recorded(day, { equipment: ["other shoe"] })),
        ...legs(6, 3),
      ];
      const summary = await importWith(once(operation, kind, fault, nth), ...readings);
      expectBalance(summary, { read: 11, created: 11 });
      expect(notes(), `call ${nth}`).toEqual(
        ["run 1", "run 2", "run 3", "recorded 4", "recorded 5", "leg 6 0", "leg 6 1", "leg 6 2"].sort(),
      );
      expect(world.log.of("equipment")).toHaveLength(2);
      const shoe = world.log.of("equipment").find(({ body }) => body.brandName === "Hoka");
      const route = world.log.of("course");
      expect(route).toHaveLength(1);
      expect(route[0]?.maps).toBeGreaterThan(0);
      for (const day of [1, 2, 3]) {
        expect(workoutOf(`run ${day}`)).toMatchObject({
          equipment: [{ id: shoe?.id }],
          course: { id: route[0]?.id },
        });
      }
      await expectVerified();
      await world.close();
      world = openWorld();
    }
  });
});

test("an answer that leads elsewhere may come after the deed: it is looked up, not sent again", async () => {
  const summary = await importWith(once("create", "workout", "redirected", 2), row(1), row(2), row(3));
  expectBalance(summary, { created: 3 });
  expect(notes()).toEqual(["run 1", "run 2", "run 3"]);
});

test("while a shoe can't be made no workout leaves without it, and the next run goes on", async () => {
  let creates = 0;
  world.log.script = (operation, kind) =>
    operation === "create" && kind === "equipment" && ++creates <= 2 ? "lost before" : undefined;
  const made = [source(SHOE, row(1, { equipment: ["shoe"] }))];
  const stopped = await world.import(made);
  expect(stopped.run.state).toBe("stopped");
  expect(stopped.all).toMatchObject({ created: 0, left: 2 });
  expectBalance(await world.apply(), { created: 2 });
  const [shoe] = world.log.of("equipment");
  expect(workoutOf("run 1")).toMatchObject({ equipment: [{ id: shoe?.id }] });
});

describe("imports that don't make what was planned", () => {
  test("what an import didn't make is saved without its track, and the file isn't sent again", async () => {
    const summary = await importWith(once("import", "workout", "fewer"), ...legs(1, 3));
    expectBalance(summary, { created: 3 });
    expect(notes()).toEqual(["leg 1 0", "leg 1 1", "leg 1 2"]);
    expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(1);
    expect(world.issues.map(({ rule }) => rule)).toContain("load/not-imported");
    await expectVerified();
  });

  test("when nobody said what it made, the part that is there is adopted, and the rest goes as a file of its own", async () => {
    const summary = await importWith(once("import", "workout", "fewer, lost after"), ...legs(1, 3));
    expectBalance(summary, { created: 3 });
    expect(notes()).toEqual(["leg 1 0", "leg 1 1", "leg 1 2"]);
    expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(2);
    const recorded = world.log.of("workout").map(({ body, recording }) => [body.notes, recording?.metres]);
    expect(recorded.toSorted()).toEqual([
      ["leg 1 0", 2000],
      ["leg 1 1", 5000],
      ["leg 1 2", 8000],
    ]);
    await expectVerified();
  });

  test.each([
    "lost before",
    "lost after",
    "killed before",
    "killed after",
    "done late",
    "fewer",
    "fewer, lost after",
    "unsaid",
    "refused",
  ] as const)(
    "a leg that goes as a file of its own is in the log once, whatever befalls its import (%s)",
    async (fault) => {
      const [swim, change, ride] = legs(1, 3);
      const without = [swim, ride].filter((leg) => leg !== undefined);
      expect(change).toBeDefined();
      const summary = await importWith(once("import", "workout", fault, 2), ...without);
      expectBalance(summary, { created: 2 });
      expect(notes()).toEqual(["leg 1 0", "leg 1 2"]);
      expect(new Set(world.log.of("workout").map(({ recording }) => recording?.metres))).not.toContain(5000);
      await expectVerified();
      expectBalance(await world.import([source(...without)]), { unchanged: 2, created: 0 });
      expect(notes()).toHaveLength(2);
    },
  );

  test.each([1, 3])(
    "of a file with %d workouts, one that an import made and didn't name is found, and not saved again",
    async (count) => {
      const summary = await importWith(once("import", "workout", "unsaid"), ...legs(1, count));
      expectBalance(summary, { created: count });
      expect(world.log.of("workout")).toHaveLength(count);
      expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(1);
      expect(world.issues.map(({ rule }) => rule)).toContain("load/not-imported");
      await expectVerified();
    },
  );

  test("what an import made beyond the plan is reported, and stays nobody's", async () => {
    const summary = await importWith(once("import", "workout", "more"), ...legs(1, 2), row(2));
    expectBalance(summary, { created: 3 });
    expect(notes()).toEqual(["leg 1 0", "leg 1 1", "run 2", "undefined"]);
    expect(world.issues.map(({ rule }) => rule)).toContain("load/extra-workout");
    await expectVerified();
  });

  test("a file the log refuses is sent once, and each of its workouts saved without its track", async () => {
    const summary = await importWith(once("import", "workout", "refused"), ...legs(1, 3), recorded(2));
    expectBalance(summary, { created: 4 });
    expect(notes()).toEqual(["leg 1 0", "leg 1 1", "leg 1 2", "recorded 2"]);
    expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(2);
  });

  test.each(["busy", "login", "killed after", "killed before", "lost after"] as const)(
    "a refused file whose saves are stopped half-way (%s) is not sent again in part",
    async (fault) => {
      for (const nth of [1, 2, 3]) {
        const script = once("import", "workout", "fewer");
        const saves = once("create", "workout", fault, nth);
        const summary = await importWith(
          (operation, kind) => script(operation, kind) ?? saves(operation, kind),
          ...legs(1, 2),
          ...legs(2, 3),
        );
        expectBalance(summary, { created: 5 });
        expect(notes()).toEqual(["leg 1 0", "leg 1 1", "leg 2 0", "leg 2 1", "leg 2 2"]);
        await world.close();
        world = openWorld();
      }
    },
  );

  test("several workers that meet one device file send it once", async () => {
    world.concurrency = 8;
    const summary = await importWith(() => undefined, ...legs(1, 5), ...legs(2, 5));
    expectBalance(summary, { created: 10 });
    expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(2);
    expect(new Set(notes()).size).toBe(10);
  });
});

describe("looking up what a lost answer made", () => {
  test.each(["lost before", "lost after", "killed before", "killed after"] as const)(
    "equal workouts in one source both survive when one of them is in doubt (%s)",
    async (fault) => {
      for (const nth of [1, 2]) {
        const duplicate = (key: string) => ({ ...row(1), key });
        const summary = await importWith(once("create", "workout", fault, nth), duplicate("a"), duplicate("b"));
        expectBalance(summary, { created: 2 });
        expect(notes()).toEqual(["run 1", "run 1"]);
        await expectVerified();
        await world.close();
        world = openWorld();
      }
    },
  );

  test.each(["lost after", "done late"] as const)("both survive when both are in doubt (%s)", async (fault) => {
    const duplicate = (key: string) => ({ ...row(1), key });
    let creates = 0;
    const summary = await importWith(
      (operation) => (operation === "create" && ++creates <= 2 ? fault : undefined),
      duplicate("a"),
      duplicate("b"),
    );
    expectBalance(summary, { created: 2 });
    expect(notes()).toEqual(["run 1", "run 1"]);
    expect(world.log.calls.filter((call) => call.startsWith("create"))).toHaveLength(2);
    await expectVerified();
  });

  test.each([
    ["lost before", "lost after"],
    ["lost after", "lost before"],
    ["done late", "lost after"],
  ] as const)("equal workouts that differ in their notes alone both keep theirs (%s, %s)", async (...faults) => {
    world.concurrency = 1;
    let creates = 0;
    const summary = await importWith(
      (operation) => (operation === "create" ? faults[creates++] : undefined),
      { ...row(1, { notes: "in the morning" }), key: "a" },
      { ...row(1, { notes: "the same again" }), key: "b" },
    );
    expectBalance(summary, { created: 2 });
    expect(notes()).toEqual(["in the morning", "the same again"]);
    await expectVerified();
  });

  test("a create and an import that are done after the answer was given up are waited for", async () => {
    const faults = once("import", "workout", "done late");
    const others = once("create", "workout", "done late");
    const summary = await importWith(
      (operation, kind) => faults(operation, kind) ?? others(operation, kind),
      ...legs(1, 3),
      row(2),
    );
    expectBalance(summary, { created: 4 });
    expect(notes()).toEqual(["leg 1 0", "leg 1 1", "leg 1 2", "run 2"]);
  });

  test("of two commutes in doubt, made alike on two days, each keeps its own track", async () => {
    world.concurrency = 2;
    // Read newest first: the second day's import is lost before, the first day's after it was done.
    const imports: (Fault | undefined)[] = ["lost before", "lost after"];
    await importWith((operation) => (operation === "import" ? imports.shift() : undefined), recorded(1), recorded(2));
    expect(notes()).toEqual(["recorded 1", "recorded 2"]);
    for (const { body, recording } of world.log.of("workout")) {
      expect(new Date(recording?.start ?? 0).toISOString().slice(0, 10)).toBe(body.date);
    }
  });

  test("a recording that starts a minute and a half from its row is found again, 3 % longer and with its pauses too", async () => {
    const entry = "other-clock.fit";
    const start = FIRST_START;
    world.files.set(entry, [{ start: start + 100_000, metres: 10_280, seconds: 4000 }]);
    const merged = row(0, {
      start: { instant: start, offsetMinutes: 120 },
      duration: 3000,
      notes: "merged",
      track: { ...TRACK, entry },
    });
    const summary = await importWith(once("import", "workout", "lost after"), merged);
    expectBalance(summary, { created: 1 });
    expect(notes()).toEqual(["merged"]);
    expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(1);
  });

  test("a recording without a distance is found again by its duration", async () => {
    const entry = "treadmill.fit";
    world.files.set(entry, [{ start: FIRST_START, seconds: 3000 }]);
    const treadmill = row(0, {
      start: { instant: FIRST_START, offsetMinutes: 120 },
      duration: 3000,
      notes: "treadmill",
      track: { ...TRACK, entry },
    });
    await importWith(once("import", "workout", "killed after"), treadmill);
    expect(notes()).toEqual(["treadmill"]);
  });

  test("what somebody put there meanwhile, days away, is not taken for a lost import", async () => {
    world.log.onCall = (operation) => {
      if (operation !== "import") return;
      world.log.onCall = () => undefined;
      const body = { activityID: 10, date: "2024-05-03", time: "07:00:00", notes: "by hand" };
      world.log.put("workout", { ...body, details: { distance: { unit: "km", value: 10 }, duration: 3001 } });
    };
    await importWith(once("import", "workout", "lost before"), recorded(1));
    expect(notes()).toEqual(["by hand", "recorded 1"]);
  });

  /** When what was listed, by the seconds settling slept before. */
  function watchListings(kind: Kind): number[] {
    const at: number[] = [];
    const list = world.log.list.bind(world.log);
    world.log.list = (of, activities) => {
      if (of === kind) at.push(world.slept.reduce((sum, ms) => sum + ms, 0) / 1000);
      return list(of, activities);
    };
    return at;
  }

  test("what the log shows as it was sent is adopted at once, without a wait", async () => {
    for (const kind of ["workout", "equipment", "course"] as const) {
      await importWith(once("create", kind, "lost after"), SHOE, ROUTE, row(1), row(2));
      expect(world.slept).toEqual([]);
      expect(notes()).toEqual(["run 1", "run 2"]);
      expect(world.log.calls.filter((call) => call === `create ${kind}`)).toHaveLength(kind === "workout" ? 2 : 1);
      await expectVerified();
      await world.close();
      world = openWorld();
    }
  });

  test("that a record isn't there is concluded a minute after its answer was lost, and not before", async () => {
    const listedAt = watchListings("workout");
    const creates: number[] = [];
    world.log.onCall = (operation) => {
      if (operation === "create") creates.push(world.slept.reduce((sum, ms) => sum + ms, 0));
    };
    await importWith(once("create", "workout", "lost before"), row(1));
    expect(notes()).toEqual(["run 1"]);
    expect(listedAt).toEqual([0, 0, expect.closeTo(60, 1)]);
    expect(creates[0]).toBe(0);
    expect(creates[1]).toBeGreaterThanOrEqual(59_900);
  });

  test.each([
    ["a day back", -86_400_000],
    ["a day on", 86_400_000],
  ])("a clock that is set %s meanwhile makes the wait neither shorter nor longer", async (_when, jump) => {
    world.log.onCall = () => {
      world.now += jump;
    };
    await importWith(once("create", "workout", "done late"), row(1));
    expect(notes()).toEqual(["run 1"]);
    expect(world.slept).toEqual([expect.closeTo(60_000, -3)]);
  });

  test("after a restart nothing is known of when a request left: the whole minute is waited", async () => {
    world.log.script = once("create", "workout", "killed before");
    await expect(world.import([source(row(1))])).rejects.toBeInstanceOf(Killed);
    world.log.script = () => undefined;
    world.now += 86_400_000;
    expectBalance(await world.apply(), { created: 1 });
    // Since it started, by the clock that nobody sets: a moment before it went to sleep.
    expect(world.slept).toEqual([expect.closeTo(60_000, -1)]);
  });

  describe("a listing that is out of date", () => {
    /** Answers with what it answered first, as a cache does, until settling slept so often. */
    function cached(kind: Kind, untilSlept: number): void {
      const list = world.log.list.bind(world.log);
      let kept: LogEntry[] | undefined;
      world.log.list = async function* (of, activities) {
        const fresh: LogEntry[] = [];
        for await (const entry of list(of, activities)) fresh.push(entry);
        if (of === kind) kept ??= fresh;
        yield* of === kind && world.slept.length < untilSlept ? (kept ?? []) : fresh;
      };
    }

    test("tells nothing absent: it is read again until it holds what is known to be there", async () => {
      cached("workout", 2);
      const summary = await importWith(once("create", "workout", "lost after", 2), row(1), row(2), row(3));
      expectBalance(summary, { created: 3 });
      expect(notes()).toEqual(["run 1", "run 2", "run 3"]);
      expect(world.slept).toEqual([expect.closeTo(60_000, -3), 30_000]);
    });

    test("and when it never does, the record stays in doubt, says why, and is settled by a later run", async () => {
      cached("workout", 5);
      world.log.script = once("create", "workout", "lost after", 2);
      const made = [source(row(1), row(2), row(3))];
      const summary = await world.import(made);
      expect(summary.all).toMatchObject({ created: 2, inDoubt: 1, left: 0 });
      const [doubtful] = (await world.lines()).filter(({ state }) => state === "in-doubt");
      expect(doubtful?.reason).toMatch(/^settle\/listing-stale: /);
      expect(world.log.of("workout")).toHaveLength(3);
      world.log.script = () => undefined;
      await world.import(made);
      expect(notes()).toEqual(["run 1", "run 2", "run 3"]);
    });

    test("is told from a log whose owner took records out meanwhile", async () => {
      world.log.put("workout", { activityID: 10, date: "2020-01-01", time: "07:00:00", notes: "old", details: {} });
      let creates = 0;
      world.log.onCall = (operation) => {
        if (operation !== "create" || ++creates !== 3) return;
        for (const [id, { body }] of world.log.records) if (body.notes !== "run 2") world.log.records.delete(id);
      };
      await importWith(once("create", "workout", "lost before", 3), row(1), row(2), row(3));
      expect(world.slept).toHaveLength(1);
      expect(notes()).toContain("run 1");
      expect(new Set(notes()).size).toBe(notes().length);
    });
  });

  test("of two records just like it one is adopted, and the other named as perhaps a double", async () => {
    world.log.onCall = (operation) => {
      if (operation !== "create") return;
      world.log.onCall = () => undefined;
      const body = { activityID: 10, date: "2024-05-02", time: "07:00:00", notes: "by hand" };
      world.log.put("workout", { ...body, details: { distance: { unit: "km", value: 10 }, duration: 3001 } });
    };
    const summary = await importWith(once("create", "workout", "lost after"), row(1));
    expectBalance(summary, { created: 1 });
    expect(world.log.calls.filter((call) => call === "create workout")).toHaveLength(1);
    expect(world.log.of("workout")).toHaveLength(2);
    const [told, ...more] = world.issues.filter(({ rule }) => rule === "load/equal-records");
    expect(more).toEqual([]);
    for (const { id } of world.log.of("workout")) expect(told?.found).toContain(id);
  });

  test("while the log can't be listed all stays as it is, and the next run goes on", async () => {
    const list = world.log.list.bind(world.log);
    world.log.script = once("create", "workout", "lost after");
    world.log.onCall = () => {
      world.log.list = () => {
        throw new RetryableError("api/http-500", "Cannot list workouts: the service answered 500");
      };
    };
    const made = [source(row(1), row(2))];
    await expect(world.import(made)).rejects.toMatchObject({ code: "settle/postponed" });
    expect((await world.lines()).map(({ state }) => state).sort()).toEqual(["done", "in-doubt"]);
    expect((await (await world.journal()).run())?.state).toBe("stopped");
    await expect(world.apply()).rejects.toMatchObject({ code: "settle/postponed" });
    world.log.onCall = () => undefined;
    world.log.list = list;
    expectBalance(await world.apply(), { created: 2 });
    expect(notes()).toEqual(["run 1", "run 2"]);
  });

  test("a stop while it waits concludes nothing: what was sent is neither sent again nor given up", async () => {
    const made = [source(row(1), row(2))];
    const late = once("create", "workout", "done late");
    const killed = once("create", "workout", "killed before");
    world.concurrency = 1;
    world.log.script = (operation, kind) => late(operation, kind) ?? killed(operation, kind);
    await expect(world.import(made)).rejects.toBeInstanceOf(Killed);
    const stopped = AbortSignal.abort();
    expect(await world.plan(made, stopped)).toBeUndefined();
    world.log.script = () => undefined;
    expectBalance(await world.import(made), {});
    expect(notes()).toEqual(["run 1", "run 2"]);
  });
});

describe("what its owner does meanwhile", () => {
  test("an edit between a lost answer and the look for it stays", async () => {
    const made = [source(row(1, { notes: "as sent" }))];
    world.log.script = once("create", "workout", "killed after");
    await expect(world.import(made)).rejects.toBeInstanceOf(Killed);
    const [record] = world.log.of("workout");
    if (record !== undefined) record.body = { ...record.body, notes: "in my own words", ratings: { effort: 7 } };
    await world.apply();
    expect(world.log.of("workout").map(({ body }) => [body.notes, body.ratings])).toEqual([
      ["in my own words", { effort: 7 }],
    ]);
    expect(world.issues.map(({ rule }) => rule)).toContain("load/edit-kept");
  });

  test("a record its owner takes out between the import and its completion stays out", async () => {
    const made = [source(recorded(1), row(2))];
    world.log.script = once("read", "workout", "killed before");
    await expect(world.import(made)).rejects.toBeInstanceOf(Killed);
    const imported = world.log.of("workout").find(({ recording }) => recording !== undefined);
    world.log.records.delete(`workout ${imported?.id}`);
    world.log.script = () => undefined;
    await world.apply();
    const summary = await world.import(made);
    expect(notes()).toEqual(["run 2"]);
    expectBalance(summary, { gone: 1, unchanged: 1 });
  });
});

describe("a shoe or a course that the log refuses", () => {
  const made = () => [source(SHOE, ROUTE, row(1, { equipment: ["shoe"], course: "route" }), row(2))];

  test.each([["equipment"], ["course"]] as const)("(%s) is given to its workouts once it is there", async (kind) => {
    world.log.script = once("create", kind, "refused");
    const first = await world.import(made());
    expect(first.all).toMatchObject({ created: 3, refused: 1, left: 0 });
    expect(world.issues.map(({ rule }) => rule)).toContain("load/reference-left-out");
    expect(workoutOf("run 1")[kind]).toBeUndefined();
    expect(world.issues.map(({ rule }) => rule)).not.toContain("load/reference-given");

    world.log.script = () => undefined;
    expectBalance(await world.import(made()), { created: 1, updated: 1, unchanged: 2 });
    const [shoe] = world.log.of("equipment");
    const [route] = world.log.of("course");
    expect(workoutOf("run 1")).toMatchObject({ equipment: [{ id: shoe?.id }], course: { id: route?.id } });
    const [given] = world.issues.filter(({ rule }) => rule === "load/reference-given");
    expect(given?.origin?.entry).toBe("row-1");
    expect(given?.found).toContain(kind === "equipment" ? "shoe" : "route");
    await expectVerified();

    const calls = world.log.calls.length;
    expectBalance(await world.import(made()), { unchanged: 4 });
    expect(world.log.calls).toHaveLength(calls);
  });

  test("again costs its workouts no request", async () => {
    world.log.script = (operation, kind) => (operation === "create" && kind === "equipment" ? "refused" : undefined);
    await world.import(made());
    const calls = world.log.calls.length;
    const again = await world.import(made());
    expect(again.balanced).toBe(true);
    expect(again.all).toMatchObject({ refused: 1, unchanged: 3, left: 0 });
    expect(world.log.calls.slice(calls)).toEqual(["create equipment"]);
  });
});

describe("a plan that is carried out when the log is another one", () => {
  /** What its owner types by hand, or another tool puts there. */
  const typed = (day: number, extra: Record<string, unknown> = {}) =>
    world.log.put("workout", {
      activityID: 10,
      date: new Date(FIRST_START + day * DAY).toISOString().slice(0, 10),
      time: "07:01:00",
      details: { distance: { unit: "km", value: 10.1 }, duration: 3000 },
      notes: "by hand",
      ...extra,
    });

  test("doesn't make what appeared in it since, names it, and does the rest; planned again, it is taken in", async () => {
    const made = [source(row(1), row(2), row(3))];
    await world.plan(made);
    const id = typed(2);
    const summary = await world.apply();
    expect(summary.balanced).toBe(true);
    expect(summary.all).toMatchObject({ created: 2, failed: 1, left: 0 });
    expect(notes()).toEqual(["by hand", "run 1", "run 3"]);
    const [failed] = (await world.lines()).filter(({ state }) => state === "failed");
    expect(failed?.key).toBe("row-2");
    expect(failed?.reason).toMatch(new RegExp(`^plan/log-changed: .*${id}.* Plan again$`));
    expectBalance(await world.import(made), { unchanged: 3 });
    expect(notes()).toHaveLength(3);
  });

  test("makes one of two equal workouts when one appeared", async () => {
    const duplicate = (key: string) => ({ ...row(1), key });
    await world.plan([source(duplicate("a"), duplicate("b"))]);
    typed(1, { time: "07:00:00" });
    const summary = await world.apply();
    expect(summary.all).toMatchObject({ created: 1, failed: 1, left: 0 });
    expect(notes()).toEqual(["by hand", "run 1"]);
  });

  test("makes what is like a record that was there before, of another activity, or on another day", async () => {
    typed(1, { activityID: 11 });
    await world.plan([source(row(1), row(2), row(3))]);
    typed(2, { activityID: 11 });
    typed(4);
    expectBalance(await world.apply(), { created: 3 });
    expect(notes()).toHaveLength(6);
  });

  test("takes a lost answer's work for its own, and for nobody else's", async () => {
    const duplicate = (key: string) => ({ ...row(1), key });
    world.concurrency = 1;
    world.log.script = once("create", "workout", "killed after");
    await expect(world.import([source(duplicate("a"), duplicate("b"))])).rejects.toBeInstanceOf(Killed);
    world.log.script = () => undefined;
    expectBalance(await world.apply(), { created: 2 });
    expect(notes()).toEqual(["run 1", "run 1"]);
  });

  test("uses the shoe and the course that appeared", async () => {
    await world.plan([source(SHOE, ROUTE, row(1, { equipment: ["shoe"], course: "route" }))]);
    const shoe = world.log.put("equipment", { activityID: 10, brandName: "Hoka", modelName: "clifton" });
    const route = world.log.put("course", { name: "River Loop", distance: { unit: "km", value: 8 } });
    expectBalance(await world.apply(), { created: 1, unchanged: 2 });
    expect(workoutOf("run 1")).toMatchObject({ equipment: [{ id: shoe }], course: { id: route } });
    expect(world.log.of("equipment")).toHaveLength(1);
  });

  test.each([1, 4])(
    "sends the legs of a file as files of their own when one of them appeared: the whole would make that one again (%i at once)",
    async (atOnce) => {
      world.concurrency = atOnce;
      await world.plan([source(...legs(1, 5))]);
      typed(1, { time: "08:00:00", details: { distance: { unit: "km", value: 5 }, duration: 1500 } });
      const summary = await world.apply();
      expect(summary.all).toMatchObject({ created: 4, failed: 1, left: 0 });
      expect(notes()).toEqual(["by hand", "leg 1 0", "leg 1 2", "leg 1 3", "leg 1 4"]);
      expect(world.log.calls.filter((call) => call.startsWith("import"))).toHaveLength(4);
      const recorded = world.log.of("workout").map(({ body, recording }) => [body.notes, recording?.metres]);
      expect(recorded.toSorted()).toEqual([
        ["by hand", undefined],
        ["leg 1 0", 2000],
        ["leg 1 2", 8000],
        ["leg 1 3", 11_000],
        ["leg 1 4", 14_000],
      ]);
    },
  );

  test("writes over nothing that its owner took out since: the line fails, and planned again it stays out", async () => {
    await world.import([source(row(1), row(2))]);
    const changed = [source(row(1, { notes: "other words" }), row(2))];
    await world.plan(changed);
    for (const [id, { body }] of world.log.records) if (body.notes === "run 1") world.log.records.delete(id);
    const summary = await world.apply();
    expect(summary.all).toMatchObject({ failed: 1, unchanged: 1, created: 0, left: 0 });
    const [failed] = (await world.lines()).filter(({ state }) => state === "failed");
    expect(failed?.reason).toMatch(/^plan\/log-changed: id-\d+ is no longer in the log\. Plan again$/);
    expectBalance(await world.import(changed), { gone: 1, unchanged: 1 });
    expect(notes()).toEqual(["run 2"]);
  });
});

describe("a service that can't list its workouts", () => {
  test.each(["lost after", "lost before", "killed after"] as const)(
    "keeps an unanswered workout in doubt and never sends it again, whatever is run (%s)",
    async (fault) => {
      world.lists.workout = false;
      world.log.script = once("create", "workout", fault, 2);
      const made = [source(row(1), row(2), row(3))];
      await world.import(made).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      const sent = world.log.calls.length;
      world.log.script = () => undefined;
      const applied = await world.apply();
      expect(applied.all).toMatchObject({ created: 2, inDoubt: 1, left: 0 });
      const again = await world.import(made);
      expect(again.balanced).toBe(true);
      expect(again.all).toMatchObject({ created: 0, unchanged: 2, left: 0 });
      const times = (day: number) => notes().filter((text) => text === `run ${day}`).length;
      expect([1, 2, 3].map(times).filter((count) => count > 1)).toEqual([]);
      expect(world.log.calls.length - sent).toBeLessThanOrEqual(fault === "killed after" ? 2 : 0);
    },
  );

  test("adopts it once it can", async () => {
    world.lists.workout = false;
    world.log.script = once("create", "workout", "lost after");
    const made = [source(row(1))];
    await world.import(made);
    await world.import(made);
    world.lists.workout = true;
    await world.import(made);
    expect(notes()).toEqual(["run 1"]);
    await expectVerified();
  });
});

test("five lost answers in a row stop the run, and the next one repeats nothing", async () => {
  world.concurrency = 1;
  world.log.script = (operation) => (operation === "create" ? "lost after" : undefined);
  const made = [source(...Array.from({ length: 9 }, (_, day) => row(day)))];
  await expect(world.import(made)).rejects.toMatchObject({ code: "load/answers-lost" });
  expect(world.log.of("workout")).toHaveLength(5);
  world.log.script = () => undefined;
  expectBalance(await world.apply(), { created: 9 });
  expect(new Set(notes()).size).toBe(9);
  expect(notes()).toHaveLength(9);
});

test("a record that is done is not touched again when its run was killed later on", async () => {
  const rows: MadeSource = { name: "rows", readings: [row(1), row(2)] };
  const start = FIRST_START + 2 * DAY;
  const seen = item("workout", "seen", {
    activity: "run",
    start: { instant: start, offsetMinutes: 120 },
    distance: { unit: "m", value: 10_000 },
    duration: 3000,
    health: { avgHR: 140 },
  });
  const watch: MadeSource = { name: "watch", recordings: true, readings: [seen] };
  world.concurrency = 1;
  world.log.script = once("create", "workout", "killed after", 2);
  await expect(world.import([rows, watch])).rejects.toBeInstanceOf(Killed);
  world.log.script = () => undefined;
  const calls = world.log.calls.length;
  expectBalance(await world.import([rows, watch]), { unchanged: 1, updated: 1, merged: 1 });
  expect(world.log.calls.slice(calls)).toEqual(["read workout", "replace workout"]);
});

/** Marsaglia's xorshift32: the same schedule for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const ANY_FAULT: readonly Fault[] = [
  "lost before",
  "lost after",
  "busy",
  "login",
  "killed before",
  "killed after",
  "redirected",
  "done late",
  "fewer",
  "fewer, lost after",
  "unsaid",
];

const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SCHEDULES = inputs({ first: 40, long: 200 });

test(`of ${SCHEDULES} random schedules of faults and stops none loses or doubles a record (LOGFERRY_TEST_SEED=${SEED})`, async () => {
  for (let number = 0; number < SCHEDULES; number++) {
    const random = randomOf(SEED + number * 7919);
    const label = `schedule ${number} of seed ${SEED}`;
    const readings: Item[] = [
      SHOE,
      ROUTE,
      row(1, { equipment: ["shoe"], course: "route" }),
      { ...row(2), key: "equal a" },
      { ...row(2), key: "equal b" },
      recorded(3, { equipment: ["shoe"] }),
      recorded(4),
      ...legs(5, 2 + random(3)),
    ];
    world.concurrency = 1 + random(4);
    let faults = 1 + random(5);
    world.log.script = () => {
      if (faults === 0 || random(6) !== 0) return undefined;
      faults--;
      return ANY_FAULT[random(ANY_FAULT.length)];
    };
    const made = [source(...readings)];
    let isPlanned = false;
    for (let tries = 0; tries < 15; tries++) {
      try {
        const summary = isPlanned && random(2) === 0 ? await world.apply() : await world.import(made);
        isPlanned = true;
        expect(summary.balanced, label).toBe(true);
        if (summary.all.left === 0 && summary.all.inDoubt === 0) break;
      } catch (error) {
        if (!(error instanceof Killed || error instanceof FatalError)) throw error;
        isPlanned = (await (await world.journal()).run()) !== undefined;
      }
    }
    world.log.script = () => undefined;
    expectBalance(await world.import(made), { read: readings.length });
    const planned = readings.filter((one) => one.kind === "workout").map(({ value }) => value.notes ?? "");
    expect(notes(), label).toEqual(planned.sort());
    expect(world.log.of("equipment"), label).toHaveLength(1);
    expect(world.log.of("course"), label).toHaveLength(1);
    const [shoe] = world.log.of("equipment");
    const [route] = world.log.of("course");
    expect(route?.maps, label).toBeGreaterThan(0);
    const pointing = { equipment: [{ id: shoe?.id }], course: { id: route?.id } };
    expect(workoutOf("run 1"), label).toMatchObject(pointing);
    const { discrepancies, claimedTwice } = await world.verify();
    expect([discrepancies.map(({ differences }) => differences), claimedTwice], label).toEqual([[], []]);
    await world.close();
    world = openWorld();
  }
});

// What its owner typed between a stop and going on, mostly in place of what they took out, so that the total tells nothing.
test(`of ${SCHEDULES} random edits between a stop and going on none leads to a record that is there twice (LOGFERRY_TEST_SEED=${SEED})`, async () => {
  let [stopped, refused] = [0, 0];
  for (let number = 0; number < SCHEDULES; number++) {
    const random = randomOf(SEED + number * 7919);
    const label = `schedule ${number} of seed ${SEED}`;
    const slots: { readonly day: number; readonly leg: number; readonly km: number; readonly seconds: number }[] = [];
    const readings: Item[] = [];
    for (let day = 1; day <= 9; day++) {
      const kind = random(3);
      const made = kind === 0 ? legs(day, 2 + random(2)) : [kind === 1 ? recorded(day) : row(day)];
      made.forEach((_, leg) => {
        slots.push({
          day,
          leg,
          ...(kind === 0 ? { km: 2 + 3 * leg, seconds: 600 + 900 * leg } : { km: 10, seconds: 3000 }),
        });
      });
      readings.push(...made);
    }
    const old = Array.from({ length: 4 }, (_, index) => typedBy("old", -10 - index, 0, 5, 1500));
    world.concurrency = 1 + random(4);
    await world.plan([source(...readings)]);
    let calls = random(20);
    world.log.script = () =>
      calls-- === 0 ? (["killed before", "killed after", "lost after"] as const)[random(3)] : undefined;
    try {
      await world.apply();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      stopped++;
    }
    world.log.script = () => undefined;
    world.log.finish();
    const before = countsOf();
    const typed = new Set<string>();
    for (let edits = random(4); edits > 0; edits--) {
      const { day, leg, km, seconds } = slots[random(slots.length)] as (typeof slots)[number];
      if (typed.has(slotOf(day, leg))) continue;
      typed.add(slotOf(day, leg));
      typedBy("by hand", day, leg, km, seconds);
      if (random(4) > 0) world.log.records.delete(`workout ${old.pop()}`);
    }
    for (let tries = 0; tries < 4; tries++) {
      const { all } = await world.apply();
      refused += all.failed;
      if (all.left === 0 && all.inDoubt === 0) break;
    }
    const after = countsOf();
    for (const { day, leg } of slots) {
      const slot = slotOf(day, leg);
      // What was there already when its owner typed it is their own second one.
      const wanted = typed.has(slot) ? 1 + (before.get(slot) ?? 0) : 1;
      expect(`${slot}: ${after.get(slot)}`, label).toBe(`${slot}: ${wanted}`);
    }
    await world.close();
    world = openWorld();
  }
  // Else nothing was shown.
  expect(stopped).toBeGreaterThan(SCHEDULES / 8);
  expect(refused).toBeGreaterThan(SCHEDULES / 8);
});

/** Puts a workout there as its owner would: of a day, so many hours after seven. @returns its id */
function typedBy(text: string, day: number, leg: number, km: number, seconds: number): string {
  const [date = "", time = ""] = slotOf(day, leg).split(" ");
  const details = { distance: { unit: "km", value: km }, duration: seconds };
  return world.log.put("workout", { activityID: 10, date, time: `${time}:00:00`, details, notes: text });
}

/** The day and the hour of a leg. */
function slotOf(day: number, leg: number): string {
  const date = new Date(FIRST_START + day * DAY).toISOString().slice(0, 10);
  return `${date} ${String(7 + leg).padStart(2, "0")}`;
}

/** How many workouts the log has of each day and hour. */
function countsOf(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { body } of world.log.of("workout")) {
    const slot = `${body.date} ${String(body.time).slice(0, 2)}`;
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return counts;
}
