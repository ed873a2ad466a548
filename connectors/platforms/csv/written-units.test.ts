import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

/** The workouts of a table with a mapping file of these columns. */
async function readTable(lines: readonly string[], columns: string) {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date }, ${columns} }\n`;
  const archive = memoryArchive("log.csv", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": mapping });
  const { readings, issues } = await readAll(csv, archive, { sports: new Map() });
  return { issues, workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])) };
}

test("k in a column of yards is a thousand yards, as swimmers write it", async () => {
  const { workouts, issues } = await readTable(
    ["Date,Yards", "2024-03-04,2k", "2024-03-05,1800y", "2024-03-06,2k yd", "2024-03-07,2km", "2024-03-08,1650"],
    "Yards: { field: distance, unit: yd }",
  );
  expect(issues).toEqual([]);
  expect(workouts.map(({ distance }) => distance)).toEqual([
    { unit: "yd", value: 2000 },
    { unit: "yd", value: 1800 },
    { unit: "yd", value: 2000 },
    { unit: "km", value: 2 },
    { unit: "yd", value: 1650 },
  ]);
});

test("m behind a few is miles in a column of miles, and reported in one of kilometres", async () => {
  const lines = ["Date,Far", "2024-03-04,5m", "2024-03-05,800m"];
  const read = async (unit: string) => readTable(lines, `Far: { field: distance, unit: ${unit} }`);
  const [miles, kilometres] = [await read("mi"), await read("km")];
  expect(miles.issues).toEqual([]);
  const [far, near] = [
    { unit: "mi", value: 5 },
    { unit: "m", value: 800 },
  ];
  expect(miles.workouts.map(({ distance }) => distance)).toEqual([far, near]);
  expect(kilometres.workouts.map(({ distance }) => distance)).toEqual([undefined, near]);
  const expected = "a number of km; m may be miles here, which are written mi";
  expect(kilometres.issues).toMatchObject([{ rule: "csv/bad-number", found: "5m", expected }]);
});

test("a weekday that contradicts its date is named, and the row is read", async () => {
  // 4 March 2024 is a Monday. `mar` is Tuesday in French.
  const { workouts, issues } = await readTable(
    ["Date,Day,km", "2024-03-04,Mon,5", "2024-03-05,mar,6", "2024-03-06,Fri,7", "2024-03-07,,8", "2024-03-08,?,9"],
    "Day: { field: weekday }, km: { field: distance, unit: km }",
  );
  expect(workouts).toHaveLength(5);
  const expected = "the weekday of 2024-03-06, or another date; the row is read with this date";
  expect(issues).toMatchObject([{ rule: "csv/weekday-differs", field: "Day", found: "Fri", expected }]);
});

test("a minus sign and a degree without its letter are read", async () => {
  const { workouts, issues } = await readTable(
    ["Date,km,Temp", "2024-02-01,5,-3", "2024-02-02,5,−5", "2024-02-03,5,−5°C", "2024-02-04,5,-5°"],
    "km: { field: distance, unit: km }, Temp: { field: temperature, unit: C }",
  );
  expect(issues).toEqual([]);
  expect(workouts.map(({ weather }) => weather?.temperature)).toEqual(
    [-3, -5, -5, -5].map((value) => ({ unit: "C", value })),
  );
});
