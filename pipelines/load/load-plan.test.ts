import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  DAY,
  expectBalance,
  FIRST_START,
  inWorld,
  item,
  once,
  ROUTE,
  row,
  SHOE,
  source,
} from "../../test/support/made-workouts.ts";
import { Killed, type MadeSource, type Operation, openWorld, type World } from "../../test/support/scripted-log.ts";
import { firstOf } from "../../test/support/tiers.ts";
import type { Kind } from "../../transforms/model/item.ts";

// What is planned is made once, whatever goes wrong on the way. A shoe or a course that can't be made is given to its workouts later.

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const { recorded, legs, notes, workoutOf, expectVerified, importWith } = inWorld(() => world);

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
    for (const nth of firstOf(1, [1, 5, 2, 3, 4])) {
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
    operation === "create" && kind === "equipment" && ++creates <= 5 ? "lost before" : undefined;
  const made = [source(SHOE, row(1, { equipment: ["shoe"] }))];
  await expect(world.import(made)).rejects.toMatchObject({ code: "load/answers-lost" });
  expect(world.log.of("workout")).toEqual([]);
  expectBalance(await world.apply(), { created: 2 });
  const [shoe] = world.log.of("equipment");
  expect(workoutOf("run 1")).toMatchObject({ equipment: [{ id: shoe?.id }] });
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
