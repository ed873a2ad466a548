/** Strong exports from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { strong } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";
import { longTest, test } from "../support/tier-tests.ts";

async function read(file: string) {
  const archive = memoryArchive("strong", { "strong.csv": readFileSync(join(SAMPLES, "strong", file)) });
  expect((await identifyArchive(archive)).connector).toBe(strong);
  return readAll(strong, archive);
}

test("the twelve columns of 2021 give 129 workouts, with weights that have no unit", async () => {
  const { readings, issues } = await read("breinsp-classic-12col.csv");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(129);
  expect(readings[0]).toMatchObject({
    origin: { locator: "line 2" },
    value: {
      activity: "weight",
      start: { date: "2021-02-10", time: "16:46:13" },
      name: "Mittwoch",
      duration: 8280,
      notes: expect.stringMatching(/^Bench Press \(Barbell\): 3×8 @ 75; 2×6 @ 75\nDeadlift \(Barbell\): 5×6 @ 65\n/),
    },
  });
});

test("Android's numbered workouts give 23 workouts, and four runs of their own", async () => {
  const { readings, issues } = await read("amigo163-android-semicolon.csv");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(27);
  expect(readings.slice(0, 2)).toMatchObject([
    // 52.163122550000004 kg are 115 lb.
    { value: { duration: 4848, notes: expect.stringContaining("1×10 @ 115 lb; 1×8 @ 135 lb") } },
    { value: { activity: "run", distance: { unit: "m", value: 4420 }, duration: 1200, start: { date: "2023-06-05" } } },
  ]);
  expect(readings.filter((each) => each.kind === "workout" && each.value.activity === "run")).toHaveLength(4);
});

longTest("Chinese columns and durations give 384 workouts", async () => {
  const { readings, issues } = await read("dericmei-zh-headers.csv");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(384);
  expect(readings[0]).toMatchObject({
    value: {
      name: "4.Pull",
      duration: 4380,
      notes: expect.stringMatching(/^星期二\nBent Over Row \(Barbell\): 1×5 @ 20 kg; 1×5 @ 30 kg; .*\n4x8\nChin Up/),
    },
  });
});

test("a duration of 38min is read", async () => {
  const { readings, issues } = await read("harrig12-38min.csv");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(4);
  for (const reading of readings) expect(reading).toMatchObject({ value: { duration: 2280 } });
});

test("durations that could mean two things are left out by name", async () => {
  const { readings, issues } = await read("openweight-strong-duration-formats.csv");
  expect(issues.map(({ found }) => found)).toEqual(["23:45", "3600"]);
  const durations = readings.map((each) => (each.kind === "workout" ? each.value.duration : "rejected"));
  expect(durations).toEqual([
    ...[4980, 3300, 3600, 5025],
    ...[undefined, undefined, undefined, undefined],
    ...[9015, 45],
  ]);
});

test("notes with line breaks are kept, and a column nobody knows is named", async () => {
  const { readings } = await read("openweight-strong-newlines-in-notes.csv");
  expect(readings).toMatchObject([
    {
      value: {
        notes:
          "Workout note line 1\nWorkout note line 2\nBench Press: 2×5 @ 100 RPE 8\nLine 1\nLine 2\nLine 3\nSimple note",
      },
    },
  ]);
  expect((await read("openweight-strong-all-set-types.csv")).issues).toMatchObject([
    { rule: "table/unknown-column", field: "Set Type" },
  ]);
  expect((await read("openweight-strong-real.csv")).readings).toHaveLength(2);
});
