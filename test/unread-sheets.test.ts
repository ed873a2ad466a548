import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A workbook with miles in some sheets and kilometres in others needs two mapping files, and two imports.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const MILES = ["2014", "2015"];
const KILOMETRES = ["2016", "2017"];

/** @param first the distance of the first run of each sheet with kilometres */
function workbook(first: number): string {
  const path = join(rehearsal.folder, "Running.xlsx");
  const rows = (year: string, from: number) =>
    [4, 7, 9].map((day, at) => [`${year}-04-0${day}`, at === 0 ? from : 6 + at]);
  const sheets = [
    ...MILES.map((name) => ({ name, rows: [["Date", "Miles"], ...rows(name, 5)] })),
    ...KILOMETRES.map((name) => ({ name, rows: [["Date", "km"], ...rows(name, first)] })),
    {
      name: "Shoes",
      rows: [
        ["Shoe", "Bought", "km"],
        ["Pegasus", "2014-01-03", 700],
      ],
    },
  ];
  writeFileSync(path, packed(xlsxParts(sheets)));
  return path;
}

function mappingFor(file: string, sheets: readonly string[], column: string, unit: string): string {
  const path = join(rehearsal.folder, file);
  writeFileSync(
    path,
    `version: 1
file: { name: Running.xlsx, sheets: ${JSON.stringify(sheets)} }
dates: { order: iso }
defaults: { activity: run }
columns: { Date: { field: date }, ${column}: { field: distance, unit: ${unit} } }
`,
  );
  return path;
}

test("sheets of workouts with other columns keep the account open until a mapping file reads them", async () => {
  const path = workbook(8);
  mappingFor("Running.xlsx.map.yaml", MILES, "Miles", "mi");
  const says = "2 files were not read: Running.xlsx: 2016, Running.xlsx: 2017";
  const planned = await rehearsal.run(["plan", path]);
  expect([planned.code, planned.out]).toEqual([3, expect.stringContaining(says)]);
  const first = await rehearsal.run(["import", path]);
  expect([first.code, first.out]).toEqual([3, expect.stringContaining("Done, but some files were not read. 6 of 6")]);
  expect((await rehearsal.run(["verify"])).code).toBe(0);
  expect((await rehearsal.run(["status"])).out).toContain(`Can the old account be closed? Not yet: ${says}`);

  const map = mappingFor("km.map.yaml", KILOMETRES, "km", "km");
  const second = await rehearsal.run(["import", path, "--map", map]);
  expect([second.code, second.out]).toEqual([0, expect.stringContaining("6 of 6 records are in your log")]);
  expect((await rehearsal.run(["verify"])).code).toBe(0);
  expect((await rehearsal.run(["status"])).out).toContain("Can the old account be closed? Yes");
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(12);

  // After an edit, the sheets of the other mapping file may have new workouts.
  workbook(9);
  const edited = await rehearsal.run(["import", path]);
  expect([edited.code, edited.out]).toEqual([3, expect.stringContaining(says)]);
});
