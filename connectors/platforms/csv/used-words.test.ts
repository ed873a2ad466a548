import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { readMapped } from "../../../test/support/mapped-lines.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

const DAY = "Date: { field: date }";
const WORKOUT = 'Workout: { split: ["(?P<distance>[0-9.]+) km", "(?P<notes>.*)"], parts: { distance: { unit: km } } }';

test("a rule that fits no row, a pattern that fits no cell and a layout that finds nothing are told once, each with its key and line", async () => {
  const { issues, workouts, rejected } = await readMapped(
    ["Date,Workout", "2014-03-01,5 km", "2014-03-02,rest", "2014-03-03,8 km"],
    [DAY, WORKOUT.replace('"(?P<notes>.*)"', '"(?P<type>race): .*", "(?P<notes>.*)"')],
    {
      more: [
        "layout: { totals: skip }",
        "rows:",
        '  - { when: { column: Workout, matches: "^rest" }, skip: rest day }',
        '  - { when: { column: Workout, matches: "^off" }, skip: rest day }',
      ].join("\n"),
    },
  );
  expect([workouts.length, rejected.length]).toEqual([2, 1]);
  expect(issues).toEqual([
    {
      severity: "warning",
      rule: "csv/unused-word",
      origin: { connector: "csv", archive: "log", entry: "log.csv" },
      found: "rows.1 (line 9); columns.Workout.split.1 (line 5); layout.totals (line 6) fit nothing in the table",
      expected: "rules, patterns and values that fit something: mend or remove them in log.map.yaml",
    },
  ]);
});

test.each([
  ["words that all do something", ["Date,Workout", "2014-03-01,5 km", "2014-03-02,felt good", "Total,5"]],
  ["a table without rows", ["Date,Workout"]],
])("nothing is told of %s", async (_, lines) => {
  const { issues } = await readMapped(lines, [DAY, WORKOUT], { more: "layout: { totals: skip }" });
  expect(issues.filter(({ rule }) => rule === "csv/unused-word")).toEqual([]);
});

test("nothing is told of the pattern of a column that the table need not have", async () => {
  const { issues } = await readMapped(
    ["Date,km", "2014-03-01,5"],
    [DAY, "km: { field: distance, unit: km }", 'Plan: { split: "(?P<notes>.*)", optional: true }'],
  );
  expect(issues).toEqual([]);
});

test("a rule that fits a row of one sheet is not told, though the other sheets have none", async () => {
  const sheet = (name: string, km: string) => ({
    name,
    rows: [
      ["Date", "km"],
      ["2014-03-01", km],
    ],
  });
  const archive = memoryArchive("log", {
    "log.xlsx": packed(xlsxParts([sheet("2013", "off"), sheet("2014", "5")])),
    "log.map.yaml": [
      "version: 1",
      "file: { sheets: all }",
      "dates: { order: iso }",
      "columns: { Date: { field: date }, km: { field: distance, unit: km } }",
      'rows: [{ when: { column: km, matches: "^off" }, skip: rest day }]',
    ].join("\n"),
  });
  const { issues } = await readAll(csv, archive);
  expect(issues).toEqual([]);
});

test("a list of values of which no row has a word is told, and so is the scale of an empty column", async () => {
  const { issues } = await readMapped(
    ["Date,km,Sport,Shoe,Loop,RPE,Feel", "2014-03-01,5,Laufen,Pegasus,Park,,3", "2014-03-03,8,LAUFEN,,,,"],
    [
      ...[DAY, "km: { field: distance, unit: km }", "Sport: { field: activity }", "Shoe: { field: equipment }"],
      ...["Loop: { field: course }", "RPE: { field: effort, scale: 1..5 -> 1..10 }"],
      "Feel: { field: quality, scale: 1..5 -> 1..10 }",
    ],
    {
      more: [
        "values:",
        "  activity: { Laufen: run, Radeln: bike }",
        "  equipment: { Ghost: { activity: run } }",
        "  course: { Park: Hauptallee }",
      ].join("\n"),
    },
  );
  expect(issues.filter(({ rule }) => rule === "csv/unused-word").map(({ found }) => found)).toEqual([
    "columns.RPE.scale (line 9); values.equipment (line 13) fit nothing in the table",
  ]);
});
