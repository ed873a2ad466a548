import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A Strava export has UTC times, and rows without a device file have no position. Only the log's offset is known, and here it is UTC.

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("kilometres", { utcOffset: 0 });
});
afterAll(() => rehearsal.close());

/** Runs at 14:MM UTC: seven o'clock in Denver. */
const ROWS = Array.from(
  { length: 12 },
  (_, index) => `${9000 + index},"May ${index + 1}, 2019, 2:${10 + index}:00 PM",Morning Run,Run,,1800,5.0,,false,,`,
);
const HEADER =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename";

/** Four workouts of another export in June, which says where they were: three in Denver and one in Vienna. */
const ELSEWHERE = [
  "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,tracker_total_distance_mm",
  ...["-06:00", "-06:00", "+02:00", "-06:00"].map(
    (offset, at) => `${at},2019-06-0${at + 1}T14:00:00Z,2019-06-0${at + 1}T14:30:00Z,${offset},Run,5000000`,
  ),
].join("\n");

function exported(name: string): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "activities.csv"), [HEADER, ...ROWS].join("\n"));
  writeFileSync(join(folder, "shoes.csv"), "Shoe Name,Shoe Brand,Shoe Model,Shoe Default Sport Types\n");
  return folder;
}

test("times that no source knows are told before anything is written, with their titles as evidence, and --zone mends them", async () => {
  const source = exported("export");
  const other = join(rehearsal.folder, "UserExercises_2019-06-01.csv");
  writeFileSync(other, ELSEWHERE);
  const journal = join(rehearsal.folder, "times.db");
  const planned = await rehearsal.run(["plan", source, other], { journal, env: { TZ: "America/Denver" } });
  const said = [
    "12 workouts have no known time zone",
    "your log's offset, UTC+0",
    '"Morning Run" (export activities.csv line 13) would start at 14:21 on 2019-05-12',
    "12 of 12 titles that name a time of day don't fit",
    "3 of the 4 workouts with a known time zone are at UTC-6.",
    "--zone America/Denver",
  ];
  for (const words of said) expect(planned.out).toContain(words);

  const json = await rehearsal.run(["plan", source, other, "--json"], { journal });
  expect(jsonLines(json.out).find(({ type }) => type === "plan")?.assumedTimes).toMatchObject({
    workouts: 12,
    offsetMinutes: 0,
    titles: 12,
    contradicting: 12,
    known: { all: 4, workouts: 3, offsetMinutes: -360 },
  });

  const page = join(rehearsal.folder, "report.html");
  const applied = await rehearsal.run(["apply", "--report", page], { journal });
  expect(applied.code).toBe(0);
  expect(applied.out.indexOf(said[0] as string)).toBeGreaterThan(-1);
  expect(applied.out.indexOf(said[0] as string)).toBeLessThan(applied.out.indexOf("16  new in the log"));
  expect(readFileSync(page, "utf8")).toContain("Local times that may be wrong");

  const there = await rehearsal.run(["import", source, "--zone", "America/Denver"], { journal });
  expect(there.code).toBe(0);
  expect(there.out).not.toContain("no known time zone");
  const listed = await rehearsal.listed("/rest/logs/me/workouts");
  const workouts = listed.filter(({ date }) => String(date).startsWith("2019-05"));
  const times = workouts.map(({ date, time }) => `${date} ${time}`).sort();
  expect(times).toHaveLength(12);
  expect(times[0]).toBe("2019-05-01 08:10:00");
});
