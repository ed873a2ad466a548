import { expect, test } from "vitest";
import { readMapped } from "../../../test/support/mapped-lines.ts";
import { parseMapping } from "./mapping.ts";

const DAY = "Date: { field: date }";

/** The errors of a mapping file with one more column, in line 5. */
function errorsOf(column: string): readonly string[] {
  const parsed = parseMapping("m.yaml", `version: 1\ndates: { order: iso }\ncolumns:\n  ${DAY}\n  ${column}\n`);
  return "errors" in parsed ? parsed.errors : [];
}

test("the sport of a row says its unit, and a row of another sport without a default waits", async () => {
  const lines = ["Date,Sport,Dist", "2014-03-01,swim,1500", "2014-03-02,run,12", "2014-03-03,bike,40"];
  const columns = [DAY, "Sport: { field: activity }"];
  const all = await readMapped(lines, [...columns, "Dist: { field: distance, unit: { swim: m, default: km } }"]);
  expect(all.values.map(({ distance }) => distance)).toEqual([
    { unit: "m", value: 1500 },
    { unit: "km", value: 12 },
    { unit: "km", value: 40 },
  ]);
  const some = await readMapped(lines, [...columns, "Dist: { field: distance, unit: { swim: m, run: km } }"]);
  expect(some.values).toHaveLength(2);
  expect(some.rejected).toMatchObject([
    {
      issue: {
        rule: "csv/unknown-unit",
        field: "Dist",
        found: "40",
        expected: "a unit for bike: say `unit: { bike: km }`, or the distance with its unit",
        origin: { locator: "line 4" },
      },
    },
  ]);
});

test("a column that mixes h:mm and mm:ss is read by the number before the colon, and its totals by all three parts", async () => {
  const durations = [
    ["1:48", 6480],
    ["9:59", 35_940],
    ["10:00", 600],
    ["32:32", 1952],
    ["75:10", 4510],
    ["5:30 min", 330],
    ["12:15 h", 44_100],
    ["1:02:03", 3723],
  ] as const; // 97,635 s in all, which is 27:07:15
  const { values, issues, rejected } = await readMapped(
    [
      "Date,T",
      ...durations.map(([cell], index) => `2014-03-0${index + 1},${cell}`),
      "Total,27:07",
      "Total,27:07:15",
      "Total,30:00:00",
    ],
    [DAY, "T: { field: duration, format: [mm:ss, h:mm, h:mm:ss], hoursBelow: 10 }"],
    { more: "layout: { totals: skip }" },
  );
  expect(values.map(({ duration }) => duration)).toEqual(durations.map(([, seconds]) => seconds));
  expect(rejected.map(({ issue }) => issue.found)).toEqual(Array(3).fill("a row of totals"));
  expect(issues).toMatchObject([{ rule: "csv/total-differs", found: "30:00:00" }]);
});

test("a scale of one's own becomes the log's, in either direction, and a value beside it is reported", async () => {
  const { values, issues } = await readMapped(
    ["Date,RPE,Feel", "2014-03-01,1,1", "2014-03-02,3,5", "2014-03-03,5,2", "2014-03-04,7,"],
    [DAY, "RPE: { field: effort, scale: 1..5 -> 1..10 }", "Feel: { field: quality, scale: 5..1 -> 1..10 }"],
  );
  expect(values.map(({ ratings }) => ratings)).toEqual([
    { effort: 1, quality: 10 },
    { effort: 6, quality: 1 },
    { effort: 10, quality: 8 },
    undefined,
  ]);
  expect(issues).toMatchObject([
    { rule: "csv/bad-number", field: "RPE", found: "7", expected: "a number from 1 to 5" },
  ]);
});

test("a column says how far the row's clock is from UTC", async () => {
  const texts = ["UTC+0530", "+05:30", "GMT+1", "UTC", "-8", "\u22123:30", "+25:00", "330"];
  const { values, issues } = await readMapped(
    ["Date,Time,UTC,Notes", ...texts.map((text) => `2014-03-01,12:00,${text},with ${text}`)],
    [DAY, "Time: { field: time }", "UTC: { field: offset }", "Notes: { field: notes }"],
  );
  expect(values.map(({ start }) => start.offsetMinutes)).toEqual([330, 330, 60, 0, -480, -210, undefined, undefined]);
  expect(values[0]?.start).toEqual({
    date: "2014-03-01",
    time: "12:00:00",
    instant: Date.parse("2014-03-01T06:30:00Z"),
    offsetMinutes: 330,
  });
  expect(issues.map(({ rule, found }) => [rule, found])).toEqual([
    ["csv/unknown-zone", "+25:00"],
    ["csv/unknown-zone", "330"],
  ]);
});

test("an offset may be a number of minutes or hours, if the mapping says which", async () => {
  const offsets = async (format: string, text: string) => {
    const { values } = await readMapped(
      ["Date,Time,UTC", `2014-03-01,12:00,${text}`],
      [DAY, "Time: { field: time }", `UTC: { field: offset, format: ${format} }`],
    );
    return values[0]?.start.offsetMinutes;
  };
  expect(await offsets("minutes", "-330")).toBe(-330);
  expect(await offsets("hours", "5.5")).toBe(330);
  expect(await offsets("seconds", "3600")).toBe(60);
});

test("a column names the zone of a local time, in winter and in summer", async () => {
  const { values, issues } = await readMapped(
    ["Start,Where", "2014-01-01 12:00,Europe/Vienna", "2014-07-01 12:00,Europe/Vienna", "2014-07-02 12:00,Moon"],
    ["Start: { field: datetime }", "Where: { field: zone }"],
  );
  expect(values.map(({ start }) => start)).toEqual([
    { date: "2014-01-01", time: "12:00:00", instant: Date.parse("2014-01-01T11:00:00Z"), offsetMinutes: 60 },
    { date: "2014-07-01", time: "12:00:00", instant: Date.parse("2014-07-01T10:00:00Z"), offsetMinutes: 120 },
    { date: "2014-07-02", time: "12:00:00" },
  ]);
  expect(issues).toMatchObject([{ rule: "csv/unknown-zone", field: "Where", found: "Moon" }]);
});

test("kilometres and metres in two columns are one distance, and times in several columns one duration", async () => {
  const { values } = await readMapped(
    ["Date,km,m,Warm up,Main", "2014-03-01,10,450,10:00,35:30", "2014-03-02,8,,,40:00", "2014-03-03,,400,,"],
    [
      DAY,
      "km: { field: distance, unit: km, add: true }",
      "m: { field: distance, unit: m, add: true }",
      "Warm up: { field: duration, format: mm:ss, add: true }",
      "Main: { field: duration, format: mm:ss, add: true }",
    ],
  );
  expect(values.map(({ distance, duration }) => [distance, duration])).toEqual([
    [{ unit: "km", value: 10.45 }, 2730],
    [{ unit: "km", value: 8 }, 2400],
    [{ unit: "m", value: 400 }, undefined],
  ]);
});

test("milliseconds, moving and elapsed time and the end of a workout are its duration", async () => {
  const durations = async (column: string, cell: string) => {
    const { values } = await readMapped(
      ["Start,Is", `2014-03-01 18:00,${cell}`],
      ["Start: { field: datetime }", `Is: { ${column} }`],
    );
    return values[0]?.duration;
  };
  expect(await durations("field: duration, format: milliseconds", "2730500")).toBe(2730.5);
  expect(await durations("field: moving, format: h:mm:ss", "0:45:30")).toBe(2730);
  expect(await durations("field: elapsed, format: minutes", "45.5")).toBe(2730);
  expect(await durations("field: end", "2014-03-01 18:45")).toBe(2700);
  expect(await durations("field: end", "18:45")).toBe(2700);
  // After midnight it is the next day.
  expect(await durations("field: end", "0:15")).toBe(22_500);
});

test("a column may have other names, be missing, or count only where another is empty", async () => {
  const columns = [
    DAY,
    "Distance: { field: distance, unit: km, also: [Strecke, Dist] }",
    "HR: { field: avgHR, optional: true }",
    "Title: { field: name }",
    "Route: { field: name, otherwise: true }",
  ];
  const { values } = await readMapped(
    ["Date,Strecke,Title,Route", "2014-03-01,5,Hard,Prater", "2014-03-02,6,,Prater"],
    columns,
  );
  expect(values.map(({ distance, name }) => [distance?.value, name])).toEqual([
    [5, "Hard"],
    [6, "Prater"],
  ]);
  await expect(readMapped(["Date,Strecke,Route", "2014-03-01,5,Prater"], columns)).rejects.toThrow(
    'there is no column "Title"',
  );
});

test.each([
  [
    "RPE: { field: effort, scale: 1-5 to 1-10 }",
    'columns.RPE.scale: expected a scale like 1..5 -> 1..10, found "1-5 to 1-10"',
  ],
  [
    "RPE: { field: effort, scale: 3..3 -> 1..10 }",
    'columns.RPE.scale: expected a scale like 1..5 -> 1..10, found "3..3 -> 1..10"',
  ],
  ["HR: { field: avgHR, scale: 1..5 -> 1..10 }", "columns.HR.scale: avgHR takes no scale"],
  ["HR: { field: avgHR, add: true }", "columns.HR.add: avgHR takes no add"],
  [
    "D: { field: distance, unit: { swim: metre } }",
    'columns.D.unit: expected mi, km, m or yd, found "metre"; did you mean "m"?',
  ],
  [
    "D: { field: distance, unit: { swimming: m } }",
    'columns.D.unit.swimming: expected run, bike, swim, walk, hike, elliptical, weight, row, ski, yoga, other or default, found "swimming"; did you mean "swim"?',
  ],
  ["N: { field: unsupported, label: x, unit: { run: m } }", "columns.N.unit: expected text"],
  ["T: { field: moving }", "columns.T.format: moving needs a format"],
  ["T: { field: duration, format: mm:ss, hoursBelow: 10 }", "columns.T.hoursBelow: it goes with format: [h:mm, mm:ss]"],
  ["T: { field: lap, format: mm:ss, hoursBelow: 10 }", "columns.T.hoursBelow: lap takes no hoursBelow"],
  [
    "O: { field: offset, format: h:mm }",
    "columns.O.format: expected minutes, hours, seconds, milliseconds or day-fraction",
  ],
  ["D: { field: distance, unit: m, per: 0 }", "columns.D.per: expected a number above 0, found 0"],
  ["D: { field: distance, unit: km, otherwise: yes please }", 'columns.D.otherwise: expected true, found "yes please"'],
])("a mistake in %s names file, line and key", (column, message) => {
  expect(errorsOf(column)).toContain(`m.yaml line 5: ${message}`);
});

test("columns of splits become intervals, in the order of their numbers, by lap or by the running clock", async () => {
  const { values, issues } = await readMapped(
    [
      "Date,Split 1,Split 10,Split 2,5 km,10 km",
      "2014-03-01,4:30,4:10,4:20,,",
      "2014-03-02,,,,25:00,49:30",
      "2014-03-03,4:30,,,,x1",
    ],
    [
      DAY,
      "Split *: { field: lap, format: mm:ss, each: 1 km }",
      "5 km: { field: lap, format: mm:ss, running: true, each: 5 km }",
      "10 km: { field: lap, format: mm:ss, running: true, each: 5 km }",
    ],
  );
  const kilometre = { unit: "km", value: 1 };
  const five = { unit: "km", value: 5 };
  expect(values.map(({ intervalSet }) => intervalSet?.intervals)).toEqual([
    [
      { type: "interval", distance: kilometre, duration: 270 },
      { type: "interval", distance: kilometre, duration: 260 },
      { type: "interval", distance: kilometre, duration: 250 },
    ],
    [
      { type: "interval", distance: five, duration: 1500 },
      { type: "interval", distance: five, duration: 1470 },
    ],
    undefined,
  ]);
  expect(issues).toMatchObject([{ rule: "csv/bad-duration", field: "10 km", found: "x1" }]);
});

test("a lap without a distance of its own needs one with its unit", () => {
  expect(errorsOf("S: { field: lap, format: mm:ss, each: 400 }")).toEqual([
    "m.yaml line 5: columns.S.each: expected text, found 400",
  ]);
  expect(errorsOf("S: { field: lap, format: mm:ss, each: far }")).toEqual([
    'm.yaml line 5: columns.S.each: expected a distance with its unit, such as 1 km, found "far"',
  ]);
});

test("a number with a mark of doubt is read, and the remark names its file, row and cell", async () => {
  const { values, issues } = await readMapped(
    ["Date,km,HR,Weight", "2014-03-01,6?,150,70", "2014-03-02,~5,148?,70", "2014-03-03,ca. 7.5 km,140,~70.5 (?)"],
    [DAY, "km: { field: distance, unit: km }", "HR: { field: avgHR }", "Weight: { field: weight, unit: kg }"],
  );
  expect(values.map(({ distance }) => distance?.value)).toEqual([6, 5, 7.5]);
  expect(values.map(({ health }) => [health?.avgHR, health?.weight?.value])).toEqual([
    [150, 70],
    [148, 70],
    [140, 70.5],
  ]);
  expect(issues.map(({ rule, field, found, origin }) => [rule, field, found, origin?.entry, origin?.locator])).toEqual([
    ["csv/uncertain-number", "km", "6?", "log.csv", "line 2"],
    ["csv/uncertain-number", "km", "~5", "log.csv", "line 3"],
    ["csv/uncertain-number", "HR", "148?", "log.csv", "line 3"],
    ["csv/uncertain-number", "km", "ca. 7.5 km", "log.csv", "line 4"],
    ["csv/uncertain-number", "Weight", "~70.5 (?)", "log.csv", "line 4"],
  ]);
  expect(issues[0]?.expected).toBe("a number without a mark of doubt. 6 was read");
});

test("a column in which every number has a mark of doubt is read all the same", async () => {
  const rows = ["01,~5", "02,~6", "03,~7", "04,~8"].map((row) => `2014-03-${row}`);
  const { values } = await readMapped(["Date,km", ...rows], [DAY, "km: { field: distance, unit: km }"]);
  expect(values.map(({ distance, doubts }) => [distance?.value, doubts])).toEqual(
    [5, 6, 7, 8].map((km) => [km, undefined]),
  );
});

test("a sum in a cell says what to type, and a row with nothing else waits for it", async () => {
  const { values, issues } = await readMapped(
    ["Date,km,Time", "2014-03-01,5,0:25:00", "2014-03-02,8+4,1:00:00", "2014-03-03,8.5 + 4 + 1,"],
    [DAY, "km: { field: distance, unit: km }", "Time: { field: duration, format: h:mm:ss }"],
  );
  expect(issues.map(({ found, expected }) => [found, expected])).toContainEqual([
    "8+4",
    "a number of km: type 12, or a row for each if they are 2 workouts",
  ]);
  const doubts = values.map((each) =>
    (each.doubts ?? []).map(({ issue, about }) => [issue.rule, issue.expected, about]),
  );
  const expected = "a number of km: type 13.5, or a row for each if they are 3 workouts";
  expect(doubts).toEqual([[], [], [["csv/bad-number", expected, ["distance"]]]]);
});

test("a dash below a column of courses names none", async () => {
  const { values } = await readMapped(
    ["Date,km,Route", "2014-03-01,6,River", "2014-03-02,5,-", "2014-03-03,5,–", "2014-03-04,5,?"],
    [DAY, "km: { field: distance, unit: km }", "Route: { field: course }"],
  );
  expect(values.map(({ course }) => course === undefined)).toEqual([false, true, true, true]);
});
