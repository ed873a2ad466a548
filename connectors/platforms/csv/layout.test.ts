import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";
import { parseMapping } from "./mapping.ts";

const DAY = "Date: { field: date }";
const KM = "km: { field: distance, unit: km }";
const NOTES = "Notes: { field: notes }";

function errorsOf(more: string): readonly string[] {
  const parsed = parseMapping("m.yaml", `version: 1\ndates: { order: iso }\ncolumns:\n  ${DAY}\n${more}\n`);
  return "errors" in parsed ? parsed.errors : [];
}

test("several workouts of a row are told apart by their columns, and each has its own place", async () => {
  const { workouts, rejected } = await readMapped(
    [
      "Date,Weather,Distance 1,Time 1,Distance 2,Time 2",
      "2014-03-01,sunny,5,25:00,8,44:00",
      "2014-03-02,rain,,,6,33:00",
      "2014-03-03,rain,,,,",
    ],
    [
      DAY,
      "Weather: { field: conditions }",
      "Distance: { field: distance, unit: km }",
      "Time: { field: duration, format: mm:ss }",
    ],
    {
      more: [
        "layout:",
        "  repeat:",
        "    Distance: [Distance 1, Distance 2]",
        "    Time: [Time 1, Time 2]",
        'rows: [{ when: { column: Distance, matches: "^$" }, skip: rest day }]',
      ].join("\n"),
    },
  );
  expect(
    workouts.map(({ origin, value }) => [
      origin.locator,
      value.start.date,
      value.distance?.value,
      value.duration,
      value.weather?.conditions,
    ]),
  ).toEqual([
    ['line 2, workout 1 ("Distance 1", "Time 1")', "2014-03-01", 5, 1500, ["sunny"]],
    ['line 2, workout 2 ("Distance 2", "Time 2")', "2014-03-01", 8, 2640, ["sunny"]],
    ['line 3, workout 2 ("Distance 2", "Time 2")', "2014-03-02", 6, 1980, ["rain"]],
  ]);
  expect(rejected).toMatchObject([{ as: "skipped", issue: { found: "rest day", origin: { locator: "line 4" } } }]);
});

const PAIRS = [DAY, "Run km: { field: distance, unit: km }", "Run time: { field: duration, format: mm:ss }"];
const REPEAT = "layout: { repeat: { Run km: [km1, km2], Run time: [t1, t2] } }";

test("a group of cells that mean nothing is no workout, and a row of such groups is skipped with its reason", async () => {
  const { workouts, rejected } = await readMapped(
    [
      "Date,km1,t1,km2,t2,Notes",
      "2014-03-03,5,25:00,-,n/a,",
      "2014-03-04,-,-,,,tired",
      "2014-03-05,,,,,",
      "2014-03-06,4,,3,,",
    ],
    [...PAIRS, NOTES],
    { more: `${REPEAT}\nfile: { nulls: ["-", "n/a"] }` },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.distance?.value, value.duration])).toEqual([
    ["2014-03-03", 5, 1500],
    ["2014-03-06", 4, undefined],
    ["2014-03-06", 3, undefined],
  ]);
  expect(rejected.map(({ as, issue }) => [as, issue.rule, issue.found, issue.origin?.locator])).toEqual([
    ["skipped", "csv/skipped-row", "no workout in this row", "line 3"],
    ["skipped", "csv/skipped-row", "no workout in this row", "line 4"],
  ]);
});

test("each group of columns has the texts of its own that the mapping gives it, such as its sport", async () => {
  const { workouts, rejected, issues } = await readMapped(
    [
      "Date,Run km,Run time,Swim m,Swim time",
      "2014-03-03,5,25:00,1500,32:00",
      "2014-03-04,,,1000,21:30",
      "2014-03-05,,,,",
    ],
    [
      DAY,
      "Distance: { field: distance, unit: { swim: m, default: km } }",
      "Time: { field: duration, format: mm:ss }",
      "Sport: { field: activity }",
      "Where: { field: course }",
    ],
    {
      more: [
        "layout:",
        "  repeat: { Distance: [Run km, Swim m], Time: [Run time, Swim time] }",
        "  texts: { Sport: [Lauf, swim], Where: [null, City pool] }",
        'rows: [{ when: { column: Sport, matches: "^(Lauf|swim)$" }, set: { type: easy } }]',
      ].join("\n"),
    },
  );
  expect(
    workouts.map(({ value }) => [value.activity, value.distance, value.duration, value.course, value.type]),
  ).toEqual([
    ["run", { value: 5, unit: "km" }, 1500, undefined, "easy"],
    ["swim", { value: 1500, unit: "m" }, 1920, "csv:course:city pool", "easy"],
    ["swim", { value: 1000, unit: "m" }, 1290, "csv:course:city pool", "easy"],
  ]);
  expect(rejected.map(({ as, issue }) => [as, issue.found])).toEqual([["skipped", "no workout in this row"]]);
  expect(issues.map(({ rule }) => rule)).toEqual([]);
});

test("two sports of one day with the same numbers are two workouts", async () => {
  const { workouts } = await readMapped(
    ["Date,Run km,Bike km", "2014-03-03,5,5"],
    [DAY, KM, "Sport: { field: activity }"],
    {
      more: "layout: { repeat: { km: [Run km, Bike km] }, texts: { Sport: [run, bike] } }",
    },
  );
  expect(workouts.map(({ value }) => value.activity)).toEqual(["run", "bike"]);
  const [run, bike] = workouts.map(({ key }) => key.replace(/#\d+$/, ""));
  expect(run).not.toBe(bike);
});

test("a value of the whole row is of a single workout, and else of none and reported once with its place", async () => {
  const { workouts, issues } = await readMapped(
    ["Date,Run km,Bike km,Hours", "2014-03-01,8,30,2.5", "2014-03-02,8,,0.75", "2014-03-03,8,30,"],
    [DAY, KM, "Sport: { field: activity }", "Hours: { field: duration, format: hours }"],
    { more: "layout: { repeat: { km: [Run km, Bike km] }, texts: { Sport: [run, bike] }, shared: Hours }" },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.activity, value.duration])).toEqual([
    ["2014-03-01", "run", undefined],
    ["2014-03-01", "bike", undefined],
    ["2014-03-02", "run", 2700],
    ["2014-03-03", "run", undefined],
    ["2014-03-03", "bike", undefined],
  ]);
  expect(issues).toMatchObject([
    { rule: "csv/shared-value", field: "Hours", found: "2.5", origin: { locator: 'line 2, workout 1 ("Run km")' } },
  ]);
});

test("a day of a week that says off, rest, x or a dash is a rest day, and no error", async () => {
  const { workouts, rejected } = await readMapped(
    ["Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun", "2014-03-03,5,off,-,Rest,x,8,Descanso", "2014-03-10,ten,5,,,,,"],
    ["Week of: { field: date }", KM],
    { more: "layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] } }" },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.distance?.value])).toEqual([
    ["2014-03-03", 5],
    ["2014-03-08", 8],
    ["2014-03-10", undefined],
    ["2014-03-11", 5],
  ]);
  expect(rejected.map(({ as, issue }) => [as, issue.found])).toEqual(Array(5).fill(["skipped", "rest day"]));
});

test("the days of a week have texts of their own, too", async () => {
  const { workouts } = await readMapped(
    ["Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun", "2014-03-03,5,,8,,,,21"],
    ["Week of: { field: date }", KM, "Kind: { field: type }"],
    {
      more: "layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] }, texts: { Kind: [easy, ~, tempo, ~, ~, ~, long] } }",
    },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.type])).toEqual([
    ["2014-03-03", "easy"],
    ["2014-03-05", "tempo"],
    ["2014-03-09", "long"],
  ]);
});

test("a day of a week whose cell means nothing is no workout, also a 0 in a column with zero: none", async () => {
  const { workouts, rejected } = await readMapped(
    ["Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun", "2014-03-03,5,-,0,,0.0,,8", "2014-03-10,-,,,,,,0", "Sum,,,,,,,"],
    ["Week of: { field: date }", "km: { field: distance, unit: km, zero: none }"],
    {
      more: [
        "layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] } }",
        'file: { nulls: ["-"] }',
        'rows: [{ when: { column: Week of, matches: "^Sum" }, skip: total }]',
      ].join("\n"),
    },
  );
  expect(workouts.map(({ value }) => [value.start.date, value.distance?.value])).toEqual([
    ["2014-03-03", 5],
    ["2014-03-09", 8],
  ]);
  expect(rejected.map(({ as, issue }) => [as, issue.found, issue.origin?.locator])).toEqual([
    ["skipped", "no workout in this row", "line 3"],
    ["skipped", "total", "line 4"],
  ]);
});

test("a date that means nothing stands for the date above", async () => {
  const { workouts } = await readMapped(["Date,km", "2014-03-01,5", '"-",3'], [DAY, KM], {
    more: 'layout: { asAbove: Date }\nfile: { nulls: ["-"] }',
  });
  expect(workouts.map(({ value }) => value.start.date)).toEqual(["2014-03-01", "2014-03-01"]);
});

test("a cell with a sign for the cell above stands for the nearest filled one", async () => {
  const lines = ["Date,km,Notes", "2014-03-01,5,wet", '2014-03-02,DITO,""""', "2014-03-03,7,", '2014-03-04,dito,""""'];
  const { workouts } = await readMapped(lines, [DAY, KM, NOTES], { more: "layout: { ditto: ['\"', dito] }" });
  expect(workouts.map(({ value }) => [value.distance?.value, value.notes])).toEqual([
    [5, "wet"],
    [5, "wet"],
    [7, undefined],
    [7, "wet"],
  ]);
});

const WEEK = "layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] } }";
const MATRIX = "Mon,Tue,Wed,Thu,Fri,Sat,Sun,Total";

test.each([
  ["iso", "2014-02-24", ["2014-02-24", "2014-02-26", "2014-03-02"]],
  ["dmy", "24.2.2014", ["2014-02-24", "2014-02-26", "2014-03-02"]],
  ["mdy", "2/24/14", ["2014-02-24", "2014-02-26", "2014-03-02"]],
  ["excel", "41694", ["2014-02-24", "2014-02-26", "2014-03-02"]],
])(
  "in a week a row, each filled day is a workout of its date, with dates written as %s",
  async (order, first, days) => {
    const { workouts, rejected } = await readMapped(
      [`Week of,${MATRIX}`, `${first},5,,8,,,off,21.1,34.1`],
      ["Week of: { field: date }", KM, "Total: { field: ignore, why: the sum of the week }"],
      { order, more: `${WEEK}\nrows: [{ when: { column: km, matches: "^off$" }, skip: rest day }]` },
    );
    expect(workouts.map(({ value }) => value.start.date)).toEqual(days);
    expect(workouts.map(({ origin, value }) => [origin.locator, value.distance?.value])).toEqual([
      ['line 2, day 1 ("Mon")', 5],
      ['line 2, day 3 ("Wed")', 8],
      ['line 2, day 7 ("Sun")', 21.1],
    ]);
    expect(rejected).toMatchObject([{ as: "skipped", issue: { found: "rest day" } }]);
  },
);

test("a date that is the last day of its week is told, and read with weekDate: last", async () => {
  const lines = [`Week ending,${MATRIX}`, "2014-03-02,5,,8,,,off,21.1,34.1"];
  const columns = ["Week ending: { field: date }", KM, "Total: { field: ignore }"];
  const { workouts, rejected } = await readMapped(lines, columns, { more: WEEK });
  expect(workouts).toEqual([]);
  expect(rejected.filter(({ issue }) => issue.rule === "csv/wrong-weekday")).toMatchObject(
    ["Mon", "Wed", "Sun"].map(() => ({ issue: { field: "Week ending", found: "2014-03-02" } })),
  );
  const mended = await readMapped(lines, columns, { more: `${WEEK.slice(0, -2)}, weekDate: last }` });
  expect(mended.workouts.map(({ value }) => [value.start.date, value.distance?.value])).toEqual([
    ["2014-02-24", 5],
    ["2014-02-26", 8],
    ["2014-03-02", 21.1],
  ]);
});

test("a week with a first day that can't be read rejects each of its workouts", async () => {
  const { rejected } = await readMapped(
    [`Week of,${MATRIX}`, "week 9,5,,8,,,,,"],
    ["Week of: { field: date }", KM, "Total: { field: ignore }"],
    { more: WEEK },
  );
  expect(rejected).toMatchObject([
    { issue: { rule: "csv/bad-date", found: "week 9", origin: { locator: 'line 2, day 1 ("Mon")' } } },
    { issue: { rule: "csv/bad-date", found: "week 9", origin: { locator: 'line 2, day 3 ("Wed")' } } },
  ]);
});

test("a row without a date that has only texts goes on with the row above", async () => {
  const { workouts, rejected } = await readMapped(
    ["Date,km,Notes", "2014-03-01,5,felt good", ",,but tired later", ",,and slept", "2014-03-02,6,", ",7,no date"],
    [DAY, KM, NOTES],
    { more: "layout: { continued: true }" },
  );
  expect(workouts.map(({ value }) => value.notes)).toEqual(["felt good\nbut tired later\nand slept", undefined]);
  expect(rejected).toMatchObject([{ issue: { rule: "csv/no-date", origin: { locator: "line 6" } } }]);
});

test("an empty date stands for the date above; equal rows of a day stay apart, in their order", async () => {
  const lines = ["Date,km,Notes", "2014-03-01,5,", ",3,cool down", ",3,cool down", "2014-03-02,6,", ",,late"];
  const { workouts } = await readMapped(lines, [DAY, KM, NOTES], {
    more: "layout: { asAbove: Date, continued: true }",
  });
  expect(workouts.map(({ value }) => [value.start.date, value.distance?.value, value.notes])).toEqual([
    ["2014-03-01", 5, undefined],
    ["2014-03-01", 3, "cool down"],
    ["2014-03-01", 3, "cool down"],
    ["2014-03-02", 6, "late"],
  ]);
  expect(new Set(workouts.map(({ key }) => key)).size).toBe(4);
});

test("a date is put together from several columns", async () => {
  const { workouts, rejected } = await readMapped(
    ["Year,Day,At,km", "2014,1.3.,7:30,5", "2014,,,6", ",,,7"],
    ["Start: { field: datetime }", KM],
    { order: "dmy", more: 'join: { Start: "{Day}{Year} {At}" }\nunknownColumns: fail' },
  );
  expect(workouts.map(({ value }) => value.start)).toEqual([{ date: "2014-03-01", time: "07:30:00" }]);
  expect(rejected).toMatchObject([
    { issue: { rule: "csv/bad-date", field: "Start", found: "2014" } },
    { issue: { rule: "csv/no-date" } },
  ]);
});

test.each([
  ["layout: { week: { km: [Mon, Tue] } }", 'layout.week.km: there is no column "Mon"'],
  ["layout: { repeat: { km: [km 1, km 2] } }", 'layout.repeat.km: there is no column "km 1"'],
  ["layout: { asAbove: [Day] }", 'layout.asAbove: there is no column "Day"'],
  ["layout: { repeat: { km: [x, null] }, shared: [Hours] }", 'layout.shared: there is no column "Hours"'],
  ['join: { Start: "{Year}" }', 'join.Start: there is no column "Year"'],
  ['join: { Date: "{Date}" }', "join.Date: the table has a column of this name already"],
  [
    "layout: { repeat: { km: [x, null] }, texts: { Date: [run, bike] } }",
    "line 5: layout.texts.Date: the table has a column of this name already",
  ],
])("%s with a column that the table hasn't got is an error", async (more, message) => {
  const seven = more.replace("[Mon, Tue]", "[Mon, Tue, Wed, Thu, Fri, Sat, Sun]");
  await expect(readMapped(["Date,x", "2014-03-01,1"], [DAY], { more: seven })).rejects.toThrow(message);
});

test.each([
  ["layout: { week: { km: [Mon, Tue] } }", "layout.week.km: expected at least 7 in the list, found 2"],
  ["layout: { repeat: { km: [One] } }", "layout.repeat.km: expected at least 2 in the list, found 1"],
  ["layout: { repeat: {} }", "layout.repeat: expected a name, and the columns of each workout"],
  [
    "layout: { repeat: { a: [1, 2, 3], b: [4, 5] } }",
    "layout.repeat.b: expected 3 columns, as many as the longest list has, found 2: write null for a workout without this column",
  ],
  [
    "layout: { repeat: { km: [Run km, Bike km], Time: [Run time, Run time] } }",
    'layout.repeat.Time: the column "Run time" is listed twice',
  ],
  ["layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, tue] } }", 'layout.week.km: the column "tue" is listed twice'],
  [
    "layout: { repeat: { a: [1, 2] }, texts: { Sport: [run, bike, swim] } }",
    "layout.texts.Sport: expected 2 texts, one a workout, found 3: write null for a workout without one",
  ],
  [
    "layout: { repeat: { a: [1, 2] }, texts: { a: [run, bike] } }",
    "layout.texts.a: this column has cells already: give the texts another name",
  ],
  ["layout: { shared: [Hours] }", "layout.shared: shared goes with repeat, which says where the workouts are"],
  [
    "layout: { repeat: { km: [km1, km2] }, shared: [KM1] }",
    'layout.shared.0: the column "KM1" has a value for each workout: it stands in repeat',
  ],
  [
    "layout: { texts: { Sport: [run, bike] } }",
    "layout.texts: texts go with repeat or week, which say where the workouts are",
  ],
  ["layout: { continued: yes }", 'layout.continued: expected true, found "yes"'],
  ["layout: { sideways: true }", "layout.sideways: no such key"],
  [
    "join: { Start: Year }",
    'join.Start: expected names of columns in braces, such as {Day}.{Month}.{Year}, found "Year"',
  ],
  [
    "layout: { week: { a: [1, 2, 3, 4, 5, 6, 7] }, repeat: { a: [1, 2] } }",
    "layout.week: expected either repeat or week",
  ],
])("the mistake %s names file, line and key", (more, message) => {
  expect(errorsOf(more)).toEqual([`m.yaml line 5: ${message}`]);
});
