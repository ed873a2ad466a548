import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";

const COLUMNS = [
  "Date: { field: date }",
  "km: { field: distance, unit: km }",
  'Time: { field: duration, format: "h:mm:ss" }',
];
const RULE = "rows:\n  - { when: { column: Date, matches: ^2024-01-31$ }, skip: total }";
const JANUARY = ["2024-01-03,10,0:50:00", "2024-01-10,12.5,1:02:30", "2024-01-17,8,0:40:00", "2024-01-31,30.5,2:32:30"];
const FEBRUARY = ["2024-02-03,9.3,0:46:00", "2024-02-10,11,0:55:10", "2024-02-17,21.1,1:50:00"];

/** The days that are loaded, and the rows that wait. */
async function read(rows: readonly string[], more = RULE) {
  const { values, rejected } = await readMapped(["Date,km,Time", ...rows], COLUMNS, { more });
  const waiting = rejected.filter(({ as }) => as === "quarantined");
  return {
    days: values.map(({ start }) => start.date),
    waiting: waiting.map(({ origin, issue }) => [origin.locator, issue?.rule, issue?.found]),
  };
}

test("a total that came later than the mapping waits, where the mapping knows earlier ones", async () => {
  const { days, waiting } = await read([...JANUARY, ...FEBRUARY, "2024-02-29,41.4,3:31:10"]);
  expect(days).toHaveLength(6);
  expect(waiting).toEqual([["line 9", "csv/sum-of-rows", "the sum of the 3 rows above it: 41.4 km"]]);
});

test("a total that waits has the key that its row has as a workout", async () => {
  const rows = ["Date,km,Time", ...JANUARY, ...FEBRUARY, "2024-02-29,41.4,3:31:10"];
  const held = (await readMapped(rows, COLUMNS, { more: RULE })).readings.at(-1);
  const loaded = (await readMapped(rows, COLUMNS, { more: `${RULE}\nsumRows: workouts` })).readings.at(-1);
  expect([held?.kind, loaded?.kind, held?.key]).toEqual(["set-aside", "workout", loaded?.key]);
});

test("the next month is summed up from there", async () => {
  const march = ["2024-03-03,9,0:45:00", "2024-03-04,8,0:40:00", "2024-03-06,7,0:35:00", "2024-03-31,24,2:00:00"];
  const { waiting } = await read([...JANUARY, ...FEBRUARY, "2024-02-29,41.4,3:31:10", ...march]);
  expect(waiting.map(([line]) => line)).toEqual(["line 9", "line 13"]);
});

test.each([
  ["another time", [...JANUARY, ...FEBRUARY, "2024-02-29,41.4,3:45:10"], RULE],
  ["two rows above it", [...JANUARY, ...FEBRUARY.slice(0, 2), "2024-02-29,20.3,1:41:10"], RULE],
  ["few rows above it and no time", [...JANUARY, ...FEBRUARY, "2024-02-29,41.4,"], RULE],
  ["no rule for totals", [...JANUARY.slice(0, 3), "2024-01-20,30.5,2:32:30"], ""],
  ["a word for it", [...JANUARY, ...FEBRUARY, "2024-02-29,41.4,3:31:10"], `${RULE}\nsumRows: workouts`],
])("a workout is loaded with %s", async (_, rows, more) => {
  const { days, waiting } = await read(rows, more);
  expect([days.at(-1), waiting]).toEqual([rows.at(-1)?.slice(0, 10), []]);
});
