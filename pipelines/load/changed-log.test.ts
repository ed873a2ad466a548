import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  DAY,
  expectBalance,
  FIRST_START,
  inWorld,
  once,
  ROUTE,
  row,
  SHOE,
  source,
} from "../../test/support/made-workouts.ts";
import { Killed, openWorld, type World } from "../../test/support/scripted-log.ts";
import { keepVerification } from "../verify/keep.ts";

// The log changed since the plan was made: its owner typed, edited or took out records. None is doubled, overwritten or made again.

let world: World;

beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const { recorded, legs, notes, workoutOf } = inWorld(() => world);

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

  test("doesn't make what appeared with its day and distance alone", async () => {
    await world.plan([source(row(1), row(2))]);
    typed(2, { time: undefined, details: { distance: { unit: "km", value: 10 } } });
    expect((await world.apply()).all).toMatchObject({ created: 1, failed: 1 });
    expect(notes()).toEqual(["by hand", "run 1"]);
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

describe("an edit in the log", () => {
  const edit = (words: string, values: Record<string, unknown>) => {
    const record = world.log.of("workout").find(({ body }) => body.notes === words);
    if (record !== undefined) record.body = { ...record.body, ...values };
  };
  const seen = async () => {
    const { discrepancyCount, edited } = await world.verify();
    return [discrepancyCount, edited.first.map(({ differences }) => differences)];
  };

  test("is a difference until a check named it and a later import left it so", async () => {
    const made = [source(row(1), row(2), row(3))];
    await world.import(made);
    edit("run 2", { notes: "in my own words" });
    expect(await seen()).toEqual([1, []]);
    expectBalance(await world.import(made), { unchanged: 3 });
    expect(await seen()).toEqual([1, []]);
    const journal = await world.journal();
    const run = await journal.run();
    if (run === undefined) throw new Error("there is no run");
    // As `logferry verify` ends: whoever ran it read of the difference.
    await keepVerification(journal, run, await world.verify(), 0);
    expectBalance(await world.import(made), { unchanged: 3 });
    expect(await seen()).toEqual([0, [[{ field: "notes", expected: "run 2", found: "in my own words" }]]]);
  });

  test("is kept by an update of its workout, and what changes after that is a difference", async () => {
    await world.import([source(row(1), row(2))]);
    edit("run 2", { notes: "in my own words" });
    await world.import([source(row(1), row(2, { duration: 4000 }))]);
    const kept = [{ field: "notes", expected: "run 2", found: "in my own words" }];
    expect(await seen()).toEqual([0, [kept]]);
    edit("in my own words", { details: {} });
    expect(await seen()).toEqual([1, []]);
    expect((await world.verify()).discrepancies[0]?.differences.map(({ field }) => field)).toEqual([
      "details.distance",
      "details.duration",
    ]);
  });

  test.each(["of more than half of the workouts", "of a run that was cut off"])(
    "is a difference where it is one %s",
    async (where) => {
      const made = [source(row(1), row(2), row(3))];
      if (where === "of a run that was cut off") world.log.script = once("create", "workout", "login", 3);
      await world.import(made).catch(() => undefined);
      world.log.script = () => undefined;
      for (const words of where === "of a run that was cut off" ? ["run 2"] : ["run 1", "run 2"])
        edit(words, { notes: "cut" });
      await world.import(made);
      expect(await seen()).toEqual([where === "of a run that was cut off" ? 1 : 2, []]);
    },
  );
});
