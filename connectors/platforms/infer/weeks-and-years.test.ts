/** Tables with a week a row, and tables whose dates have no year: what is decided, what is asked, and the workouts that come of it. */
import { describe, expect, test } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

const RUN = { "defaults.activity": "run" };

/** The questions about a table with their first answers, and the workouts that the proposal gives once they are answered. */
async function proposed(table: string, answers: Record<string, string> = RUN, name = "log.csv") {
  const archive = memoryArchive("log", { [name]: table });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(`${proposal.problem}. ${proposal.next}`);
  const open = proposal.choices.filter(isOpen);
  const mapping = writeMapping(proposal, name);
  const files = { [name]: table, [`${name}.map.yaml`]: mapping };
  const { readings } = open.length > 0 ? { readings: [] } : await readAll(csv, memoryArchive("log", files));
  return {
    mapping,
    open: Object.fromEntries(open.map(({ place, options }) => [place, options.map(({ value }) => value)])),
    why: (place: string) => proposal.choices.find((choice) => choice.place === place)?.why,
    rejected: readings.filter((one) => one.kind === "set-aside" && one.as !== "skipped").length,
    workouts: readings.flatMap((one) => {
      if (one.kind !== "workout") return [];
      const { start, distance, duration, notes } = one.value;
      return [
        [start.date, distance?.value, distance?.unit, duration, notes].filter((each) => each !== undefined).join(" "),
      ];
    }),
  };
}

const DAYS = "Mon,Tue,Wed,Thu,Fri,Sat,Sun";

describe("a week a row", () => {
  test("each day is a workout, the total says the unit, and a day off is none", async () => {
    const table = `Week of,${DAYS},Total miles\n2014-01-06,5,,8.5,off,,,15,28.5\n2014-01-13,6,x,,,,3,,9\n`;
    const { open, workouts, rejected, mapping } = await proposed(table);
    expect(open).toEqual({});
    expect(rejected).toBe(0);
    expect(workouts).toEqual(["2014-01-06 5 mi", "2014-01-08 8.5 mi", "2014-01-12 15 mi", "2014-01-13 6 mi", "2014-01-18 3 mi"]);
    expect(mapping).toContain("\n    Miles: [Mon, Tue, Wed, Thu, Fri, Sat, Sun]\n  weekDate: first");
  }); // biome-ignore format: a table

  test.each([
    ["the last day, as its weekday shows", `Week,${DAYS}\n2014-01-12,5,,,,,,15\n2014-01-19,6,,,,,,\n`],
    ["the first of two possible ones", "Week of,Sun,Mon,Tue,Wed,Thu,Fri,Sat\n2014-01-05,,5,,,,,\n2014-01-12,15,6,,,,,\n"],
    ["without columns for the weekend, and a Sunday between", "Week ending,Mon,Tue,Wed,Thu,Fri\n2014-01-12,5,,,,\n2014-01-19,6,,,,\n"],
  ])("the date is %s", async (_, table) => {
    const answers = { ...RUN, "columns.Measured.field": "distance", "columns.Measured.unit": "km" };
    const { open, workouts } = await proposed(table, answers);
    expect(open).toEqual({});
    expect(workouts).toContain("2014-01-06 5 km");
    expect(workouts).toContain("2014-01-13 6 km");
  }); // biome-ignore format: a table

  test("a Sunday between two weeks without a weekend may be the first day or the last one, so it is a question", async () => {
    const table = "Date,Mon,Tue,Wed,Thu,Fri\n2014-01-12,5,,,,\n2014-01-19,6,,,,\n";
    const answers = { ...RUN, "columns.Measured.field": "distance", "columns.Measured.unit": "km" };
    expect((await proposed(table, answers)).open).toEqual({ "layout.weekDate": ["first", "last"] });
    const { workouts } = await proposed(table, { ...answers, "layout.weekDate": "last" });
    expect(workouts).toEqual(["2014-01-06 5 km", "2014-01-13 6 km"]);
  });

  test.each([
    [
      "numbers in the place of dates",
      "KW,Mo km,Mo Zeit,Mi km,Mi Zeit,Sa km,Sa Zeit\n1,10.4,0:55:28,8.2,0:44:10,,\n2,9.1,0:50:00,,,15.5,1:21:10\n",
      'a row seems to be a week with columns for its days, and the column "KW" has the number of the week, which is no date',
      'Write the date of the first day of each week, with its year, in the place of the number in "KW"',
    ],
    [
      "numbers in the place of dates, and columns for all days",
      `KW,${DAYS.split(",")
        .map((day) => `${day} km`)
        .join(",")}\n1,5,,8,,6,,15\n2,5,,8,,6,,15\n`,
      'a row seems to be a week with columns for its days, and the column "KW" has the number of the week, which is no date',
      "=DATE(2018,1,4)-WEEKDAY(DATE(2018,1,4),3)+7*(12-1)",
    ],
    [
      "numbers of weeks beside weekdays",
      "KW;Tag;km;Zeit\n1;Mo;10,4;0:55:28\n1;Mi;8,2;0:44:10\n2;Sa;15,5;1:21:10\n",
      'each row seems to be a day, whose week has its number in the column "KW" and whose weekday stands in the column "Tag"',
      "Add a column Date with the day of each row, with its year",
    ],
    [
      "a row of distances and one of times",
      `Week,What,${DAYS}\n2018-01-01,km,10.4,,8.2,,,15.5,\n,time,0:55:28,,0:44:10,,,1:21:10,\n2018-01-08,km,9.1,,,,,16.5,\n,time,0:50:00,,,,,1:25:10,\n`,
      'a week seems to have a row for each kind of value: the column "What" says "km" or "time"',
      'Write each week into one row, with columns such as "Mon km", "Mon time", "Tue km"',
    ],
  ])("%s are called so, with what a person can do", async (_, table, problem, next) => {
    const refused = await proposed(table).catch(({ message }: Error) => message);
    expect(refused).toContain(problem);
    expect(refused).toContain(next);
  });

  test("the weeks are read once they are written as those answers say", async () => {
    const table =
      "Week of,Mon km,Mon time,Tue km,Tue time,Wed km,Wed time,Thu km,Thu time,Fri km,Fri time\n2018-01-01,10.4,0:55:28,,,8.2,0:44:10,,,,\n2018-01-08,9.1,0:50:00,,,,,,,,\n";
    const { workouts } = await proposed(table);
    expect(workouts).toEqual(["2018-01-01 10.4 km 3328", "2018-01-03 8.2 km 2650", "2018-01-08 9.1 km 3000"]);
  });

  test("a total called Tot mi is no Mittwoch", async () => {
    const table = "Wk beg,Mo,Tu,We,Th,Fr,Sa,Su,Tot mi\n2014-03-10,,3,,,6.5,,5,14.5\n2014-03-17,4,,,,,,7,11\n";
    const { open, workouts } = await proposed(table);
    expect(open).toEqual({});
    expect(workouts).toEqual(["2014-03-11 3 mi", "2014-03-14 6.5 mi", "2014-03-16 5 mi", "2014-03-17 4 mi", "2014-03-23 7 mi"]);
  }); // biome-ignore format: a table

  test("values without a unit are asked about: distances or minutes", async () => {
    const { open } = await proposed(`Week of,${DAYS}\n2014-01-06,5,,8,,,,15\n`);
    expect(Object.keys(open)).toEqual(["columns.Measured.field"]);
  });

  test("several columns a day, with the first day of each week in the order that the weekdays allow", async () => {
    const table = [
      "Week of,Mon km,Mon time,Tue km,Tue time,Wed km,Wed time,Thu km,Thu time,Fri km,Fri time,Notes",
      ...["06/01/2014,5,25:00,,,8,40:30,,,,,", "07/04/2014,6,30:10,,,,,,,10,52:00,tired", "02/06/2014,7,35:00,,,,,,,,,"],
    ].join("\n"); // biome-ignore format: a table
    const { open, workouts, why } = await proposed(`${table}\n`);
    expect(open).toEqual({});
    expect(why("dates.order")).toBe("3 of 3 dates are a Monday so, 1 of 3 are one weekday in another order");
    expect(workouts).toEqual(["2014-01-06 5 km 1500", "2014-01-08 8 km 2430", "2014-04-07 6 km 1810 tired", "2014-04-11 10 km 3120 tired", "2014-06-02 7 km 2100"]);
  }); // biome-ignore format: a table

  test("without years, only the years in which each date begins or ends a week are offered", async () => {
    const table = "Woche ab;Mo;Di;Mi;Do;Fr;Sa;So;Summe km\n06.01.;5;;8;frei;;;15;28\n13.01.;6,2;;;;;;;6,2\n";
    const { open } = await proposed(table);
    expect(open).toEqual({ "dates.year": ["2025", "2020", "2019", "2014", "2013", "2008", "2003", "2002", "1997", "1992", "1991"] });
    const { workouts } = await proposed(table, { ...RUN, "dates.year": "2014" });
    expect(workouts).toEqual(["2014-01-06 5 km", "2014-01-08 8 km", "2014-01-12 15 km", "2014-01-13 6.2 km"]);
  }); // biome-ignore format: a table
});

test("a column of units says the unit of each row", async () => {
  const table = "Date,Distance,Unit,Time\n2014-03-14,10.5,km,52:10\n2014-03-16,5,mi,41:30\n";
  const { open, workouts, mapping } = await proposed(table);
  expect(open).toEqual({});
  expect(workouts).toEqual(["2014-03-14 10.5 km 3130", "2014-03-16 5 mi 2490"]);
  expect(mapping).toContain("  Distance: { field: distance, unitColumn: Unit }");
});

test("a table in which nothing is measured gets a mapping file that can be read", async () => {
  const { workouts } = await proposed("Date,What\n2014-03-14,easy\n2014-03-16,hard\n2014-03-18,rest\n", {});
  expect(workouts).toEqual(["2014-03-14", "2014-03-16"]);
});

describe("dates without a year", () => {
  const UP = "28.12.,12\n30.12.,9\n2.1.,20\n";
  const DOWN = "2.1.,20\n30.12.,9\n28.12.,12\n";
  const OF_2013 = ["2013-12-28 12 km", "2013-12-30 9 km", "2014-01-02 20 km"];

  test.each([
    ["the title says it", "log.csv", "Year 2014\nDate,Km\n02/01,12\n13/01,20\n", ["2014-01-02 12 km", "2014-01-13 20 km"]],
    ["the name of the file says it", "running 2014.csv", "Km,Date\n5.5,3/13\n6.5,3/14\n", ["2014-03-13 5.5 km", "2014-03-14 6.5 km"]],
    ["a season over New Year", "log.csv", `Season 2013/14\nDate,Km\n${UP}`, OF_2013],
    ["a season, the newest row first", "log.csv", `2013-2014\nDate,Km\n${DOWN}`, OF_2013.toReversed()],
    ["names of months behind the day", "log 2018-19.csv", "Date,Km\n28 Nov,12\n2 Jan,10\n", ["2018-11-28 12 km", "2019-01-02 10 km"]],
    ["names of months before the day", "log.csv", "2014\nDate,Km\nFeb 3,12\nMar 28,10\n", ["2014-02-03 12 km", "2014-03-28 10 km"]],
    ["weekdays that fit only one of two years", "log.csv", "Log 2014\nDay,Date,Km\nSa,28.12.,12\nMo,30.12.,9\nDo,2.1.,20\nFr,3.1.,8\nSa,4.1.,9\n", [...OF_2013, "2014-01-03 8 km", "2014-01-04 9 km"]],
  ])("%s", async (_, name, table, workouts) => {
    const proposal = await proposed(table, RUN, name);
    expect(proposal.open).toEqual({});
    expect(proposal.workouts).toEqual(workouts);
  }); // biome-ignore format: a table

  test.each([
    ["one year in the title, and rows of two years", `Log 2013\nDate,Km\n${UP}`, ["2013", "2012"]],
    ["the same, the newest row first", `Log 2013\nDate,Km\n${DOWN}`, ["2013", "2014"]],
    ["a season that the rows don't cross", "2013/14\nDate,Km\n03.10.,10\n25.11.,8\n", ["2013", "2014"]],
    ["weekdays", `Day,Date,Km\nSa,28.12.,12\nMo,30.12.,9\nDo,2.1.,20\nFr,3.1.,8\nSa,4.1.,9\n`, ["2024", "2019", "2013", "2002", "1996", "1991"]],
  ])("%s leave several years, so it is a question", async (_, table, years) => {
    expect((await proposed(table)).open).toEqual({ "dates.year": years });
  }); // biome-ignore format: a table

  test("where nothing says the year, any year can be answered", async () => {
    const { open } = await proposed(`Date,Km\n${UP}`);
    expect(open["dates.year"]?.slice(0, 2)).toEqual(["2025", "2024"]);
    const { workouts, mapping } = await proposed(`Date,Km\n${UP}`, { ...RUN, "dates.year": "1998" });
    expect(workouts).toEqual(["1998-12-28 12 km", "1998-12-30 9 km", "1999-01-02 20 km"]);
    expect(mapping).toContain("\n  year: 1998  # 1998: your answer\n  newYear: up  #");
  });

  test("several sheets need a proposal each", async () => {
    const sheet = (name: string) => ({ name, rows: [["Date", "Km"], ["3 Mar", 5], ["5 Mar", 8]] }); // biome-ignore format: a table
    const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts([sheet("2013"), sheet("2014")])) });
    const [entry] = archive.entries();
    if (entry === undefined) throw new Error("no table");
    expect(await inferMapping(archive, entry, new Map(), "2026-03-01")).toEqual({
      problem: 'the dates in the column "Date" have no year, such as "3 Mar", and each sheet may be of another year',
      next: "Propose for one sheet at a time, as in --sheet 2013 with --out, and name the year of each",
    });
  });
});
