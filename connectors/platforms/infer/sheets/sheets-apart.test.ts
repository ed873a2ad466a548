import { expect } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { longTest, test } from "../../../../test/support/tier-tests.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

type Rows = MadeSheet["rows"];

/** Proposes a mapping for a workbook with a sheet a year. */
async function infer(sheets: Readonly<Record<string, Rows>>, answers: Record<string, string> = {}) {
  const made = Object.entries(sheets).map(([name, rows]) => ({ name, rows }));
  const archive = memoryArchive("log", { "running.xlsx": packed(xlsxParts(made)) });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const find = (place: string) => proposal.choices.find((choice) => choice.place === place);
  return { ...proposal, find, text: writeMapping(proposal, "running.xlsx") };
}

const DAY_FIRST: Rows = [
  ["Date", "km", "Time"],
  ...["1/3/2014", "13/3/2014", "20/3/2014", "28/3/2014"].map((day) => [day, 10, "52:10"]),
];

/** Every day is up to the 12th. The rows are in their order only with the month first. */
const MONTH_FIRST: Rows = [
  ["Date", "km", "Time"],
  ...["1/2/2015", "1/7/2015", "1/11/2015", "2/2/2015", "2/6/2015", "3/1/2015", "3/9/2015"].map((day) => [
    day,
    10,
    "52:10",
  ]),
];

test("a sheet whose dates have the month first is a question beside one with the day first", async () => {
  const { find, text, rows, sheets } = await infer({ 2014: DAY_FIRST, 2015: MONTH_FIRST });
  const choice = find("file.sheet");
  expect(choice && isOpen(choice)).toBe(true);
  expect(choice?.options?.map(({ value }) => value)).toEqual(["[2014]", "[2015]", "all"]);
  expect(choice?.why).toBe(
    'the sheet "2015" has dates.order mdy and not dmy. One mapping reads all its sheets in one way: save the others as a workbook of their own',
  );
  expect([rows, sheets]).toEqual([11, 2]);
  expect(text).toContain("logferry proposed it from 11 rows in 2 sheets.");
  expect(text).toContain("  sheets: ASK  # CHECK: [2014]");
});

test("an answer says which of the sheets are read, and only these are looked at", async () => {
  const second = await infer({ 2014: DAY_FIRST, 2015: MONTH_FIRST }, { "file.sheet": "[2015]" });
  expect(second.draft.file).toEqual({ sheet: "2015" });
  expect([second.draft.order, second.rows]).toEqual(["mdy", 7]);
  const both = await infer({ 2014: DAY_FIRST, 2015: MONTH_FIRST }, { "file.sheet": "all" });
  expect(both.draft.file).toEqual({ sheets: ["2014", "2015"] });
  expect([both.draft.order, both.choices.filter(isOpen)]).toEqual(["dmy", []]);
});

test("sheets with the same columns in another order are one log", async () => {
  const turned: Rows = [["km", "Time", "Date"], ...[14, 15, 21].map((day) => [10, "52:10", `${day}/3/2015`])];
  const { draft, choices } = await infer({ 2014: DAY_FIRST, 2015: turned });
  expect(draft.file).toEqual({ sheets: "all" });
  expect(choices.filter(isOpen).map(({ place }) => place)).not.toContain("file.sheet");
});

test("a sheet with minutes and seconds is a question beside one with hours and minutes", async () => {
  const log = (year: number, times: readonly string[]): Rows => [
    ["Date", "km", "Time"],
    ...times.map((time, at) => [`${year}-05-0${at + 1}`, 10 + at, time]),
  ];
  const { find } = await infer({
    2014: log(2014, ["52:10", "57:20", "59:30", "58:40"]),
    2015: log(2015, ["0:52", "0:57", "1:02", "1:07"]),
  });
  expect(find("file.sheet")?.why).toMatch(/^the sheet "2015" has columns\.Time\.format h:mm and not mm:ss\./);
});

/** Runs of so many minutes for each of a unit that the header doesn't name. */
const runs = (year: number, distances: readonly number[], minutes: number): Rows => [
  ["Date", "Distance", "Time"],
  ...distances.map((distance, at) => [`${year}-05-${10 + at}`, distance, `0:${distance * minutes}:00`]),
];

test("a sheet that is rather in miles is a question beside one rather in kilometres, until a person says which are read", async () => {
  const book = {
    2014: runs(2014, [5, 6, 7, 8, 9, 10, 11, 5, 6, 7], 5),
    2015: runs(2015, [3, 4, 5, 6, 7, 3, 4, 5, 6, 7], 8),
  };
  for (const said of [{}, { "columns.Distance.unit": "km" }]) {
    const choice = (await infer(book, said)).find("file.sheet");
    expect(choice?.why).toMatch(/^the sheet "2015" has columns\.Distance\.unit rather mi than km\./);
    expect(choice && isOpen(choice)).toBe(true);
  }
  const same = await infer({ 2014: book[2014], 2015: runs(2015, [6, 7, 8, 9, 10, 11, 5, 6, 7, 8], 5) });
  expect(same.find("file.sheet")).toMatchObject({ value: "all" });
});

test("sheets that can be read together are read together, also when only one has runs above an hour", async () => {
  const short: Rows = [
    ["Date", "km", "Time"],
    ["2014-05-01", 10, "52:10"],
    ["2014-05-02", 8, "41:30"],
  ];
  const long: Rows = [
    ["Date", "km", "Time"],
    ["2015-05-01", 20, "1:45:10"],
    ["2015-05-02", 8, "41:30"],
  ];
  const { find, draft, rows } = await infer({ 2014: short, 2015: long });
  expect(find("file.sheet")).toMatchObject({ value: "all", why: "2 sheets have the same columns: 2014, 2015" });
  expect(draft.columns.get("Time")).toMatchObject({ format: ["h:mm:ss", "mm:ss"] });
  expect(rows).toBe(4);
});

test("a sheet whose dates fit both orders is read like the others, and the evidence names it", async () => {
  const { find } = await infer({
    2014: DAY_FIRST,
    2015: [
      ["Date", "km", "Time"],
      ["1/2/2015", 10, "52:10"],
      ["5/2/2015", 11, "57:10"],
    ],
  });
  expect(find("dates.order")).toMatchObject({
    value: "dmy",
    why: '6 of 6 dates can be read so, 3 in another order. The sheet "2015" fits both orders, and is read like the others',
  });
  const { find: both } = await infer({ 2014: DAY_FIRST, 2015: DAY_FIRST });
  expect(both("dates.order")?.why).not.toContain("fits both orders");
});

/** The same days with distances that no other such sheet has. */
const kmFrom = (at: number): Rows => [
  ["Date", "km", "Time"],
  ...["1/3/2014", "13/3/2014", "20/3/2014", "28/3/2014"].map((day) => [day, 10 + at / 1000, "52:10"]),
];

longTest("of 300 sheets, the evidence names the first ten and says how many more there are", async () => {
  const sheets = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Week ${at + 1}`, kmFrom(at)]));
  const { find } = await infer(sheets);
  expect(find("file.sheet")?.why).toBe(
    "300 sheets have the same columns: Week 1, Week 2, Week 3, Week 4, Week 5, Week 6, Week 7, Week 8, Week 9, Week 10 and 290 more",
  );
});

/** Runs on these days of March. */
const runsOn = (...days: readonly number[]): Rows => [
  ["Date", "km", "Time"],
  ...days.map((day) => [`2014-03-${day}`, 10, "0:52:10"]),
];

test("sheets with the names of people and workouts of the same weeks are a question without a usual answer", async () => {
  const sheets = { Anna: runsOn(11, 14, 18, 21), "Ben Oliver": runsOn(12, 15, 19, 22) };
  const { find, draft } = await infer(sheets);
  const choice = find("file.sheet");
  expect(choice?.options?.map(({ value }) => value)).toEqual(["[Anna]", "[Ben Oliver]", "all"]);
  expect([choice?.isUnproven, choice?.why]).toEqual([true, expect.stringContaining('"Anna" and "Ben Oliver"')]);
  expect(draft.file).toMatchObject({ sheets: "all" });
  const { find: found } = await infer(sheets, { "file.sheet": "[Ben Oliver]" });
  expect(found("file.sheet")).toMatchObject({ value: "[Ben Oliver]", why: "your answer" });
});

test.each([
  ["names whose workouts follow each other", { Anna: runsOn(11, 14, 18, 21), Ben: runsOn(22, 24, 26, 28) }],
  ["surfaces", { Road: runsOn(11, 14, 18, 21), Trail: runsOn(12, 15, 19, 22) }],
  ["years", { 2014: runsOn(11, 14, 18, 21), "2014 b": runsOn(12, 15, 19, 22) }],
])("sheets of %s are read together", async (_, sheets) => {
  expect((await infer(sheets)).find("file.sheet")).toEqual(
    expect.objectContaining({ value: "all", why: expect.stringContaining("same columns") }),
  );
});

test("the names of sheets say their units, and sheets of two units are a question", async () => {
  const log = (year: number): Rows => [
    ["Date", "Distance", "Time"],
    ...[8, 10, 7, 9].map((far, at) => [`${year}-05-0${at + 1}`, far, `0:5${at}:00`]),
  ];
  const both = { "2016 (miles)": log(2016), "2017 (km)": log(2017) };
  const { find } = await infer(both);
  expect(find("file.sheet")?.why).toContain('the sheet "2017 (km)" has columns.Distance.unit km and not mi');
  const one = await infer(both, { "file.sheet": "2016 (miles)" });
  expect(one.find("columns.Distance.unit")).toMatchObject({ value: "mi", why: "the name of the sheet says so" });
  const alike = await infer({ "2016 miles": log(2016), "2017 miles": log(2017) });
  expect(alike.find("columns.Distance.unit")).toMatchObject({ value: "mi", why: "the names of the sheets say so" });
});
