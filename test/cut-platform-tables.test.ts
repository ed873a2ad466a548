/** Tables that end inside a row, as a download that broke off leaves them. By the real command line, against a log over HTTP. */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

let cases = 0;

/** A folder with one file of a fixture, as far as its last row begins. @param kept so many characters of that row are there */
function cut(fixture: string, kept: number): string {
  const folder = join(rehearsal.folder, `cut-${++cases}`);
  mkdirSync(folder);
  const text = readFileSync(join(ROOT, "fixtures", fixture), "utf8").trimEnd();
  writeFileSync(join(folder, basename(fixture)), text.slice(0, text.lastIndexOf("\n") + 1 + kept));
  return folder;
}

// What is missing in these rows is what tells a workout from a note, a planned workout or a set that wasn't done.
test.each([
  ["strong/classic/archive/strong.csv", 4],
  ["intervals-icu/wellness/archive/activities.csv", 4],
  ["dailymile/tsv/archive/jo_dailymile_export.tsv", 4],
  ["trainingpeaks/workouts/archive/workouts.csv", 7],
  ["fitnotes/iphone/archive/FitNotesWorkouts.csv", 4],
  ["fitbod/kilograms/archive/WorkoutExport.csv", 4],
  ["wahoo/phone-csv/archive/2015-12-01.csv", 4],
  ["stryd/runs/archive/evening.csv", 4],
  ["opentracks/tables/archive/2022-03-05_10-00.csv", 28],
  ["tomtom/tables/archive/2016-03-27/Running_01-30-00.csv", 4],
])("a row of %s that is cut off is rejected, and not left out by a rule", async (fixture, kept) => {
  const ran = await rehearsal.run(["inspect", cut(fixture, kept)]);
  expect(ran.out + ran.err).toMatch(/csv\/cut-row, such as .* line \d+/);
  expect(ran.out).not.toContain("Everything can be read.");
});

test("a row of sets that is cut off is rejected, too, where a tool gave its line an end", async () => {
  const folder = cut("strong/classic/archive/strong.csv", 4);
  appendFileSync(join(folder, "strong.csv"), "\n");
  const { out } = await rehearsal.run(["inspect", folder]);
  expect(out).toMatch(/csv\/cut-row, such as .* line \d+: csv\/cut-row \(1 cell: the file seems to be cut here/);
});

test.each([
  ["strong/classic/archive/strong.csv", ["--distance-unit", "km"]],
  ["stryd/runs/archive/evening.csv", []],
])("the old account stays open where %s is cut in a row, until somebody drops that row", async (fixture, flags) => {
  const journal = ["--journal", join(rehearsal.folder, `${cases}.db`)];
  const ran = await rehearsal.run(["import", "--zone", "Europe/Vienna", ...flags, ...journal, cut(fixture, 4)]);
  expect(ran.code, ran.out + ran.err).toBe(3);
  await rehearsal.run(["verify", ...journal]);
  const status = await rehearsal.run(["status", ...journal]);
  expect(status.out).toMatch(/closed\? Not yet: 1 record was rejected/);
  expect((await rehearsal.run(["quarantine", "drop", "csv/cut-row", ...journal])).code).toBe(0);
  expect((await rehearsal.run(["status", ...journal])).out).toMatch(/closed\? Yes/);
});

test("a file of a ProTrainer day that lacks an exercise keeps the old account open", async () => {
  const folder = join(rehearsal.folder, "protrainer");
  mkdirSync(folder);
  const path = join(ROOT, "fixtures/polar-before-flow/protrainer/archive/Anna/2007/20070519.pdd");
  copyFileSync(path, join(folder, "20070519.pdd"));
  const text = readFileSync(path, "latin1");
  const last = text.lastIndexOf("[ExerciseInfo");
  writeFileSync(join(folder, "20070519.pdd"), text.slice(0, last + 9), "latin1");
  const ran = await rehearsal.run(["inspect", folder]);
  expect(ran.out).toContain("1 record can't be used as it is");
  expect(ran.out).toMatch(/1 x hrm\/cut-day, such as .*20070519\.pdd/);
});
