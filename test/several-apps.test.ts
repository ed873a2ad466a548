import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Apple Health collects the workouts of every app on a phone, and Google Health writes some workouts twice. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

interface Run {
  readonly app: string;
  /** As it is written, with the phone's distance from UTC. */
  readonly start: string;
  readonly km: number;
  readonly minutes?: number;
}

function exported(name: string, ...runs: readonly Run[]): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  const workouts = runs.map(
    ({
      app,
      start,
      km,
      minutes = 30,
    }) => `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="${minutes}"
      durationUnit="min" totalDistance="${km}" totalDistanceUnit="km" sourceName="${app}" startDate="${start}" endDate="${start}"
      creationDate="${start}"><MetadataEntry key="HKTimeZone" value="Europe/Vienna"/></Workout>`,
  );
  writeFileSync(join(folder, "export.xml"), `<HealthData locale="de_AT">${workouts.join("")}</HealthData>`);
  return folder;
}

const load = (archive: string) => rehearsal.run(["import", "--json", ...rehearsal.activities, archive]);
const inLog = async () => (await rehearsal.listed("/rest/logs/me/workouts")).length;

test("a run that the watch and two apps wrote is one; two runs of one app with equal values are two", async () => {
  const start = "2024-07-01 07:00:00 +0200";
  const ran = await load(
    exported(
      "export",
      { app: "Watch", start, km: 5.01 },
      { app: "Strava", start: "2024-07-01 07:00:05 +0200", km: 5.0 },
      { app: "Nike Run Club", start, km: 5.05 },
      { app: "Treadmill", start: "2024-07-02 18:00:00 +0200", km: 8 },
      { app: "Treadmill", start: "2024-07-02 18:00:30 +0200", km: 8 },
    ),
  );
  expect(ran.code, ran.err).toBe(0);
  expect(await inLog()).toBe(3);
});

test("runs of two apps are compared as runs of two sources: one, doubtful and answered, or two", async () => {
  const archive = exported(
    "export",
    { app: "Watch", start: "2024-07-01 18:00:00 +0200", km: 8, minutes: 40 },
    { app: "Phone", start: "2024-07-01 18:01:30 +0200", km: 7.4, minutes: 37.5 },
    { app: "Watch", start: "2024-07-02 18:00:00 +0200", km: 8, minutes: 40 },
    { app: "Phone", start: "2024-07-02 18:00:10 +0200", km: 7.2, minutes: 40 },
    { app: "Watch", start: "2024-07-03 18:00:00 +0200", km: 8, minutes: 40 },
    { app: "Phone", start: "2024-07-03 18:04:00 +0200", km: 7.9, minutes: 36 },
    // Too different for a score, and at one time.
    { app: "Watch", start: "2024-07-04 18:00:00 +0200", km: 8, minutes: 40 },
    { app: "Phone", start: "2024-07-04 18:10:00 +0200", km: 4, minutes: 20 },
    // One app's runs stay two.
    { app: "Watch", start: "2024-07-05 18:00:00 +0200", km: 8, minutes: 40 },
    { app: "Watch", start: "2024-07-05 18:00:10 +0200", km: 7.2, minutes: 40 },
    { app: "Watch", start: "2024-07-06 07:00:00 +0200", km: 8, minutes: 40 },
    { app: "Phone", start: "2024-07-06 17:00:00 +0200", km: 8, minutes: 40 },
  );
  const planned = await rehearsal.run(["plan", ...rehearsal.activities, archive]);
  expect(planned.out).toMatch(/create +10 /);
  expect(planned.out).toMatch(/merged +2 /);
  expect(planned.out).toMatch(/perhaps one workout: export \S+ record 5 and export \S+ record 6 \(starts 240 s apart/);
  expect(planned.out).toMatch(/of one sport at the same time: export \S+ record 7 [^;]* and export \S+ record 8 /);
  const listed = (await rehearsal.run(["plan", "review", "--list", "--json"])).out.trim().split("\n");
  const pairs = listed.map((line) => JSON.parse(line)).filter(({ type }) => type === "pair");
  expect(pairs.map(({ verdict, sameTime }) => [verdict, sameTime])).toEqual([
    ["doubtful", undefined],
    ["two", true],
  ]);
  const answered = await rehearsal.run(["plan", "review", "--answer", `${pairs[0].pair}=one`]);
  expect([answered.code, answered.out]).toEqual([0, expect.not.stringContaining("next plan")]);
  expect((await rehearsal.run(["apply"])).code).toBe(0);
  expect(await inLog()).toBe(9);
  expect((await load(archive)).code).toBe(0);
  expect(await inLog()).toBe(9);
});

test("an export of the winter writes other times for the same runs, and loads nothing twice", async () => {
  const summer = exported("summer", { app: "Watch", start: "2024-07-01 07:00:00 +0200", km: 5 });
  expect((await load(summer)).code).toBe(0);
  const winter = exported(
    "winter",
    { app: "Watch", start: "2024-07-01 06:00:00 +0100", km: 5 },
    { app: "Watch", start: "2024-12-01 07:00:00 +0100", km: 6 },
  );
  expect((await load(winter)).code).toBe(0);
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  expect(workouts.map(({ date, time }) => [date, time]).sort()).toEqual([
    ["2024-07-01", "07:00:00"],
    ["2024-12-01", "07:00:00"],
  ]);
});

test("a run that Google Health has in a table and in an older file is one, with the zone of the table", async () => {
  const folder = join(rehearsal.folder, "takeout");
  mkdirSync(folder, { recursive: true });
  const table = [
    "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,tracker_total_distance_mm,tracker_peak_heart_rate",
    "1,2026-03-01T22:30:00Z,2026-03-01T23:00:00Z,+05:30,Run,5010000,171",
    "2,2026-03-03T22:30:00Z,2026-03-03T23:00:00Z,+05:30,Run,5010000,171",
  ];
  const older = [2, 86_400].map((seconds, index) => ({
    ...{ logId: 100 + index, activityName: "Run", logType: "tracker", distance: 5.01, distanceUnit: "Kilometer" },
    ...{ activeDuration: 1_800_000, startTime: seconds === 2 ? "03/01/26 22:30:02" : "03/02/26 22:30:00" },
  }));
  writeFileSync(join(folder, "UserExercises_2026-03-01.csv"), `${table.join("\n")}\n`);
  writeFileSync(join(folder, "exercise-0.json"), JSON.stringify(older));
  const ran = await rehearsal.run(["import", "--json", "--zone", "Asia/Kolkata", ...rehearsal.activities, folder]);
  expect(ran.code, ran.err).toBe(0);
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  expect(workouts.map(({ date, time }) => [date, time]).sort()).toEqual([
    ["2026-03-02", "04:00:00"],
    ["2026-03-03", "04:00:00"],
    ["2026-03-04", "04:00:00"],
  ]);
});
