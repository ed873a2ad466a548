import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";

const DAY = "Date: { field: date }";
const KM = "km: { field: distance, unit: km }";
const TIME = "Time: { field: duration, format: h:mm:ss }";

test("titles complete the dates of their sections, and each section has its own header", async () => {
  const { workouts, rejected } = await readMapped(
    [
      "My log,,",
      "2013,,",
      "Date,km,Notes",
      "30.12.,5,old",
      "2014,,",
      "Notes,Date,km",
      "new,1.3.,6",
      "March,,",
      ",Mo 3,7",
      ",3. April,8",
      ",5.4.2015,9",
    ],
    [DAY, KM, "Notes: { field: notes }"],
    { order: "dmy", more: "layout: { sections: true }" },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.distance?.value, value.notes])).toEqual([
    ["2013-12-30", 5, "old"],
    ["2014-03-01", 6, "new"],
    ["2014-03-03", 7, undefined],
    ["2014-04-03", 8, undefined],
    ["2015-04-05", 9, undefined],
  ]);
  expect(rejected).toMatchObject([
    { issue: { rule: "csv/before-header", found: "My log", origin: { locator: "line 1" } } },
  ]);
});

test("below a month that goes past New Year and says no year, no row gets the year before", async () => {
  const month = (title: string) => [title, "Date,km", "3,5"];
  const { workouts, rejected } = await readMapped(
    ["My log 2019", ...["November", "December", "January", "March 2021", "April"].flatMap(month)],
    [DAY, KM],
    { order: "dmy", more: "layout: { sections: true }" },
  );
  expect(workouts.map(({ value }) => value.start.date)).toEqual([
    "2019-11-03",
    "2019-12-03",
    "2021-03-03",
    "2021-04-03",
  ]);
  expect(rejected.map(({ issue: { rule, found, origin } }) => [rule, found, origin?.locator])).toEqual([
    ["csv/title-without-year", "January", "line 8"],
    ["csv/bad-date", "3", "line 10"],
  ]);
});

test("equal rows of two years are two workouts, whatever year is above", async () => {
  const year = (title: string) => [title, "Date,km", "3/1,5"];
  const keysOf = async (...titles: string[]) => {
    const { workouts } = await readMapped(titles.flatMap(year), [DAY, KM], {
      order: "mdy",
      more: "layout: { sections: true }",
    });
    return workouts.map(({ key, value }) => `${value.start.date} ${key}`).sort();
  };
  const both = await keysOf("2013", "2014");
  expect(both).toEqual(await keysOf("2014", "2013"));
  expect(both.map((each) => each.slice(0, 10))).toEqual(["2013-03-01", "2014-03-01"]);
});

test("a mapping may say the year of dates without one", async () => {
  const { values, rejected } = await readMapped(
    ["Date,km", "03-01,5", "Sat 03/02,6", "2013-03-03,7", "x,8"],
    [DAY, KM],
    {
      order: "",
      more: "dates: { order: iso, year: 2014 }",
    },
  );
  expect(values.map(({ start }) => start.date)).toEqual(["2014-03-01", "2014-03-02", "2013-03-03"]);
  expect(rejected).toMatchObject([{ issue: { rule: "csv/bad-date", found: "x" } }]);
});

test.each([
  [
    "up",
    ["12/28", "12/30", "1/2", "3/5", "11/30", "1/4"],
    ["2022-12-28", "2022-12-30", "2023-01-02", "2023-03-05", "2023-11-30", "2024-01-04"],
  ],
  ["down", ["1/4", "12/30", "12/28", "7/1"], ["2022-01-04", "2021-12-30", "2021-12-28", "2021-07-01"]],
] as const)("the year of dates without one goes %s where the rows cross New Year", async (turn, cells, days) => {
  const { values, issues } = await readMapped(["Date,km", ...cells.map((cell) => `${cell},5`)], [DAY, KM], {
    ...{ order: "", more: `dates: { order: mdy, year: 2022, newYear: ${turn} }` },
  });
  expect(values.map(({ start }) => start.date)).toEqual(days);
  expect(issues).toEqual([]);
});

test("rows that seem to cross New Year are told once where the mapping gives them one year", async () => {
  const { issues } = await readMapped(["Date,km", "12/30,5", "1/2,6", "12/31,7"], [DAY, KM], {
    ...{ order: "", more: "dates: { order: mdy, year: 2022 }" },
  });
  expect(issues).toMatchObject([
    { rule: "csv/new-year", field: "Date", found: "1/2", expected: expect.stringContaining("dates.newYear: up") },
  ]);
});

test("a table in sections without its columns is an error that names them", async () => {
  await expect(
    readMapped(["2014", "Day,km", "1.3.,5"], [DAY, KM], { order: "dmy", more: "layout: { sections: true }" }),
  ).rejects.toThrow('there is no column "Date"');
});

test("rows of totals are left in many languages, and workouts with such words are not", async () => {
  const totals = ["Total", "Summe März", "TOTAL:", "Somme", "Razem", "Total km", "合計", "Average", "Ø"];
  const { workouts, rejected, issues } = await readMapped(
    ["Date,km,Notes", "2014-03-01,5,total disaster", ...totals.map((word) => `${word},,`), ",,Total", "Totally new,5,"],
    [DAY, KM, "Notes: { field: notes }"],
    { more: "layout: { totals: skip }" },
  );
  expect(workouts.map(({ value }) => value.notes)).toEqual(["total disaster"]);
  expect(rejected.map(({ as, issue }) => [as, issue.found])).toEqual([
    ...Array(10).fill(["skipped", "a row of totals"]),
    ["quarantined", "Totally new"],
  ]);
  expect(issues).toEqual([]);
});

test("a total is compared with the rows that it may sum up: since the last one, or since an earlier one", async () => {
  const { issues, workouts } = await readMapped(
    [
      "Date,km,Time",
      "2014-03-01,5.2,0:30:00",
      "2014-03-02,6.1,0:40:00",
      "Sum,11,1:10:00",
      "2014-03-03,7,0:35:10",
      "2014-03-04,8,",
      "Sum,16,0:35:00",
      "Sum 2014,26.3,1:45:10",
    ],
    [DAY, KM, TIME],
    { more: "layout: { totals: skip }" },
  );
  expect(workouts).toHaveLength(4);
  expect(
    issues.map(({ rule, field, found, expected, origin }) => [rule, field, found, expected, origin?.locator]),
  ).toEqual([["csv/total-differs", "km", "16", "15, the sum of the rows above since the last total", "line 7"]]);
});

test("a total below a cell that can't be read is not compared", async () => {
  const { issues } = await readMapped(["Date,km", "2014-03-01,5", "2014-03-02,6!", "Sum,99"], [DAY, KM], {
    more: "layout: { totals: skip }",
  });
  expect(issues.map(({ rule }) => rule)).toEqual(["csv/bad-number"]);
});

const SPORT = "Sport: { field: activity }";

test("a line that is a sport says it of the rows below, in a column of its own", async () => {
  const { workouts, rejected, issues } = await readMapped(
    ["Date,km,Notes", "2014-03-01,5,", "WALKING,,", "2014-03-02,6,walk", "Heim,,", "2014-03-03,7,", "My club,,", "2014-03-04,8,"],
    [DAY, KM, "Notes: { field: notes }", SPORT],
    { more: "layout: { sports: Sport }\ndefaults: { activity: run }\nvalues: { activity: { Heim: elliptical } }" },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.activity])).toEqual([
    ["2014-03-01", "run"],
    ["2014-03-02", "walk"],
    ["2014-03-03", "elliptical"],
    ["2014-03-04", "elliptical"],
  ]);
  expect(rejected.map(({ issue }) => issue.found)).toEqual(["My club"]);
  expect(issues).toEqual([]);
}); // biome-ignore format: a table

test("titles with sports are named where the table has none, and where a column is called so already", async () => {
  const more = "layout: { sports: Sport }\ndefaults: { activity: run }";
  const { issues } = await readMapped(["Date,km", "2014-03-01,5"], [DAY, KM, SPORT], { more });
  expect(issues).toMatchObject([{ rule: "csv/unused-word", found: expect.stringContaining("layout.sports (line 7)") }]);
  await expect(readMapped(["Date,km,sport", "2014-03-01,5,Run"], [DAY, KM, SPORT], { more })).rejects.toThrow(
    "layout.sports: the table has a column of this name already",
  );
});
