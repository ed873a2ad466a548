import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

const README = 'connectors/platforms/csv/README.md, "Two columns into one"';
const TABLE = "Day,km\n1,5\n3,8\n29,7\n";

async function refusalOf(files: Record<string, string | Uint8Array>) {
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  return inferMapping(archive, entry, new Map(), "2026-03-01");
}

const sheet = (name: string, day = "Day") => ({
  name,
  rows: [
    [day, "km"],
    [1, 5],
    [3, 8],
    [29, 7],
  ],
});
const words = (template: string) =>
  `join: { Whole date: "${template}" }, dates: { order: dmy } and Whole date: { field: date }`;

test.each([
  ["a file for the month", { "Jan 2019.csv": TABLE }, 'the name of the file "Jan 2019" says the month', `${words("{Day}.1.2019")}: `],
  ["sheets that cross New Year", { "log.xlsx": packed(xlsxParts([sheet("Oct"), sheet("Mar")])) }, 'the name of the sheet "Oct" says the month', `${words("{Day}.10.YEAR")}. Each of the 2 sheets needs a mapping file of its own that names it in file.sheet: `],
])("days without a month are told with the words that make dates of them: %s", async (_, files, says, next) => {
  const { problem = "", next: then } = (await refusalOf(files)) as { problem?: string; next?: string };
  expect(problem).toMatch(/^the column "(?:Day|Tag)" has only days of a month, such as "1", and /);
  expect(problem.endsWith(says)).toBe(true);
  expect(then).toBe(`Write a mapping file by hand with ${next}${README}`);
}); // biome-ignore format: a table

test.each([
  ["2019.xlsx", ["Jan", "Mar"], {}, ["2019-01-01", "2019-01-03", "2019-01-29", "2019-03-01", "2019-03-03", "2019-03-29"]],
  ["log.xlsx", ["Dezember 2018", "Jan. 2019"], {}, ["2018-12-01", "2018-12-03", "2018-12-29", "2019-01-01", "2019-01-03", "2019-01-29"]],
  ["log 2018 copy 2019.xlsx", ["März"], { "dates.year": "2018" }, ["2018-03-01", "2018-03-03", "2018-03-29"]],
  ["log.xlsx", ["März"], { "dates.year": "2018" }, ["2018-03-01", "2018-03-03", "2018-03-29"]],
])("of %s, the sheets %j say the months", async (name, sheets, answers, days) => {
  const files = { [name]: packed(xlsxParts(sheets.map((one) => sheet(one, "Tag")))) };
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const infer = async (more: Record<string, string>) => {
    const proposal = await inferMapping(archive, entry, new Map(Object.entries({ "defaults.activity": "run", ...more })), "2026-03-01");
    if ("problem" in proposal) throw new Error(proposal.problem);
    return proposal;
  };
  const open = (await infer({})).choices.filter(isOpen).map(({ place, isUnproven }) => [place, isUnproven]);
  expect(open).toEqual("dates.year" in answers ? [["dates.year", true]] : []);
  const text = writeMapping(await infer(answers), name);
  const { readings } = await readAll(csv, memoryArchive("log", { ...files, "log.map.yaml": text }));
  expect(readings.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : []))).toEqual(days);
}); // biome-ignore format: a table

test("the total below the days of each sheet is left out", async () => {
  const month = (name: string, km: number) => ({
    name,
    rows: [["Dag", "Run km"], ...[1, 3, 29].map((day) => [day, km + day / 10]), ["I alt", 3 * km]],
  });
  const files = { "2019.xlsx": packed(xlsxParts([month("Januar", 8), month("Marts", 9)])) };
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const text = writeMapping(proposal, "2019.xlsx");
  const { readings } = await readAll(csv, memoryArchive("log", { ...files, "2019.map.yaml": text }));
  const days = readings.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : []));
  expect(days).toEqual(["01-01", "01-03", "01-29", "03-01", "03-03", "03-29"].map((day) => `2019-${day}`));
});

test("a sheet whose name says no month is refused where the mapping takes it from there", async () => {
  const mapping = "version: 1\ndates: { order: dmy, year: 2019, month: sheet }\ncolumns: { Day: { field: date }, km: { field: distance, unit: km } }\ndefaults: { activity: run }\n";
  const read = readAll(csv, memoryArchive("log", { "log.xlsx": packed(xlsxParts([sheet("Sum")])), "log.map.yaml": mapping }));
  await expect(read).rejects.toThrow('line 2: dates.month: the name of each sheet must say its month, as January or March 2014 does, but the name of the sheet "Sum" says none');
}); // biome-ignore format: a table

test("the told words make whole dates", async () => {
  const mapping = [
    'version: 1\njoin: { Whole date: "{Day}.1.2019" }\ndates: { order: dmy }',
    "columns: { Whole date: { field: date }, km: { field: distance, unit: km } }",
  ].join("\n");
  const { readings } = await readAll(
    csv,
    memoryArchive("log", { "Jan 2019.csv": TABLE, "Jan 2019.map.yaml": mapping }),
  );
  const days = readings.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : []));
  expect(days).toEqual(["2019-01-01", "2019-01-03", "2019-01-29"]);
});

test("days of which nothing says the month need whole dates", async () => {
  expect(await refusalOf({ "log.csv": TABLE })).toEqual({
    problem:
      'the column "Day" has only days of a month, such as "1", and neither the table nor its name says which month',
    next: 'Write whole dates into this column, or a title such as "January 2019" above the rows of each month, and propose again',
  });
});

const MONTHS = ["January", "February", "March", "April", "May", "June"];
const SUMS = "each number seems to be the sum of a month";
const NO_SUMS = "No workouts can be made of sums. Use a table with a row for each workout or each day";
const DAYS = "Mon,Tue,Wed,Thu,Fri,Sat,Sun";

test.each([
  ["years beside each other", `Month,2011,2012\n${MONTHS.map((month) => `${month},120,98.5\n`).join("")}`, `the columns are years (2011, 2012), and the rows are months: ${SUMS}`],
  ["months beside each other", `Jahr;${MONTHS.join(";")}\n2011;9;8;7;9;8;7\n2012;9;8;7;9;8;7\n`, `the columns are months (January, February, March), and the rows are years: ${SUMS}`],
])("a table of sums makes no workouts: %s", async (_, table, problem) => {
  expect(await refusalOf({ "log.csv": table })).toEqual({ problem, next: NO_SUMS });
}); // biome-ignore format: a table

test.each([
  ["with the year above the days", "2013,Jan,Feb,Mar", "Jan, Feb, Mar"],
  ["with the year beside each month", "Tag,Januar 2013,Februar 2013,März 2013", "Januar 2013, Februar 2013, März 2013"],
])("a day a row and a month a column is told so, %s", async (_, header, months) => {
  const rows = Array.from(
    { length: 31 },
    (_, index) => `${index + 1},${index % 2 ? "" : 8.5},${index % 3 ? 10.2 : ""},7\n`,
  );
  expect(await refusalOf({ "log.csv": `${header}\n${rows.join("")}Total,136,214,217\n` })).toEqual({
    problem: `the columns are months (${months}), and the rows are their days`,
    next: "Make a row of each workout: a column with its whole date, such as 2013-02-14, and a column with its distance. Then propose again",
  });
});

test("weeks whose first day stands in a title are told so", async () => {
  const weeks = ["Week of 12 March", "Week of 19 March"].map((title) => `${title},,,,,,\n${DAYS}\n5,6,,8,,10,12\n`);
  expect(await refusalOf({ "log.csv": weeks.join("") })).toEqual({
    problem: `a row seems to be a week, with a column for each day (${DAYS.replaceAll(",", ", ")}), and the day on which a week begins stands in a title, such as "Week of 12 March"`,
    next: 'Put that day, with its year, into a column of its own before "Mon". Then propose again',
  });
});
