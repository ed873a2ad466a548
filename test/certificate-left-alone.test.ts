/**
 * The certificate of workouts that the log had before: typed by hand, or loaded from another source. It says yes only when every value of the sources is
 * in the log, or is another one there.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { certified, countsOf, edit, pathOf, told, typed } from "./support/certified.ts";
import { someRuns } from "./support/small-sources.ts";

const km = (value: number) => ({ unit: "km", value });

/** The first of `someRuns`, as somebody typed it. */
const TYPED = { date: "2020-01-01", time: "06:00:00", details: { distance: km(5), duration: 1800 } };

const RUNS = someRuns(2).map((run, index) => (index === 0 ? { ...run, notes: "Tempo A", shoe: "Pegasus" } : run));

/** What the certificate says of a workout of the log. */
const ofWorkout = (read: Awaited<ReturnType<typeof certified>>["read"], id: string) =>
  read.records.find(({ logId }) => logId === id);

test("a typed workout without the notes and the shoe of the source is no yes until they are filled", async () => {
  await using world = await openWorld({ runs: RUNS });
  const id = await typed(world, TYPED);
  expect((await world.import()).code).toBe(0);
  const { ran, read } = await certified(world, ["--json"]);
  expect(ran.code, told(ran)).toBe(3);
  expect(read.verdict.canClose).toBe(false);
  expect(read.notAdded).toEqual({
    workouts: 1,
    fields: [
      { field: "equipment", lacking: 1, differing: 0 },
      { field: "name and notes", lacking: 1, differing: 0 },
    ],
  });
  expect(ofWorkout(read, id)).toMatchObject({ class: "unchanged", lacks: ["name and notes", "equipment"] });
  expect(jsonOf(ran.out).filter(({ type }) => type === "lacking")).toMatchObject([
    { logId: id, lacks: ["name and notes", "equipment"], keeps: [] },
  ]);
  expect(jsonOf(ran.out).find(({ type }) => type === "certificate")).toMatchObject({ canClose: false });
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(page).toMatch(/in your log already, and lacks values .*equipment 1, name and notes 1.* --enrich/);
  expect(page).toMatch(new RegExp(`workout ${id} of the log.*lacks name and notes, equipment`));
  expect(page).not.toContain("Tempo A");

  expect((await world.import({ flags: ["--enrich"] })).code).toBe(0);
  const filled = await certified(world);
  expect(filled.ran.code, told(filled.ran)).toBe(0);
  expect(ofWorkout(filled.read, id)?.lacks).toBeUndefined();

  // The certificate of before still speaks of the log without them.
  await edit(world, id, { notes: undefined });
  const emptied = await certified(world);
  expect(emptied.ran.code, told(emptied.ran)).toBe(7);
});

test("what the owner typed otherwise stays and is listed, and notes that aren't among theirs are missing", async () => {
  await using world = await openWorld({ runs: RUNS });
  const own = { ...TYPED, notes: "my own words", details: { distance: km(5.1), duration: 1812 } };
  const id = await typed(world, own);
  expect((await world.import({ flags: ["--enrich"] })).code).toBe(0);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(3);
  expect(ofWorkout(read, id)).toMatchObject({ lacks: ["more notes"], keeps: ["distance", "duration"] });
  expect(ran.out).toContain("lacks more notes; has another distance, duration");
  expect(ran.out).toContain("copy the others into them by hand. To leave that so: logferry import");

  await edit(world, id, { notes: "my own words\nTempo A" });
  const copied = await certified(world);
  expect(copied.ran.code, told(copied.ran)).toBe(0);
  expect(ofWorkout(copied.read, id)).toMatchObject({ keeps: ["distance", "duration"] });
});

test("with your rule that values may be missing there, the answer is yes, and they are still named", async () => {
  await using world = await openWorld({ runs: RUNS });
  const id = await typed(world, TYPED);
  expect((await world.import({ flags: ["--accept", "not-added"] })).code).toBe(0);
  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(0);
  expect(ran.out).toContain(`(workout ${id} of your log): lacks name and notes, equipment`);
  expect(read.notAdded.workouts).toBe(1);
});

test("a record that was dropped before the plan is among those dropped, and counts against the rule", async () => {
  await using world = await openWorld({ runs: someRuns(3) });
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01,", "2020-13-01,"));
  expect((await world.import()).code).toBe(3);
  const rejected = (await certified(world)).read.records.find((record) => record.class === "rejected");
  expect((await world.run(["quarantine", "drop", rejected?.id ?? ""])).code).toBe(0);
  expect((await world.import({ flags: ["--accept", "dropped=0"] })).code).toBe(0);
  const { ran, read } = await certified(world);
  expect(countsOf(read), told(ran)).toEqual({ unchanged: 2, dropped: 1 });
  expect(ran.code, told(ran)).toBe(3);
  expect(ran.out).toContain("1 of 3 records stay out because you said so, and your rule allows 0.");
});
