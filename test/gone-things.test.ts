import { join } from "node:path";
import { expect } from "vitest";
import { heldBy, issuesOf, jsonOf, markOf, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { countWithEquipment, deleteThings, takeOffShoes } from "./support/database-copy.ts";
import type { Ran } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Somebody deleted a shoe from the log. A workout that names it must still get into the log.

const databaseOf = ({ folder }: World) => join(folder, "service.db");
const inShoes = (count: number) => someRuns(count).map((run) => ({ ...run, shoe: "Pegasus" }));
const told = (ran: Ran) => ran.out + ran.err;

test("a shoe deleted between two imports: new workouts go without it, the message names it, and it can be brought back", async () => {
  await using world = await openWorld({ runs: inShoes(3), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  expect(countWithEquipment(databaseOf(world))).toBe(3);
  deleteThings(databaseOf(world), "equipment");

  const longer = writeSheet(world.folder, inShoes(6));
  const ran = await world.import({ sources: [longer] });
  expect(ran.code, told(ran)).toBe(3);
  expect(summaryOf(ran).ledger).toMatchObject({ created: 3, unchanged: 3, gone: 1, refused: 0 });
  const [issue] = jsonOf(ran.out).filter(({ rule }) => rule === "load/reference-gone");
  expect(JSON.stringify(issue)).toContain("the equipment Nike Pegasus is no longer in the log");
  expect((await heldBy(world)).toSorted()).toEqual(inShoes(6).map(markOf).toSorted());

  const back = await world.import({ sources: [longer], flags: ["--restore-missing"] });
  expect(back.code, told(back)).toBe(0);
  expect(summaryOf(back).ledger).toMatchObject({ created: 1, updated: 6, gone: 0 });
  expect(countWithEquipment(databaseOf(world))).toBe(6);
});

longTest(
  "a shoe deleted in the midst of a run: what is sent afterwards goes without it, and nothing is refused",
  async () => {
    await using world = await openWorld({ runs: inShoes(40), databaseFile: true });
    const { ended } = world.start(world.importWords({ flags: ["--concurrency", "4"] }));
    while (world.asked.ending("POST", "/workouts").length < 12) await new Promise((resolve) => setTimeout(resolve, 2));
    deleteThings(databaseOf(world), "equipment");
    const ran = await ended;
    expect(ran.code, told(ran)).toBe(3);
    expect(summaryOf(ran).ledger).toMatchObject({ created: 40, gone: 1, refused: 0, failed: 0, left: 0 });
    expect((await heldBy(world)).toSorted()).toEqual(inShoes(40).map(markOf).toSorted());
    expect(await issuesOf(world)).toContain("load/reference-gone");
  },
);

test("a shoe that retry brings back is given to the workouts that had it, and verify misses it until then", async () => {
  await using world = await openWorld({ runs: inShoes(4), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  deleteThings(databaseOf(world), "equipment");
  const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
  expect(back.code, told(back)).toBe(0);
  expect(summaryOf(back).ledger).toMatchObject({ created: 1, updated: 4 });
  expect(countWithEquipment(databaseOf(world))).toBe(4);
  expect((await world.run(["verify", "--run", "1"])).code).toBe(0);

  takeOffShoes(databaseOf(world));
  const verified = await world.run(["verify", "--run", "1"]);
  expect(verified.code, told(verified)).toBe(7);
  expect(told(verified)).toMatch(/4 of 4 records of run 1 different/);
});

longTest("shoes that retry brings back are counted once each, beside the workouts that had them", async () => {
  const runs = someRuns(4).map((run, index) => ({ ...run, shoe: index % 2 === 0 ? "Pegasus" : "Kinvara" }));
  await using world = await openWorld({ runs, databaseFile: true });
  expect((await world.import()).code).toBe(0);
  deleteThings(databaseOf(world), "equipment");
  const back = await world.run(["retry", "--restore-missing", "--settle", "1"]);
  expect(back.code, told(back)).toBe(0);
  // Four workouts and two shoes.
  expect(back.out).toContain("Done. 6 of 6 records are in your log, each once.");
  expect(back.out).not.toContain("the same record as");
});

longTest("a shoe that an import found gone, and a retry brought back, is given to its workouts", async () => {
  await using world = await openWorld({ runs: inShoes(4), databaseFile: true });
  expect((await world.import()).code).toBe(0);
  deleteThings(databaseOf(world), "equipment");
  expect((await world.import()).code).toBe(3);
  const back = await world.run(["retry", "--restore-missing", "--json", "--settle", "1"]);
  expect(back.code, told(back)).toBe(0);
  const last = await world.import();
  expect(last.code, told(last)).toBe(0);
  expect(countWithEquipment(databaseOf(world))).toBe(4);
  const verified = await world.run(["verify"]);
  expect(verified.code, told(verified)).toBe(0);
});
