import { expect, test } from "vitest";
import { type MadeCell, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

const day = (days: number): MadeCell => ({ days, format: "dd/mm/yyyy", shown: "" });
const elapsed = (days: number): MadeCell => ({ days, format: "[h]:mm:ss", shown: "" });

/** The sheets beside the log that may hold workouts. */
async function unread(...rows: readonly (readonly MadeCell[])[]): Promise<readonly string[]> {
  const book = [
    {
      name: "Runs",
      rows: [
        ["Date", "km"],
        [day(43_100), 5],
      ],
    },
    { name: "2021", rows },
  ];
  const mapping =
    "version: 1\nfile: { sheet: Runs }\ndates: { order: iso }\ncolumns: { Date: { field: date }, km: { field: distance, unit: km } }\ndefaults: { activity: run }\n";
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts(book)), "log.map.yaml": mapping });
  const { issues } = await readAll(csv, archive);
  return issues.flatMap(({ rule, names = [] }) => (rule === "csv/other-files" ? names : []));
}

test("a sheet without a header, with days and elapsed times, may hold workouts", async () => {
  const rows = [44_348, 44_350, 44_353].map((date, at) => [day(date), 5.9 + at, elapsed(0.021 + at / 200)]);
  expect(await unread(...rows)).toEqual(["log.xlsx: 2021"]);
});

test.each([
  ["Workout", ["5.9 km in 0:30:51", "8.2 km in 0:41:00", "12 km in 1:01:30"]],
  ["What I did", ["Easy run 5.9 km, 0:30:51", "rest", "Long run 12 km, 61 min"]],
])("a diary whose texts below %s have a distance and a duration may hold workouts", async (header, texts) => {
  const rows = texts.map((text, at) => [`Jun ${at + 1}, 2021`, text]);
  expect(await unread(["Day", header], ...rows)).toEqual(["log.xlsx: 2021"]);
});

test("notes with a distance alone hold no workouts", async () => {
  const rows = ["10 km race planned", "new shoes", "5 km loop measured"].map((text, at) => [day(44_348 + at), text]);
  expect(await unread(["Date", "Notes"], ...rows)).toEqual([]);
});
