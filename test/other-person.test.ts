import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { runHere } from "./support/here.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// An export that says it is another person's. Two people of one household keep their exports in one folder.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

function strava(name: string, email: string, given: string, family: string, id = 1): string {
  const folder = join(rehearsal.folder, "exports", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "profile.csv"),
    `Athlete ID,Email Address,First Name,Last Name,Sex,Description,Weight\n${id},${email},${given},${family},,,\n`,
  );
  writeFileSync(
    join(folder, "activities.csv"),
    `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename
1,"May 4, 2019, 5:10:05 AM",Morning,Run,,1500,4.20,false,,\n`,
  );
  return folder;
}

test("inspect says whose export it is, and that two are of different people", async () => {
  strava("ana", "ana@example.com", "Ana", "Beispiel");
  strava("ben", "ben@example.com", "Ben", "Huber", 2);
  const { out } = await rehearsal.run(["inspect", join(rehearsal.folder, "exports")]);
  expect(out).toContain("  the account of Ana Beispiel <ana@example.com>");
  expect(out).toContain(
    "These are exports of different people: exports/ana is of Ana Beispiel <ana@example.com>, exports/ben is of Ben Huber <ben@example.com>. Import each into its own log.",
  );
});

test("two people's exports of two platforms are told apart by the account in each", async () => {
  const ana = strava("ana", "ana@example.com", "Ana", "Beispiel");
  const ben = join(rehearsal.folder, "exports", "endomondo");
  mkdirSync(join(ben, "Profile"), { recursive: true });
  mkdirSync(join(ben, "Workouts"));
  writeFileSync(join(ben, "Profile", "Profile.json"), `[{"name":"Ben Huber"},{"email":"ben@example.com"}]`);
  const run = `[{"sport":"RUNNING"},{"source":"INPUT_MANUAL"},{"start_time":"2019-05-06 05:10:05.0"},{"duration_s":1500},{"distance_km":4.2}]`;
  writeFileSync(join(ben, "Workouts", "2019-05-06 05_10_05.0.json"), run);
  const held = await rehearsal.run(["import", ana, ben, "--zone", "UTC"]);
  expect(held.code, held.out + held.err).toBe(2);
  expect(held.err).toContain("ana is of Ana Beispiel <ana@example.com>, endomondo is of Ben Huber <ben@example.com>");
});

test.each([
  ["another person's", "ben@example.com", "Ben", "Huber", 1],
  ["of somebody with the owner's name", "other@example.com", "Demo", "Runner", 0],
])("an export that is %s is told of before anything is sent", async (_whose, email, given, family, told) => {
  const folder = strava("one", email, given, family);
  const planned = await rehearsal.run(["plan", folder, "--zone", "UTC", "--json"]);
  const found = jsonLines(planned.out).filter(({ rule }) => rule === "plan/other-person");
  expect(found).toHaveLength(told);
  if (told === 1) expect(planned.out).toContain("an export of Ben Huber <ben@example.com>");
});

test("a plan names both people whose exports are in one command, and is not applied", async () => {
  strava("ana", "ana@example.com", "Ana", "Beispiel");
  strava("ben", "ben@example.com", "Ben", "Huber", 2);
  const exports = join(rehearsal.folder, "exports");
  const planned = await rehearsal.run(["plan", exports, "--zone", "UTC"]);
  expect(planned.code, planned.out + planned.err).toBe(3);
  expect(planned.out).toContain(
    "exports of different people: exports/ana is of Ana Beispiel <ana@example.com>, exports/ben is of Ben Huber <ben@example.com>",
  );
  expect(planned.out).toContain("Import each into its own log: logferry import SOURCE --profile NAME");
  expect((await rehearsal.run(["status"])).out).toContain("exports/ben is of Ben Huber <ben@example.com>");
  const applied = await rehearsal.run(["apply"]);
  expect(applied.code).toBe(2);
  expect(applied.err).toContain("are of different people, so nothing was changed");
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(0);
});

test("an import of two people's exports stops before anything is written, and says what to type", async () => {
  const ana = strava("ana", "ana@example.com", "Ana", "Beispiel");
  const ben = strava("ben", "ben@example.com", "Ben", "Huber", 2);
  const held = await rehearsal.run(["import", ana, ben, "--zone", "UTC"]);
  expect(held.code, held.out + held.err).toBe(2);
  expect(held.err).toContain(
    "These are exports of different people, so nothing was changed: ana is of Ana Beispiel <ana@example.com>, ben is of Ben Huber <ben@example.com>",
  );
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(0);
  // The words that the message gives for somebody who looked, and who has both names.
  const [, words = ""] = /with: (--athlete \S+ --trust \S+)/.exec(held.err) ?? [];
  const trusted = await rehearsal.run(["import", ana, ben, "--zone", "UTC", ...words.split(" ")]);
  expect(trusted.code, trusted.out + trusted.err).toBe(0);
  expect((await rehearsal.listed("/rest/logs/me/workouts")).length).toBeGreaterThan(0);
});

longTest("a rehearsal of two people's exports says words that it knows itself", async () => {
  const ana = strava("ana", "ana@example.com", "Ana", "Beispiel");
  const ben = strava("ben", "ben@example.com", "Ben", "Huber", 2);
  const folder = join(rehearsal.folder, "private");
  const words = ["rehearse", ana, ben, "--zone", "UTC", "--out", folder, "--no-pages"];
  const held = await rehearsal.run(words);
  expect(held.code, held.out + held.err).toBe(2);
  expect(held.err).toContain("Rehearse each for itself, in a folder of its own: logferry rehearse SOURCE --out FOLDER");
  expect(held.err).toContain("type the same once more, with: --trust rehearsal");
  expect(held.err).not.toContain("--athlete");
  const other = await runHere(rehearsal, [...words, "--trust", "ana"]);
  expect(other).toMatchObject({ code: 2 });
  const trusted = await runHere(rehearsal, [...words, "--trust", "rehearsal"]);
  expect(trusted.code, trusted.out + trusted.err).toBe(0);
  const again = await runHere(rehearsal, ["rehearse", "--out", folder, "--no-pages"]);
  expect(again.code, again.out + again.err).toBe(0);
});

test("two exports of one person, under two spellings and two addresses, are imported in one command", async () => {
  const early = strava("early", "demo@example.com", "Demo", "Runner");
  const late = strava("late", "runner@example.net", "DEMO", "Rünner");
  const ran = await rehearsal.run(["import", early, late, "--zone", "UTC"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
});

// A Mi Fitness copy says nothing of a person but the number of the account, in the names of its files (more-platforms 5).
function miFitness(name: string, account: number): string {
  const folder = join(rehearsal.folder, "exports", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `20241101_${account}_MiFitness_hlth_center_sport_record.csv`),
    `Uid,Sid,Key,Time,Category,Value,UpdateTime
${account},2,outdoor_running,1730000000,running,"{""start_time"":1730000000,""duration"":1800,""distance"":5010}",1730002000\n`,
  );
  return folder;
}

longTest("exports of one platform that differ in the account alone are of different people", async () => {
  const [ana, ben] = [miFitness("ana", 123), miFitness("ben", 124)];
  const held = await rehearsal.run(["import", ana, ben, "--zone", "UTC"]);
  expect(held.code, held.out + held.err).toBe(2);
  expect(held.err).toContain("ana is of user 123 of mi-fitness, ben is of user 124 of mi-fitness");
  const namesakes = [strava("one", "", "Ana", "Beispiel", 7), strava("two", "", "Ana", "Beispiel", 8)];
  const inspected = await rehearsal.run(["inspect", ...namesakes]);
  expect(inspected.out).toContain(
    "one is of Ana Beispiel (user 7 of strava), two is of Ana Beispiel (user 8 of strava)",
  );
  const later = miFitness("later", 123);
  const ran = await rehearsal.run(["import", ana, later, "--zone", "UTC"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
});
