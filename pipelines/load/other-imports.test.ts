import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectBalance, inWorld, once, row, source } from "../../test/support/made-workouts.ts";
import { openWorld, type World } from "../../test/support/scripted-log.ts";
import type { Item } from "../../transforms/model/item.ts";
import type { Workout } from "../../transforms/model/workout.ts";

// Imports of a device file that make fewer or more workouts than planned, don't name them all, or are refused.

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const { recorded, legs, notes, expectVerified, importWith } = inWorld(() => world);

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

test("a recording whose workout has the start of another source is found again after a lost answer", async () => {
  // The watch of the other source is seven minutes fast, and its start counts.
  const begins = Date.parse("2024-05-02T05:00:00Z");
  const moved = recorded(1, { start: { instant: begins + 7 * 60_000, offsetMinutes: 120 } });
  const { track } = moved.value as Workout;
  const one = { ...moved, value: { ...moved.value, ...(track && { track: { ...track, beginsAt: begins } }) } } as Item;
  const summary = await importWith(once("import", "workout", "lost after"), one);
  expectBalance(summary, { created: 1 });
  expect(world.log.of("workout")).toHaveLength(1);
  await expectVerified();
});
