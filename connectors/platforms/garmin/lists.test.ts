import { expect, test } from "vitest";
import type { Reading } from "../../../transforms/model/item.ts";
import type { UnitOf } from "../../../transforms/units.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { garmin } from "./table.ts";

async function read(table: string, distanceUnits: readonly UnitOf<"distance">[] = []): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map(), distanceUnits };
  for await (const reading of garmin.read(memoryArchive("a", { "x.csv": table }), context)) readings.push(reading);
  return readings;
}

test.each([
  ["Fr, 25 Mai 2012 20:31", "2012-05-25 20:31:00"],
  ["lun., 30 juin 2014 7:03", "2014-06-30 07:03:00"],
  ["Fri, May 25, 2012 8:31 PM", "2012-05-25 20:31:00"],
])("the list of 2012 to 2015 has the date %s", async (date, expected) => {
  const header = " Favorite,Activity Name,Activity Type,Course,Start,Time,Distance,Avg HR,";
  const [reading] = await read(`Activities by jo\n\n${header}\n,x,Yoga,,"${date}",45:10,"0,00",99,\n`);
  if (reading?.kind !== "workout") throw new Error("no workout");
  const { start } = reading.value;
  expect(`${start.date} ${start.time}`).toBe(expected);
});

test("the distances of the list of 2012 to 2015 are asked for with their option, which says them", async () => {
  const row = (type: string, distance: string) => `,x,${type},,"Fr, 25 Mai 2012 20:31",45:10,"${distance}",99,`;
  const header = " Favorite,Activity Name,Activity Type,Course,Start,Time,Distance,Avg HR,";
  const list = `Activities by jo\n\n${header}\n${row("Running", "8,21")}\n${row("Swimming", "1200")}\n`;
  const distances = async (...units: readonly UnitOf<"distance">[]) =>
    (await read(list, units)).map((reading) =>
      reading.kind === "workout" ? Object.values(reading.value.distance ?? {}).join(" ") : "asked",
    );
  expect(await distances()).toEqual(["asked", "asked"]);
  expect(await distances("km")).toEqual(["km 8.21", "m 1200"]);
  expect(await distances("mi", "yd")).toEqual(["mi 8.21", "yd 1200"]);
  expect(await read(list)).toMatchObject([{ issue: { expected: expect.stringContaining("--distance-unit km") } }, {}]);
});

test("a person says the unit of the list of 2012 to 2015", async () => {
  const header = " Favorite,Activity Name,Activity Type,Course,Start,Time,Distance,Avg HR,";
  const row = ',x,Running,,"Fr, 25 Mai 2012 20:31",45:10,"10,20",99,';
  const list = `Activities by jo\n\n${header}\n${row}\n`;
  expect(await read(list)).toMatchObject([{ issue: { rule: "table/unknown-unit" } }]);
  expect(await read(list, ["mi"])).toMatchObject([{ value: { distance: { unit: "mi", value: 10.2 } } }]);
});

const PAGE = (id: number) =>
  JSON.stringify([
    { activityId: id, activityType: "running", beginTimestamp: Date.UTC(2026, 1, id, 9), duration: 1_800_000 },
  ]);

test.each([
  ["the second page of the activities", ["a_0_", "a_2001_"].map((name) => `${name}summarizedActivities.json`), [1001]],
  ["the first page of the activities", ["a_1001_summarizedActivities.json"], [0]],
  [
    "two zips of device files",
    ["a_0_summarizedActivities.json", "up/UploadedFiles_0-_Part4.zip!/x.txt", "up/UploadedFiles_0-_Part1.zip!/x.txt"],
    [2, 3],
  ],
  [
    "no file",
    [
      "a_0_summarizedActivities.json",
      "a_1001_summarizedActivities (1).json",
      "a_2001_summarizedActivities.json",
      "UploadedFiles_0-_Part1.zip!/x.txt",
    ],
    [],
  ],
  [
    "no file, where somebody numbered them in another way",
    ["a_0_summarizedActivities.json", "a_7_summarizedActivities.json"],
    [],
  ],
])("of an account's export, %s is missing and named", async (_, paths, missing) => {
  const files = Object.fromEntries(paths.map((path, index) => [path, path.endsWith(".txt") ? "x" : PAGE(index + 1)]));
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const told: unknown[] = [];
  for await (const reading of garmin.read(memoryArchive("a", files), context))
    if (reading.kind === "set-aside" && reading.issue.rule === "archive/missing-part") told.push(reading.issue.found);
  expect(told).toEqual(missing.map((number) => expect.stringContaining(`with the number ${number},`)));
});
