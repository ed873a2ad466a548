import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { copyDeviceFiles, ONE_RUN } from "./support/small-sources.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

// Two sources, or two rows, name different sports for one recording. By the real command line, against a log over HTTP.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
`;

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** A sheet of these rows. */
function sheet(name: string, ...rows: readonly string[]): string {
  writeFileSync(join(rehearsal.folder, `${name}.map.yaml`), MAPPING);
  writeFileSync(join(rehearsal.folder, `${name}.csv`), `${["Day,At,Sport,Distance,Time", ...rows].join("\n")}\n`);
  return join(rehearsal.folder, `${name}.csv`);
}

const sportsOf = async () =>
  (await rehearsal.listed("/rest/logs/me/workouts")).map(({ activityName }) => String(activityName)).sort();

const load = (...words: string[]): Promise<Ran> => rehearsal.run(["import", ...rehearsal.activities, ...words]);

const ledgerOf = ({ out }: Ran) => jsonLines(out).findLast(({ type }) => type === "summary")?.ledger;

const RIDE = "2019-05-04,07:10:05,Ride,20.53,1:02:03";
const RUN = "2019-05-04,07:10:05,Run,20.53,1:02:03";

test("of a ride and a run of the same second, length and duration one is loaded, and the pair is named with what settles it", async () => {
  const sources = [sheet("a", RIDE), sheet("b", RUN)];
  const plan = await rehearsal.run(["plan", ...sources]);
  expect(plan.code, plan.out + plan.err).toBe(3);
  const pair = "b.csv line 2: its sport is run here, and bike in a.csv line 2: the same start, duration and distance";
  expect(plan.out).toContain(pair);
  expect(plan.out).toContain("leave it out: logferry quarantine drop workout/two-sports");

  const ran = await load(...sources);
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out).toContain(pair);
  expect(await sportsOf()).toEqual(["Bike"]);

  // A retry alone does not change this: it meets the other record in the log.
  const retried = await rehearsal.run(["quarantine", "retry"]);
  expect(retried.code, retried.out).toBe(3);
  expect(retried.out).toMatch(
    /its sport is run here, and bike in your log \(\w+\): the same start, duration and distance/,
  );
  expect(await sportsOf()).toEqual(["Bike"]);

  expect((await rehearsal.run(["quarantine", "drop", "workout/two-sports"])).code).toBe(0);
  const again = await load(...sources);
  expect(again.code, again.out + again.err).toBe(0);
  expect(await sportsOf()).toEqual(["Bike"]);
});

rowTest.each(firstOf(1, ["the same journal", "another journal"]))(
  "a recording that is in the log under another sport is held back, with %s",
  async (how) => {
    await load(sheet("a", RIDE));
    const words = ["import", ...rehearsal.activities, sheet("b", RUN)];
    const journal = join(rehearsal.folder, "another.db");
    const ran = await rehearsal.run(words, how === "another journal" ? { journal } : {});
    expect(ran.code, ran.out + ran.err).toBe(3);
    expect(ran.out).toMatch(/b\.csv line 2: its sport is run here, and bike in your log \(\w+\)/);
    expect(await sportsOf()).toEqual(["Bike"]);
  },
);

test("a row whose sport is edited after it was loaded is the same workout, and the log has its new sport", async () => {
  await load(sheet("a", RIDE));
  const ran = await load(sheet("a", RUN));
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(ran.out).toContain("1 row looks like an edited version of a loaded workout");
  expect(await sportsOf()).toEqual(["Run"]);
});

test("two rows of one table are told as well", async () => {
  const ran = await load(sheet("a", RIDE, RUN));
  expect(ran.code, ran.out + ran.err).toBe(3);
  expect(ran.out).toContain("a.csv line 3: its sport is run here, and bike in a.csv line 2");
  expect(await sportsOf()).toEqual(["Bike"]);
});

test("a person lets both in, and every later import leaves them as they are", async () => {
  const sources = [sheet("a", RIDE), sheet("b", RUN)];
  await load(...sources);
  const both = await rehearsal.run(["quarantine", "retry", "workout/two-sports", "--allow", "implausible"]);
  expect(both.code, both.out + both.err).toBe(0);
  expect(await sportsOf()).toEqual(["Bike", "Run"]);
  const again = await load("--json", ...sources.toReversed());
  expect(again.code, again.out + again.err).toBe(0);
  expect(ledgerOf(again)).toMatchObject({ unchanged: 2 });
});

test("a person says that it was a ride: the two are one", async () => {
  const sources = [sheet("a", RIDE), sheet("b", RUN)];
  const first = await load("--json", ...sources);
  const held = jsonLines((await rehearsal.run(["quarantine", "--json"])).out).find(
    ({ type }) => type === "quarantined",
  );
  expect(held, first.out).toMatchObject({ rule: "workout/two-sports" });
  await rehearsal.run(["quarantine", "fix", String(held?.id), "--set", "activity=bike"]);
  expect((await rehearsal.run(["quarantine", "retry"])).code).toBe(0);
  expect((await load(...sources)).code).toBe(0);
  expect(await sportsOf()).toEqual(["Bike"]);
});

test.each([
  ["another second", ["2019-05-04,07:10:06,Run,20.53,1:02:03"]],
  ["another distance", ["2019-05-04,07:10:05,Run,20.60,1:02:03"]],
  ["another duration", ["2019-05-04,07:10:05,Run,20.53,1:02:05"]],
])("%s makes two workouts, as before", async (_, rows) => {
  const ran = await load(sheet("a", RIDE), sheet("b", ...rows));
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await sportsOf()).toEqual(["Bike", "Run"]);
});

test("two exercises without a distance that somebody wrote down for one hour are two", async () => {
  const ran = await load(sheet("a", "2019-05-04,18:00,Yoga,,0:30:00", "2019-05-04,18:00,Row,,0:30:00"));
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await sportsOf()).toHaveLength(2);
});

/** An export of Strava with one activity, which has the device file of the watch. */
function stravaExport(sport: string, km: number): string {
  const folder = join(rehearsal.folder, "strava");
  mkdirSync(join(folder, "activities"), { recursive: true });
  copyFileSync(
    join(ROOT, "fixtures/device-files/fit/archive/2019-05-04-07-10-05.fit"),
    join(folder, "activities/1.fit"),
  );
  writeFileSync(
    join(folder, "activities.csv"),
    `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename
1,"May 4, 2019, 5:10:05 AM",Corrected,${sport},,1500,${km},,false,,activities/1.fit
`,
  );
  return folder;
}

rowTest.each(firstOf(1, [["as far", 4.2] as const, ["corrected", 3.99] as const]))(
  "the same device file in two sources is one workout with the sport of the row (%s), and the plan names both",
  async (_, km) => {
    const sources = [copyDeviceFiles(join(rehearsal.folder, "watch"), [ONE_RUN]), stravaExport("Walk", km)];
    const ran = await load("--zone", "Europe/Vienna", ...sources);
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.out).toMatch(/: the same device file \(run here, loaded as walk\) as strava activities\.csv line 2/);
    expect(await sportsOf()).toEqual(["walk"]);
    const again = await load("--zone", "Europe/Vienna", "--json", ...sources.toReversed());
    expect(again.code, again.out + again.err).toBe(0);
    expect(ledgerOf(again)).toMatchObject({ unchanged: 1, merged: 1 });
    expect(await sportsOf()).toEqual(["walk"]);
    const verified = await rehearsal.run(["verify"]);
    expect(verified.code, verified.out + verified.err).toBe(0);
  },
);
