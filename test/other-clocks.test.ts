import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";

// A row of Strava knows the instant of a run, and no place. The watch's file knows the clock, too. With the fixed offset of the log, an hour from
// summer time, they disagree about the clock, and not about the instant. By the real command line.

/** A run of 4.2 km from 05:10:05 UTC, 07:10:05 in Vienna, 25 minutes long. */
const RUN = join(ROOT, "fixtures/device-files/fit/archive/2019-05-04-07-10-05.fit");

function sources({ folder }: Rehearsal, sport = "Run") {
  const [rows, watch] = [join(folder, "rows"), join(folder, "watch")];
  for (const made of [rows, watch]) mkdirSync(made, { recursive: true });
  writeFileSync(
    join(rows, "activities.csv"),
    `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename
1,"May 4, 2019, 5:10:05 AM",Morning,${sport},,1500,4.20,,false,,
2,"May 4, 2019, 5:40:00 AM",Stretching,Yoga,,600,,,false,,
`,
  );
  copyFileSync(RUN, join(watch, "run.fit"));
  return { rows, watch };
}

async function started(): Promise<Rehearsal & AsyncDisposable> {
  const rehearsal = await rehearse("kilometres", { utcOffset: 1 });
  return { ...rehearsal, [Symbol.asyncDispose]: () => rehearsal.close() };
}

const load = async (rehearsal: Rehearsal, ...archives: readonly string[]) => {
  const ran = await rehearsal.run(["import", ...rehearsal.activities, ...archives]);
  expect(ran.code, ran.out + ran.err).toBeOneOf([0, 3]);
  return ran;
};
const timesIn = async (rehearsal: Rehearsal) =>
  (await rehearsal.listed("/rest/logs/me/workouts")).map(({ time }) => time).sort();

test("a run that was loaded from a row is the one that the watch's file brings later", async () => {
  await using rehearsal = await started();
  const { rows, watch } = sources(rehearsal);
  await load(rehearsal, rows);
  expect(await timesIn(rehearsal)).toEqual(["06:10:05", "06:40:00"]);
  await load(rehearsal, watch);
  expect(await timesIn(rehearsal)).toHaveLength(2);
});

test("a run that was loaded from the watch is the one that a row brings later", async () => {
  await using rehearsal = await started();
  const { rows, watch } = sources(rehearsal);
  await load(rehearsal, watch);
  expect(await timesIn(rehearsal)).toEqual(["07:10:05"]);
  await load(rehearsal, rows);
  expect(await timesIn(rehearsal)).toEqual(["06:40:00", "07:10:05"]);
});

test("one recording under two sports is found, although another workout lies between the two clocks", async () => {
  await using rehearsal = await started();
  const { rows, watch } = sources(rehearsal, "Hike");
  const ran = await load(rehearsal, rows, watch);
  expect(ran.out).toContain("workout/two-sports");
  expect(await timesIn(rehearsal)).toHaveLength(2);
});
