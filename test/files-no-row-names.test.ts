import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";

// Exports that somebody unpacked, renamed or moved about. A row and its recording no longer find each other by name. By the real command line.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** A run of 4.2 km from 07:10:05 in Vienna, 25 minutes long. */
const FIT = join(ROOT, "fixtures/device-files/fit/archive/2019-05-04-07-10-05.fit");
/** A run of 5.03 km from 18:07:40 in Vienna, 26:42 long. It names no sport. */
const GPX = join(ROOT, "fixtures/runkeeper/km-12-columns/archive/2017-01-24-1807.gpx");

const STRAVA = (
  file: string,
) => `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename
1,"May 4, 2019, 5:10:05 AM",Morning,Run,by the river,1500,4.20,,false,,${file}
`;
const RUNKEEPER = (
  file: string,
) => `Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Notes,GPX File
2017-01-24 18:07:40,Running,,5.03,26:42,5:19,11.30,384.0,22,,by the river,${file}
`;

test.each([
  ["Strava: unpacked", "activities.csv", STRAVA("activities/1.fit.gz"), "activities/1.fit"],
  ["Strava: renamed", "activities.csv", STRAVA("activities/1.fit"), "activities/x.fit"],
  ["Strava: without a name in its row", "activities.csv", STRAVA(""), "activities/1.fit"],
  ["Strava: beside the table, without a name in its row", "activities.csv", STRAVA(""), "morning.fit"],
  ["Runkeeper: in another folder", "cardioActivities.csv", RUNKEEPER("a.gpx"), "files/a.gpx"],
])("%s, a recording and its row are one workout, with the words of the row", async (_, table, text, file) => {
  const archive = join(rehearsal.folder, "export");
  mkdirSync(join(archive, file, ".."), { recursive: true });
  writeFileSync(join(archive, table), text);
  copyFileSync(file.endsWith("fit") ? FIT : GPX, join(archive, file));
  const ran = await rehearsal.run(["import", "--zone", "Europe/Vienna", archive]);
  expect(ran.code, ran.out + ran.err).toBeOneOf([0, 3]);
  const workouts = await rehearsal.listed("/rest/logs/me/workouts");
  const start = file.endsWith("fit")
    ? { date: "2019-05-04", time: "07:10:05" }
    : { date: "2017-01-24", time: "18:07:40" };
  expect(workouts).toMatchObject([start]);
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${workouts[0]?.id}`);
  expect(JSON.stringify(workout)).toContain("by the river");
});
