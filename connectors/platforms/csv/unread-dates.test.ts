import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";

async function expectedOf(days: readonly string[], order: string, field = "date") {
  const { rejected } = await readMapped(
    ["Day,km", ...days.map((day) => `"${day}",5`)],
    [`Day: { field: ${field} }`, "km: { field: distance, unit: km }"],
    { order },
  );
  return rejected.map(({ issue }) => [issue.rule, issue.expected]);
}

test.each([
  [
    "iso",
    "date",
    ["1.3.2014", "25.3.2014"],
    "year-month-day: say dates.order: dmy in log.map.yaml, which reads 2 of the 2 dates that can't be read, and plan again",
  ],
  [
    "dmy",
    "date",
    ["lun., 30 juin 2014 7:03"],
    "day.month.year: say field: datetime for columns.Day in log.map.yaml, which reads this date, and plan again",
  ],
  [
    "iso",
    "date",
    ["Jun 30, 2014 7:03 PM"],
    // The month has a name, so either order reads it. The first one is said.
    "year-month-day: say dates.order: dmy and field: datetime for columns.Day in log.map.yaml, which reads this date, and plan again",
  ],
  [
    "dmy",
    "date",
    ["3. März"],
    "day.month.year: say dates.year, or layout: { sections: true }, in log.map.yaml, which reads this date, and plan again",
  ],
  [
    "iso",
    "datetime",
    ["2014-03-01T18:05:00+01:00"],
    "year-month-day with a time, zone local: say dates.zone: offset in log.map.yaml, which reads this date, and plan again",
  ],
  [
    "iso",
    "date",
    ["17-01-02"],
    "year-month-day: say dates.order: dmy, or dates.order: ymd if the year stands in front, in log.map.yaml, which reads this date, and plan again",
  ],
  [
    "dmy",
    "date",
    ["98-01-02"],
    "day.month.year: say dates.order: ymd in log.map.yaml, which reads this date, and plan again",
  ],
  ["dmy", "date", ["noon"], "day.month.year"],
] as const)(
  "with dates.order: %s and field: %s, a date like %j says which change would read it",
  async (order, field, days, expected) => {
    expect(await expectedOf(days, order, field)).toEqual(days.map(() => ["csv/bad-date", expected]));
  },
);

test.each([
  ["iso", "date", "2021-02-31", "2021-02-28"],
  ["dmy", "date", "31.4.2021", "2021-04-30"],
  ["mdy", "datetime", "2/30/2024 6:30", "2024-02-29"],
  ["dmy", "date", "31. September 2021", "2021-09-30"],
] as const)(
  "with dates.order: %s and field: %s, %s is a day that doesn't exist, and no other order is advised",
  async (order, field, day, last) => {
    expect(await expectedOf([day], order, field)).toEqual([
      ["csv/no-such-day", `a day that exists: the month ends on ${last}`],
    ]);
  },
);

test("a month 13 is a sign of another order, and no day past the end of a month", async () => {
  expect((await expectedOf(["2014-13-12"], "iso")).map(([rule]) => rule)).toEqual(["csv/bad-date"]);
});

test("a single date that is written otherwise is a typing mistake, and changes no advice", async () => {
  expect(await expectedOf(["2014-03-01", "2014-03-02", "3.3.2014"], "iso")).toEqual([
    ["csv/bad-date", "year-month-day"],
  ]);
});

test("rows that lack only the date below one that has one come with the word for it", async () => {
  const { rejected } = await readMapped(
    ["Date,km", "2014-03-01,5", ",3", ",4", "2014-03-02,5", ",6"],
    ["Date: { field: date }", "km: { field: distance, unit: km }"],
  );
  expect(rejected.map(({ issue }) => [issue.rule, issue.expected])).toEqual(
    Array(3).fill([
      "csv/no-date",
      "year-month-day: write each row its own date, or, only if an empty cell stands for the date above it, say layout: { asAbove: [Date] } in log.map.yaml, and plan again",
    ]),
  );
});

test("a decimal comma is advised only where cells have one", async () => {
  const { values } = await readMapped(
    ["Date,HR,Lap", ...Array.from({ length: 4 }, (_, day) => `2014-03-0${day + 1},145/172,140`)],
    ["Date: { field: date }", "HR: { field: avgHR }", "Lap: { field: duration, format: mm:ss }"],
  );
  const advice = values.flatMap(({ doubts = [] }) => doubts.map(({ issue }) => issue.expected));
  expect(advice[0]).toBe("beats a minute: say how columns.HR is written in log.map.yaml, and plan again");
  expect(advice.filter((text) => text?.includes("file.decimal"))).toEqual([]);
});

test("few dates without a year among others are told of the year, which changes no other date", async () => {
  const [first] = await expectedOf(["11.1.20", "12.1.20", "13.1.20", "14.1."], "dmy");
  expect(first).toEqual([
    "csv/bad-date",
    "day.month.year: say dates.year, or layout: { sections: true }, in log.map.yaml, which reads this date, and plan again",
  ]);
});

test("another order isn't advised where it would reject the dates that can be read", async () => {
  const [first] = await expectedOf(["44202", "44204", "1/3/2021"], "mdy");
  expect(first).toEqual([
    "csv/bad-date",
    'month/day/year: write all dates in one way: dates.order: excel would read 2 of the 2, and no longer those such as "1/3/2021"',
  ]);
});
