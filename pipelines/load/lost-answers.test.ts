import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RetryableError } from "../../connectors/errors.ts";
import {
  expectBalance,
  FIRST_START,
  inWorld,
  once,
  ROUTE,
  row,
  SHOE,
  source,
  TRACK,
} from "../../test/support/made-workouts.ts";
import { type Fault, Killed, openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { LogEntry } from "../journal/remote-record.ts";

// No answer came: the record is looked for in the log before it is sent again. Where the log can't list its workouts, it stays in doubt.

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const { recorded, legs, notes, expectVerified, importWith } = inWorld(() => world);

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

/** Faults of the second record's sends: it is sent as the second of three, and from then on alone. */
function sendingTheSecond(faultOf: (attempt: number) => Fault | undefined): void {
  world.concurrency = 1;
  let creates = 0;
  let attempts = 0;
  world.log.script = (operation) => {
    if (operation !== "create") return;
    creates++;
    return creates === 1 || creates === 3 ? undefined : faultOf(attempts++);
  };
}

test.each([
  [["lost before", "lost before", "lost before"]],
  [["lost before", "lost before", "lost after"]],
  [["lost before", "lost after"]],
] as const)(
  "a record whose answers are lost one after the other (%j) is sent until it is there, and is there once",
  async (faults) => {
    sendingTheSecond((attempt) => faults[attempt]);
    expectBalance(await world.import([source(row(1), row(2), row(3))]), { created: 3 });
    expect(notes().toSorted()).toEqual(["run 1", "run 2", "run 3"]);
    await expectVerified();
  },
);

test("a record of which no answer ever comes stops the run with its reason, and the others are in the log", async () => {
  sendingTheSecond(() => "lost before");
  const made = [source(row(1), row(2), row(3))];
  await expect(world.import(made)).rejects.toMatchObject({ code: "load/answers-lost" });
  expect(notes().toSorted()).toEqual(["run 1", "run 3"]);
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
