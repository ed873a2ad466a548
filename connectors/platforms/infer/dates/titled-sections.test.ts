import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The days of the workouts that a table gives with the mapping that is proposed for it, or why there is none. */
async function daysOf(lines: readonly string[], name = "log.csv") {
  const table = `${lines.join("\n")}\n`;
  const archive = memoryArchive("log", { [name]: table });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
  if ("problem" in proposal) return [proposal.problem, proposal.next];
  expect(proposal.choices.filter(isOpen)).toEqual([]);
  const mapped = memoryArchive("log", { [name]: table, "log.map.yaml": writeMapping(proposal, name) });
  const { readings, issues } = await readAll(csv, mapped);
  expect(issues).toEqual([]);
  return readings.map((reading) => (reading.kind === "workout" ? reading.value.start.date : reading.kind));
}

const DAYS = ["2019-03-03", "2019-03-05", "2019-04-02", "2019-04-04"];
const RUNS = ["10,50:10", "8,41:00", "12,1:01:00", "6,30:00"];
const rows = (...days: readonly string[]) => days.map((day, row) => `${day},${RUNS[row]}`);
/** Two sections below a header: the rows of March, and those of April. */
const sections = (header: string, [march, april]: readonly [string, string], days: readonly string[]) => {
  const [a = "", b = "", c = "", d = ""] = rows(...days);
  return [header, march, a, b, april, c, d];
};
const TITLES = ["March 2019,,", "April 2019,,"] as const;

test.each([
  ["days", sections("Day,km,Time", TITLES, ["3", "5", "2", "4"])],
  ["days with a dot", sections("Tag,km,Zeit", ["März 2019,,", "April 2019,,"], ["3.", "5.", "2.", "4."])],
  ["weekdays before them", sections("Day,km,Time", TITLES, ["Sun 3", "Tue 5", "Tue 2", "Thu 4"])],
  ["days and months", sections("Date,km,Time", TITLES, ["3 Mar", "5 Mar", "2 Apr", "4 Apr"])],
  ["a year before the months", ["Day,km,Time", "2019,,", ...sections("March,,", ["", ""], []).slice(0, 1), ...rows("3", "5"), "April,,", "2,12,1:01:00", "4,6,30:00"]],
  ["a title with the year above the months", ["My training 2019,,", "March,,", "Day,km,Time", ...rows("3", "5"), "April,,", "Day,km,Time", "2,12,1:01:00", "4,6,30:00"]],
  ["a title of the whole sheet above the first month", ["My training,,", "by Max,,", ",,", "March 2019,,", "Day,km,Time", ...rows("3", "5"), "April 2019,,", "Day,km,Time", "2,12,1:01:00", "4,6,30:00"]],
  ["a title above the header", ["March 2019,,", "Day,km,Time", ...rows("3", "5"), "April 2019,,", "Day,km,Time", "2,12,1:01:00", "4,6,30:00"]],
])("months in titles say the rest of the dates below them: %s", async (_, lines) => {
  expect(await daysOf(lines)).toEqual(DAYS);
}); // biome-ignore format: a table

test("a single title above a single month", async () => {
  expect(await daysOf(["March 2019,,", "Day,km,Time", ...rows("3", "5", "9")])).toEqual([
    ...DAYS.slice(0, 2),
    "2019-03-09",
  ]);
});

test("years in titles say the years of days and months below them", async () => {
  expect(await daysOf(sections("Date,km,Time", ["2019,,", "2020,,"], ["3/3", "25/3", "2/4", "14/4"]))).toEqual([
    ...["2019-03-03", "2019-03-25", "2020-04-02", "2020-04-14"],
  ]);
});

test.each([
  ["up", ["December", "January"]],
  ["down", ["January", "December"]],
])("months that go past New Year below one year are refused: %s", async (_, months) => {
  const [first = "", second = ""] = months;
  const lines = ["My training 2019,,", `${first},,`, "Day,km,Time", ...rows("3", "5"), `${second},,`, "2,12,1:01:00"];
  const [, next] = await daysOf([...lines, "4,6,30:00", "5,6,30:00"]);
  expect(next).toBe(
    `Write the year into the first title of each year, such as ${JSON.stringify(`${second} 2019`)}, and propose again`,
  );
});

test("titles without a year are refused with what to write", async () => {
  expect(await daysOf(sections("Day,km,Time", ["March,,", "April,,"], ["3", "5", "2", "4"]))).toEqual([
    'no column has whole dates, and the titles among the rows, such as "March", say no year',
    'Write the year into the first title of each year, such as "March 2019", and propose again',
  ]);
});

test("a remark with the name of a month makes no title", async () => {
  const lines = sections("Day,km,Time", TITLES, ["3", "5", "2", "4"]).toSpliced(3, 0, "May be injured,,");
  expect(await daysOf(lines)).toEqual([
    'no column has whole dates, and 3 titles stand among the rows, such as "March 2019": they seem to say the year or the month',
    'Write one by hand with layout: { sections: true }: connectors/platforms/csv/README.md, "Sections"',
  ]);
});

test("another header past the rows that a proposal rests on is refused as well", async () => {
  const run = "2019-03-03,10,50:10";
  const lines = ["Date,Dist (km),Time", ...Array.from({ length: 20_010 }, () => run), "Date,Dist (mi),Time", run];
  const [problem] = await daysOf(lines);
  expect(problem).toMatch(/^row 20012 is another header: "Dist \(mi\)" where the first has "Dist \(km\)"\./);
});
