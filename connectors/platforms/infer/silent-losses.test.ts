import { describe, expect, test } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The questions of a table without any. */
const NONE: Readonly<Record<string, readonly string[]>> = {};

const textOf = (lines: readonly string[]) => ({ "log.csv": `${lines.join("\n")}\n` });

/** The proposal for a table of these lines: its questions with their answers, its columns, and the reason of a refusal. */
const infer = (lines: readonly string[], answers: Record<string, string> = {}) => inferFile(textOf(lines), answers);

/** The same for a workbook with the rows of these sheets. */
function inferBook(sheets: Readonly<Record<string, MadeSheet["rows"]>>, answers: Record<string, string> = {}) {
  const made = Object.entries(sheets).map(([name, rows]) => ({ name, rows }));
  return inferFile({ "log.xlsx": packed(xlsxParts(made)) }, answers);
}

async function inferFile(files: Readonly<Record<string, string | Uint8Array>>, answers: Record<string, string>) {
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await inferMapping(archive, entry, told, "2026-03-01");
  if ("problem" in proposal)
    return { refused: `${proposal.problem}. ${proposal.next}`, open: NONE, columns: {}, why: () => "", text: "" };
  const { choices, draft } = proposal;
  const open: typeof NONE = Object.fromEntries(
    choices.filter(isOpen).map(({ place, options }) => [place, options.map(({ value }) => value)]),
  );
  return {
    open,
    ...{ refused: undefined, columns: Object.fromEntries(draft.columns), text: writeMapping(proposal, entry.path) },
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
  };
} // biome-ignore format: a helper

/** The workouts that come of a table with the proposal for it, and the rules of the rows that wait. */
async function load(lines: readonly string[], answers: Record<string, string> = {}) {
  const { text } = await infer(lines, answers);
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": text });
  const { readings } = await readAll(csv, archive);
  return {
    workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])),
    waiting: readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading.issue.rule] : [])),
  };
}

/** Rows with a date each, from 10 March 2024. */
const dated = (rows: readonly string[]) => rows.map((row, at) => `2024-03-${String(at + 10)},${row}`);

describe("rows with more cells than the header", () => {
  test.each([
    ["Date,km,Time", ["8,3,0:37:43", "10,2,0:54:25", "10,0:58:25"], "2 of 3 rows", "A comma within a number"],
    ["Date,Time,km", ["0:37:43,8,3", "0:54:25,10,2", "0:58:25,10"], "2 of 3 rows", "A comma within a number"],
    ["Date,km,Time", ["8,0:37:43,sunny", "9,0:54:25,", "9,0:58:25,"], "1 of 3 rows", "the last column has no header"],
  ])("below %s are refused with the way on", async (header, rows, count, why) => {
    const { refused } = await infer([header, ...dated(rows)]);
    expect(refused).toContain(`${count} have more cells than the header, such as line 2`);
    expect(refused).toContain(why);
    expect(refused).toContain("Save it once more with a semicolon");
  });

  test("are told of where they are few, and wait instead of losing a cell", async () => {
    const rows = [...Array.from({ length: 19 }, () => "8.3,0:37:43"), "8,3,0:37:43"];
    const lines = ["Date,km,Time", ...dated(rows)];
    expect((await infer(lines)).why("file.delimiter")).toContain("1 of 20 rows have more cells than the header");
    const { workouts, waiting } = await load(lines);
    expect([workouts.length, waiting]).toEqual([19, ["csv/extra-cells"]]);
  });
});

describe("sheets of one workbook", () => {
  /** Runs of a month from the first to the last day, so that two sheets may have some in common. */
  const runs = (first: number, last: number): MadeSheet["rows"] => [
    ["Date", "km", "Time"],
    ...Array.from({ length: last - first + 1 }, (_, at) => [
      `2024-03-${String(first + at).padStart(2, "0")}`,
      8 + (first + at) / 10,
      `0:4${(first + at) % 10}:00`,
    ]),
  ];

  test.each([
    [{ All: runs(1, 20), 2021: runs(1, 10), 2022: runs(11, 20) }, ["[All]", "[2021, 2022]", "all"]],
    [{ Runs: runs(1, 10), "Runs (2)": runs(1, 10) }, ["[Runs]", "[Runs (2)]", "all"]],
    [{ All: runs(1, 10), Best: runs(4, 6), Other: runs(20, 26) }, ["[All, Other]", "[Best]", "all"]],
    [{ "Soll 2021": runs(1, 10), "Ist 2021": runs(2, 11) }, ["[Ist 2021]", "[Soll 2021]", "all"]],
    [{ Example: runs(1, 3), 2021: runs(5, 11) }, ["[2021]", "[Example]", "all"]],
    [{ 2021: runs(1, 10), 2022: runs(11, 20) }, undefined],
    // Two equal workouts may happen.
    [{ 2021: runs(1, 10), 2022: runs(9, 20) }, undefined],
  ])("%j are asked about where they repeat workouts or are a plan", async (sheets, options) => {
    expect((await inferBook(sheets)).open["file.sheet"]).toEqual(options);
  });

  test("that overlap are refused, until a person says that the rows are workouts", async () => {
    const sheets = { 2021: runs(1, 10), 2022: runs(6, 20) };
    const { refused } = await inferBook(sheets);
    expect(refused).toContain("5 workouts stand in more than one sheet, such as that of 2024-03-06");
    const told = await inferBook(sheets, { "rows.repeated": "workouts" });
    expect([told.refused, told.open]).toEqual([undefined, {}]);
    expect((await inferBook(sheets, { "file.sheet": "[2022]" })).refused).toBeUndefined();
  });

  test("with equal runs are those of two athletes where their names are", async () => {
    expect((await inferBook({ Anna: runs(1, 10), Ben: runs(6, 20) })).open["file.sheet"]).toEqual(["[Anna]", "[Ben]", "all"]);
  });
}); // biome-ignore format: a table

describe("a column of distances or durations", () => {
  test.each([
    [
      "Date,Distance (m),Temps",
      ["3 250,1:02:56", "2 950,0:56:55", "1\u202f400,0:26:51"],
      "distance",
      [3250, 2950, 1400],
    ],
    ["Date,Metri,Tempo", ["3250,1:02:56", "2950,0:56:55", "1400,0:26:51"], "distance", [3250, 2950, 1400]],
    ["Date,メートル,分", ["3250,62", "2950,56", "1400,26"], "distance", [3250, 2950, 1400]],
    [
      "Date,Distancia,Tiempo",
      ["8.0 km,47 minutos", "11.3 km,1 hora y 3 minutos", "16.4 km,1 hora y 18 minutos"],
      "duration",
      [2820, 3780, 4680],
    ],
    ["Date,km,Time", ["8.0,0:47 h", "11.3,1:03 h", "16.4,1:18 h"], "duration", [2820, 3780, 4680]],
  ])("below %s with %j is read", async (header, rows, field, values) => {
    const { workouts } = await load([header, ...dated(rows)], {
      "defaults.activity": field === "distance" ? "swim" : "run",
    });
    expect(workouts.map(({ distance, duration }) => (field === "distance" ? distance?.value : duration))).toEqual(
      values,
    );
  });

  test.each([
    ["Date,Distance,Duration", ["km 8.0,0:47:00", "km 11.3,1:03:00", "km 16.4,1:18:00"], "Distance", "8.0 km"],
    ["Date,km,Time", ["8.0,0-47-00", "9.3,0-53-00", "9.4,0-58-00"], "Time", "0:47:00"],
  ])("below %s with %j is a question, and not silently a note", async (header, rows, name, written) => {
    const { open, why } = await infer([header, ...dated(rows)]);
    expect(open).toEqual({ [`columns.${name}.field`]: ["notes", "unsupported", "ignore"] });
    expect(why(`columns.${name}.field`)).toContain(`can't be read as one. Write them like ${written}, and`);
  });
});

describe("dates that change their order on the way", () => {
  const DAY_FIRST = ["18/01/2020", "22/01/2020", "03/02/2020", "12/02/2020", "24/02/2020", "28/02/2020"];
  const MONTH_FIRST = ["03/02/2020", "03/04/2020", "03/09/2020", "04/01/2020", "04/06/2020", "04/11/2020"];
  const table = (dates: readonly string[]) => [
    "Date,km,Time",
    ...dates.map((date, at) => `${date},${at + 5},0:5${at % 10}:00`),
  ];

  test.each([
    [[...DAY_FIRST, ...MONTH_FIRST], "the first 6 are in their order with the day first"],
    [[...DAY_FIRST, ...MONTH_FIRST], 'Or split the table before "03/02/2020" into two, and propose for each'],
    [[...DAY_FIRST, ...MONTH_FIRST].toReversed(), "the first 6 are in their order with the month first"],
    [
      [...DAY_FIRST, ...MONTH_FIRST, "04/15/2020"],
      "With the day first, 1 of 13 can't be read, and with the month first 4",
    ],
  ])("%j are refused with what can't be read", async (dates, why) => {
    const { refused } = await infer(table(dates));
    expect(refused).toContain(why);
    expect((await infer(table(dates), { "dates.order": "dmy" })).refused).toBeUndefined();
  });

  test.each([
    [[...DAY_FIRST, "01/03/2020", "04/03/2020", "05/03/2020", "09/03/2020", "12/03/2020"]],
    // Two rows that were typed late, in one order.
    [[...DAY_FIRST, "02/01/2020", "01/03/2020", "04/02/2020", "09/03/2020", "12/03/2020", "13/03/2020"]],
  ])("%j are not", async (dates) => {
    expect((await infer(table(dates))).refused).toBeUndefined();
  });

  test("are named in a workbook with other sheets", async () => {
    const sheet = (dates: readonly string[]) => [
      ["Date", "km", "Time"],
      ...dates.map((date, at) => [date, at + 5, "0:50:00"]),
    ];
    const { refused } = await inferBook({
      2019: sheet(["03/11/2019", "14/11/2019", "19/11/2019"]),
      2020: sheet([...DAY_FIRST, ...MONTH_FIRST]),
    });
    expect(refused).toContain('in the sheet "2020", the dates in the column "Date" change their order');
  });
});

test.each([
  // 1, 11 and 18 January 2021 are a Friday and two Mondays.
  ["Date,Day,km,Time", ["01/01/2021,Fri", ",Mon", ",Wed", ",Sat", "11/01/2021,Mon", ",Wed", "18/01/2021,Mon"], "layout.asAbove", ["none", "Date"], "the weekday of 4 of them isn't that of the date above"],
  ["Planned for,Done on,km,Time", ["2021-01-01,2021-01-01", "2021-01-03,", "2021-01-05,", "2021-01-07,2021-01-08", "2021-01-09,", "2021-01-11,2021-01-11"], "layout.asAbove", ["none", "Done on"], "an empty cell may say not done"],
])("below %s, empty dates of %j are no days above", async (header, rows, place, options, says) => {
  const { open, why } = await infer([header, ...rows.map((row, at) => `${row},1${at},0:5${at}:00`)], { "dates.order": header.startsWith("Date") ? "dmy" : "iso" });
  expect(open).toEqual({ [place]: options });
  expect(why(place)).toContain(says);
}); // biome-ignore format: a table

test("of two durations, the one that the speeds are of comes first", async () => {
  const rides = ["22.1,1:12:13,0:53:49,24.6", "46.2,1:58:53,1:42:17,27.1", "66.8,2:44:24,2:15:14,29.6", "30,1:20:00,1:00:00,30"];
  const { columns, open } = await infer(["Date,km,Total time,Net time,Avg speed", ...dated(rides)], { "defaults.activity": "bike" });
  expect(columns).toMatchObject({ "Net time": { field: "duration" } });
  expect(open).toEqual({ "columns.Total time.field": ["unsupported", "duration", "notes", "ignore"] });
  const slower = rides.map((ride) => ride.replace(/[\d.]+$/, "15"));
  const other = await infer(["Date,km,Total time,Net time,Avg speed", ...dated(slower)], { "defaults.activity": "bike" });
  expect(other.columns).toMatchObject({ "Total time": { field: "duration" } });
}); // biome-ignore format: a table

test("beside the minutes of a run, bare hours are a question, and not its duration", async () => {
  const { columns, open } = await infer(["Date,Hours,Run km,Run min", ...dated(["6.5,16.8,76", "7,15.2,75", "7.5,23.7,119"])]);
  expect(columns).toMatchObject({ "Run min": { field: "duration" } });
  expect(open["columns.Hours.field"]?.[0]).toBe("unsupported");
}); // biome-ignore format: a table

test("a workbook's own numbers say nothing of the mark of those typed as texts", async () => {
  const { columns, text } = await inferBook({
    2021: [["Datum", "Lauf km", "Zeit"], ...[8.2, 10.1, 9.3, "7,6", "12,5"].map((km, at) => [`2021-01-0${at + 1}`, km, "0:50:00"])],
  });
  expect(columns).toMatchObject({ "Lauf km": { field: "distance", unit: "km" } });
  expect(text).toContain('decimal: ","');
}); // biome-ignore format: a table

test.each([
  ["Timestamp", "Date"],
  ["Zeitstempel", "Datum des Laufs"],
  ["Timestamp", "When did you run?"],
])("of a form's %s and %s, the second is the day of the run", async (stamp, day) => {
  const sent = ["12/01/2021 08:00:11", "14/01/2021 08:01:11", "27/01/2021 08:02:11"];
  const days = ["11/01/2021", "13/01/2021", "24/01/2021"];
  const lines = [`${stamp},${day},km,Duration`, ...days.map((one, at) => `${sent[at]},${one},1${at},0:5${at}:00`)];
  const { workouts } = await load(lines);
  expect(workouts.map(({ start }) => start)).toEqual(
    ["2021-01-11", "2021-01-13", "2021-01-24"].map((date) => ({ date })),
  );
  const { columns } = await infer(lines, { [`columns.${stamp}.field`]: "datetime" });
  expect(columns).toMatchObject({ [stamp]: { field: "datetime" } });
});

test.each([
  [
    ["0.7", "0.5", "0.9", "0.2"],
    ["0..1 -> 0..10", "1..10 -> 1..10"],
  ],
  [["1", "1", "1", "1"], undefined],
  [["7", "5", "9", "2"], undefined],
])("efforts such as %j are asked about as shares: %j", async (efforts, options) => {
  const lines = ["Date,km,Time,Effort", ...dated(efforts.map((effort, at) => `1${at},0:5${at}:00,${effort}`))];
  const open = (await infer(lines)).open["columns.Effort.scale"];
  expect(open?.includes("0..1 -> 0..10") ? open : undefined).toEqual(options);
  if (options === undefined) return;
  const { workouts } = await load(lines, { "columns.Effort.scale": options[0] ?? "" });
  expect(workouts.map(({ ratings }) => ratings?.effort)).toEqual([7, 5, 9, 2]);
});

test.each([
  [
    "Date,km,Finish time,Notes",
    ["10,0:50:00,", "10,0:51:00,", "21.1,DNS,ill", "10,0:52:00,"],
    "^(?:DNS)$",
    "Finish time",
  ],
  [
    "Date,km,Time,Notes",
    ["10,0:50:00,", "10,0:51:00,good", "12,,cancelled - sick", "10,0:52:00,"],
    "^(?:cancelled - sick)$",
    "Notes",
  ],
  [
    "Date,km,Time,Comment",
    ["10,0:50:00,", "10,0:51:00,no running partner", "12,,sore throat - didn't run", "10,0:52:00,"],
    "^(?:sore throat - didn't run)$",
    "Comment",
  ],
])("below %s, rows of %j that never took place are a question", async (header, rows, matches, column) => {
  const { open, text } = await infer([header, ...dated(rows)]);
  expect(open).toEqual({ "rows.0": ["not done", "workouts"] });
  expect(text).toContain(column);
  expect((await load([header, ...dated(rows)], { "rows.0": "not done" })).waiting).toEqual(["csv/skipped-row"]);
  expect(text).toContain(matches);
});

describe("times of twelve hours", () => {
  test.each([
    ["Start,AM/PM", ["7:31,am", "6:14,pm", "12:10,PM"], ["07:31:00", "18:14:00", "12:10:00"]],
    ["Start time,Half", ["7:31,a.m.", ",", "6:14,p.m.", "6:20,p.m."], ["07:31:00", undefined, "18:14:00", "18:20:00"]],
    ["時間帯,開始時刻", ["午前,7:31", "午後,6:14", "午後,0:10"], ["07:31:00", "18:14:00", "12:10:00"]],
  ])("below %s with %j are whole", async (header, rows, times) => {
    const { workouts } = await load([`Date,${header},km,Duration`, ...dated(rows.map((row) => `${row},10,0:55:00`))]);
    expect(workouts.map(({ start }) => start.time)).toEqual(times);
  });

  test("beside words for the evening are a question", async () => {
    const lines = ["Datum,Uhrzeit,wann,km,Dauer", ...dated(["6:15,früh", "7:15,abends", "8:15,abends"].map((row) => `${row},10,0:55:00`))];
    const { open, why } = await infer(lines);
    expect(open).toEqual({ "columns.Uhrzeit.field": ["unsupported", "time"] });
    expect(why("columns.Uhrzeit.field")).toContain('2 of them are late by the column "wann"');
    expect((await infer(lines, { "columns.Uhrzeit.field": "time" })).columns).toMatchObject({ Uhrzeit: { field: "time" } });
  });
}); // biome-ignore format: a table
