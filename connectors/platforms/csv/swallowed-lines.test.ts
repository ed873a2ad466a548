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

const OPEN = [
  "csv/open-quote",
  "line 2",
  "a text that begins with a quote and has none at its end",
  "a quote at the end of the text, or none before it. The lines below it were read",
];

test.each([
  ["a text in quotes below it", ['2014-03-05,10,"good run,140', '2014-03-06,8,"tired",150']],
  ["rows between, and a text in quotes below them", ['2014-03-05,10,"good,140', "2014-03-06,8,ok,150", '2014-03-07,8,"x",1']],
  ["all cells in quotes", ['"2014-03-05","10","good,140', '"2014-03-06","8","tired","150"']],
  ["no other quote", ['2014-03-05,10,"good,140', "2014-03-06,8,ok,150", "2014-03-07,8,,"]],
])("a quote that isn't closed costs its own line, and the rows below are read: %s", async (_, lines) => {
  const below = lines.slice(1).map((line) => line.replaceAll('"', "").slice(0, 10));
  const { days, rejected } = await read([...lines, "2014-03-09,9,ok,151"]);
  expect(days).toEqual([...below, "2014-03-09"]);
  expect(rejected).toEqual([OPEN]);
}); // biome-ignore format: a table

test("ten open quotes cost ten lines; behind the eleventh nothing is read", async () => {
  const days = (count: number) => Array.from({ length: count }, (_, at) => `2014-03-${10 + at}`);
  const lines = (count: number) => days(count).flatMap((day) => [`${day},9,"ok,150`, `${day},8,ok,151`]);
  const ten = await read(lines(10));
  expect(ten.days).toEqual(days(10));
  expect(ten.rejected.map(([rule]) => rule)).toEqual(Array(10).fill("csv/open-quote"));
  const eleven = await read(lines(11));
  expect(eleven.days).toEqual(days(10));
  expect(eleven.rejected.at(-1)?.slice(0, 2)).toEqual(["csv/unclosed-quote", "line 22"]);
});

test("lines below that are no rows of the table are the rest of the text", async () => {
  const short = await read(['2014-03-05,10,"good run,140', '2014-03-06,8,"tired"', "2014-03-09,9,ok,151"]);
  expect(short.days).toEqual(["2014-03-09"]);
  expect(short.rejected).toEqual([
    [
      ...["csv/swallowed-line", "line 2", "lines 2 to 3, read as one row with 3 cells"],
      "4 cells in each row: a text that begins with a quote in line 2 has no quote at its end",
    ],
  ]);
  const cut = await read(["2014-03-04,9,ok,151", '2014-03-05,10,"a long', "text, with a comma", "and no"]);
  expect(cut.days).toEqual(["2014-03-04"]);
  expect(cut.rejected.map(([rule, line]) => [rule, line])).toEqual([["csv/unclosed-quote", "line 3"]]);
});

test.each([
  ["line ends", '2014-03-05,10,"good\nrun, long, hot",140', "good\nrun, long, hot"],
  ["quotes that aren't doubled", '2014-03-05,10,"a "good" run",140', 'a "good" run'],
  ["both", '2014-03-05,10,"a "good" run\nand long",140', 'a "good" run\nand long'],
])("a text with %s is whole", async (_, line, notes) => {
  expect(await read([line])).toEqual({ days: ["2014-03-05"], notes: [notes], rejected: [] });
});
