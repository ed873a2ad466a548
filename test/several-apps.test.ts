import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Apple Health collects the workouts of every app on a phone. By the real command line.

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
