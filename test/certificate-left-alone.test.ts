/**
 * The certificate of workouts that the log had before: typed by hand, or loaded from another source. It says yes only when every value of the sources is
 * in the log, or is another one there.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { certified, countsOf, edit, pathOf, told, typed } from "./support/certified.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

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
  expect(ran.out).toContain("1 of 3 records stays out because you said so, and your rule allows 0.");
});

longTest(
  "tracks left out with --no-tracks and an assumed local time are on the certificate, and only your rule accepts the tracks",
  async () => {
    await using world = await openWorld({ runs: [], utcOffset: 0 });
    const files = join(world.folder, "files");
    mkdirSync(files);
    const point = (minute: number) =>
      `<Trackpoint><Time>2020-05-01T10:${String(minute).padStart(2, "0")}:00Z</Time><DistanceMeters>${minute * 200}</DistanceMeters></Trackpoint>`;
    writeFileSync(
      join(files, "treadmill.tcx"),
      `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>2020-05-01T10:00:00Z</Id><Lap StartTime="2020-05-01T10:00:00Z"><TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>6000</DistanceMeters><Track>${Array.from({ length: 31 }, (_, minute) => point(minute)).join("")}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`,
    );
    const importing = ["import", files, "--no-tracks", "--settle", "1"];
    expect((await world.run(importing)).code).toBe(0);
    const { ran } = await certified(world);
    expect(ran.code, told(ran)).toBe(3);
    expect(ran.out).toContain(
      "1 workout is without its track, because you left tracks out with --no-tracks: treadmill.tcx.",
    );
    expect(ran.out, told(ran)).toMatch(/1 workout without a known time zone: assumed at your log's offset, UTC/);
    const page = () => readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
    expect(page()).toMatch(/1 workout has no known time zone\. Its local time is assumed, at your log’s offset: UTC/);

    expect((await world.run([...importing, "--accept", "lost-files"])).code).toBe(0);
    const accepted = await certified(world);
    expect(accepted.ran.code, told(accepted.ran)).toBe(0);
    expect(page()).toContain("Your own rule accepts: 1 workout is without its track");
  },
);

longTest(
  "values that an earlier run found to be missing keep the account open, also for a certificate of other sources",
  async () => {
    await using world = await openWorld({ runs: RUNS });
    await typed(world, TYPED);
    expect((await world.import()).code).toBe(0);
    expect((await certified(world)).ran.code).toBe(3);
    const other = writeSheet(join(world.folder, "other"), someRuns(1, "2021-01-01"));
    expect((await world.import({ sources: [other] })).code).toBe(0);
    const { ran, read } = await certified(world);
    expect(countsOf(read)).toEqual({ created: 1 });
    expect(ran.code, told(ran)).toBe(3);
    expect(ran.out).toContain("Not yet: 1 workout of run 1 lacks values that only its sources have.");

    expect((await world.import({ flags: ["--enrich"] })).code).toBe(0);
    expect((await world.import({ sources: [other] })).code).toBe(0);
    const filled = await certified(world);
    expect(filled.ran.code, told(filled.ran)).toBe(0);
  },
);

longTest(
  "the page lists values of other copies, rows that a mapping skips, and both numbers of a limit that was passed",
  async () => {
    await using world = await openWorld({ runs: someRuns(2) });
    const [first, ...others] = someRuns(5);
    const second = writeSheet(join(world.folder, "other"), [
      { ...(first as (typeof others)[number]), seconds: 1805 },
      ...others.slice(2, 4),
    ]);
    writeFileSync(second, readFileSync(second, "utf8").replace("2020-01-04,", "2020-13-04,"));
    const mapping = second.replace(".csv", ".map.yaml");
    writeFileSync(
      mapping,
      `${readFileSync(mapping, "utf8")}rows:\n  - when: { column: Date, matches: "^2020-01-05" }\n    skip: not mine\n`,
    );
    expect((await world.import({ sources: [world.sheet, second], flags: ["--accept", "rejected=10%"] })).code).toBe(3);
    const { ran, read } = await certified(world);
    expect(countsOf(read), told(ran)).toEqual({ created: 2, merged: 1, skipped: 1, rejected: 1 });
    expect(ran.code, told(ran)).toBe(3);
    expect(ran.out).toContain("Not yet: 1 record was rejected, 20% of all, and your rule allows 10%.");
    const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8").replaceAll(/<[^>]*>/g, "");
    expect(page).toMatch(
      /1 value left out: another copy of the same workout has another value, which is kept\.\s+duration 1/,
    );
    expect(page).toMatch(/Records that stay out.*line 4 skipped.*not mine/s);
  },
);
