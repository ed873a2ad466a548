import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";

const COLUMNS = [
  "Date: { field: date }",
  "km: { field: distance, unit: km }",
  "Notes: { field: notes }",
  "HR: { field: avgHR }",
];
const HEADER = "Date,km,Notes,HR";

const read = async (lines: readonly string[]) => {
  const { values, rejected } = await readMapped([HEADER, ...lines], COLUMNS);
  return {
    days: values.map(({ start }) => start.date),
    notes: values.map(({ notes }) => notes),
    rejected: rejected.map(({ issue, origin }) => [issue?.rule, origin.locator, issue?.found, issue?.expected]),
  };
};

test.each([
  ["a text in quotes below it", ['2014-03-05,10,"good run,140', '2014-03-06,8,"tired",150'], 4],
  ["rows between, and a text in quotes below them", ['2014-03-05,10,"good,140', "2014-03-06,8,ok,150", '2014-03-06,8,"x",1'], 4],
  ["all cells in quotes", ['"2014-03-05","10","good,140', '"2014-03-06","8","tired","150"'], 6],
])("a row that swallowed the next line is rejected with its first and last line: %s", async (_, lines, cells) => {
  const { days, rejected } = await read([...lines, "2014-03-09,9,ok,151"]);
  expect(days).toEqual(["2014-03-09"]);
  expect(rejected).toEqual([
    [
      ...["csv/swallowed-line", "line 2", `lines 2 to ${lines.length + 1}, read as one row with ${cells} cells`],
      "4 cells in each row: a text that begins with a quote in line 2 has no quote at its end",
    ],
  ]);
}); // biome-ignore format: a table

test.each([
  ["line ends", '2014-03-05,10,"good\nrun, long, hot",140', "good\nrun, long, hot"],
  ["quotes that aren't doubled", '2014-03-05,10,"a "good" run",140', 'a "good" run'],
  ["both", '2014-03-05,10,"a "good" run\nand long",140', 'a "good" run\nand long'],
])("a text with %s is whole", async (_, line, notes) => {
  expect(await read([line])).toEqual({ days: ["2014-03-05"], notes: [notes], rejected: [] });
});
