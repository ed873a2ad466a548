import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// An export that says it is another person's. Two people of one household keep their exports in one folder.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

function strava(name: string, email: string, given: string, family: string): string {
  const folder = join(rehearsal.folder, "exports", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "profile.csv"),
    `Athlete ID,Email Address,First Name,Last Name,Sex,Description,Weight\n1,${email},${given},${family},,,\n`,
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
  strava("ben", "ben@example.com", "Ben", "Huber");
  const { out } = await rehearsal.run(["inspect", join(rehearsal.folder, "exports")]);
  expect(out).toContain("  the account of Ana Beispiel <ana@example.com>");
  expect(out).toContain(
    "These are exports of different people: exports/ana is of Ana Beispiel <ana@example.com>, exports/ben is of Ben Huber <ben@example.com>. Import each into its own log.",
  );
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
