import { expect, test } from "vitest";
import { type MadeCell, type MadeSheet, odsParts, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { expectedLines, fixtureCases, readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import type { SheetCount } from "../../contract.ts";
import { openOds } from "../../formats/ods/workbook.ts";
import { csv } from "./connector.ts";

const HEAD = ["Date", "km", "Time", "HR", "Note"];
const date = (days: number): MadeCell => ({ days, format: "dd/mm/yyyy", shown: "" });
const clock = (days: number): MadeCell => ({ days, format: "[h]:mm:ss", shown: "" });

/** Reads a workbook of these sheets with a mapping. */
async function read(sheets: readonly MadeSheet[], file: string, dates = "order: dmy", time = "format: mm:ss") {
  const mapping = `version: 1
file: { ${file} }
dates: { ${dates} }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  Time: { field: duration, ${time} }
  HR: { field: avgHR }
  Note: { field: notes }
`;
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts(sheets)), "log.map.yaml": mapping });
  const { readings, issues } = await readAll(csv, archive);
  const values = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return { readings, issues, values };
}

const log = (...rows: readonly (readonly MadeCell[])[]) => [{ name: "2019", rows: [HEAD, ...rows] }];
const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => "it was read",
    (error: Error) => error.message,
  );

test("real dates and typed ones, numbers and texts with a comma are read as what they are, in one sheet", async () => {
  const { values, issues } = await read(
    log(
      [date(43_534), 10.125, clock(0.0315972222222222)],
      ["5.4.2019", "10,125", "45:30"],
      [date(43_560), 1.234, clock(1.0625)],
      [{ days: 43_561.5, format: "yyyy-mm-dd hh:mm", shown: "" }, 1],
    ),
    'decimal: ","',
  );
  expect(values).toEqual([
    { start: { date: "2019-03-10" }, distance: { unit: "km", value: 10.125 }, duration: 2730 },
    { start: { date: "2019-04-05" }, distance: { unit: "km", value: 10.125 }, duration: 2730 },
    { start: { date: "2019-04-05" }, distance: { unit: "km", value: 1.234 }, duration: 91_800 },
  ]);
  expect(issues).toEqual([]);
});

test.each(["iso", "dmy", "mdy", "excel", "excel-1904"])(
  "a real date is that day where the mapping says %s",
  async (order) => {
    const midnight: MadeCell = { days: 43_534, format: "yyyy-mm-dd hh:mm:ss", shown: "" };
    const { values } = await read(log([date(43_534), 1], [midnight, 2]), 'decimal: ","', `order: ${order}`);
    expect(values.map(({ start }) => start)).toEqual([{ date: "2019-03-10" }, { date: "2019-03-10" }]);
  },
);

test.each([
  ["format: minutes", 2730],
  ["format: h:mm", 2730],
  ["format: text", 2730],
  // What a spreadsheet makes of a typed 45:30, which the mapping says.
  ["format: mm:ss:00", 2730],
])("a real duration is what it is where the mapping says %s", async (format, seconds) => {
  const cell = format.endsWith(":00") ? clock(45.5 / 24) : clock(0.0315972222222222);
  const { values } = await read(log([date(43_534), 1, cell]), "header: true", "order: iso", format);
  expect(values[0]?.duration).toBe(seconds);
});

test.each([
  // 8:30 and 12:45 of short runs, typed as minutes and seconds; 0:45:30 and 0:45:00 were typed as they should be.
  [8.5, 510],
  [12.75, 765],
  [45.5 / 60, 2730],
  [0.75, 2700],
])("the hours of a real duration of %d hours are minutes where the mapping says mm:ss:00, and minutes stay minutes", async (hours, seconds) => {
  const row = [date(43_534), 1, clock(hours / 24)];
  const { values } = await read(log(row), "header: true", "order: iso", "format: mm:ss:00");
  expect(values[0]?.duration).toBe(seconds);
}); // biome-ignore format: a table

test("a message names the sheet, the row and the column, and a record its row", async () => {
  const broken: MadeCell = { raw: '<c r="@" t="e"><v>#N/A</v></c>' };
  const { readings, issues } = await read(
    log([date(43_534), "ten", clock(0.03), 150], ["31.2.2019", 1], [], [date(43_536), 1, undefined, broken]),
    "header: true",
  );
  expect(issues.map(({ rule, found, origin }) => [rule, found, origin?.locator])).toEqual([
    ["csv/bad-number", "ten", 'Sheet "2019", row 2, column B'],
    ["sheet/error-cell", "#N/A", 'Sheet "2019", row 5, column D'],
  ]);
  expect(readings.map(({ origin }) => origin.locator)).toEqual([
    'Sheet "2019", row 2',
    'Sheet "2019", row 3',
    'Sheet "2019", row 5',
  ]);
  expect(readings[1]).toMatchObject({
    as: "quarantined",
    issue: { rule: "csv/no-such-day", found: "31.2.2019", origin: { locator: 'Sheet "2019", row 3, column A' } },
  });
});

test("faulty cells of columns that the mapping doesn't read are no loss, and nobody is told of them", async () => {
  const error: MadeCell = { raw: '<c r="@" t="e"><v>#DIV/0!</v></c>' };
  const rows = [
    [...HEAD, "Pace"],
    [date(43_534), 1, undefined, undefined, undefined, error],
  ];
  const { issues } = await read([{ name: "2019", rows }], "header: true");
  expect(issues.map(({ rule, field }) => [rule, field])).toEqual([["csv/unmapped-column", "Pace"]]);
});

test("a formula that was never computed is a value that can't be read, where a workout must not lack it", async () => {
  const formula: MadeCell = { raw: '<c r="@"><f>A1</f><v></v></c>' };
  const { readings, values, issues } = await read(
    log(
      [date(43_534), 8, formula, formula],
      [date(43_535), formula, clock(0.0315972222222222), 140, formula],
      [formula, 5, clock(0.03)],
    ),
    "header: true",
  );
  const unread = { value: "a formula without a stored value", isUnread: true };
  expect(values).toEqual([
    {
      ...{ start: { date: "2019-03-10" }, distance: { unit: "km", value: 8 } },
      unsupported: [
        { field: "duration", ...unread },
        { field: "avgHR", ...unread },
      ],
    },
    {
      ...{ start: { date: "2019-03-11" }, duration: 2730, health: { avgHR: 140 } },
      unsupported: [{ field: "distance", ...unread }],
    },
  ]);
  // The date of the third row is no other row's.
  expect(readings.at(-1)).toMatchObject({ as: "quarantined", issue: { rule: "csv/bad-date", found: unread.value } });
  expect(issues.map(({ rule, origin }) => [rule, origin?.locator])).toEqual(
    ["row 2, column C", "row 2, column D", "row 3, column B", "row 3, column E", "row 4, column A"].map((place) => [
      "sheet/formula-without-value",
      `Sheet "2019", ${place}`,
    ]),
  );
});

test("formulas that were never computed make no row a workout, and leave the key of a row as it is", async () => {
  const formula: MadeCell = { raw: '<c r="@"><f>A1</f></c>' };
  const words = 'header: true }\nrows: [{ when: { column: Time, matches: "^$" }, skip: nothing done }]\nvalues: {';
  const rested = await read(log([date(43_534), formula, formula]), words);
  expect(rested.readings).toMatchObject([{ as: "skipped" }]);
  const key = async (cell: MadeCell) => (await read(log([date(43_534), 8, cell]), "header: true")).readings[0]?.key;
  expect(await key(formula)).toBe(await key(undefined));
});

const years = ["2018", "2019", "2020"].map((name, index) => ({
  name,
  rows: [HEAD, [date(43_101 + 365 * index), 5 + index]],
}));
const kilometres = ({ values }: Awaited<ReturnType<typeof read>>) => values.map(({ distance }) => distance?.value);

test("a mapping names a sheet, several, or all that have rows and aren't hidden", async () => {
  const book: MadeSheet[] = [...years, { name: "Empty", rows: [] }, { name: "Lists", rows: [["x"]], isHidden: true }];
  expect(kilometres(await read(book, 'sheet: "2019"'))).toEqual([6]);
  expect(kilometres(await read(book, "sheet: 2019"))).toEqual([6]);
  expect(kilometres(await read(book, "sheet: 3"))).toEqual([7]);
  expect(kilometres(await read(book, 'sheets: ["2020", 1]'))).toEqual([7, 5]);
  expect(kilometres(await read(book, "sheets: all"))).toEqual([5, 6, 7]);
});

test("where several sheets have rows and the mapping names none, the message says which there are", async () => {
  expect(await refusal(read(years, "header: true"))).toBe(
    'Cannot tell which sheet of log.xlsx to read: "2018", "2019", "2020" have rows. Name one in log.map.yaml, under file: sheet: "2018". For all of them: sheets: all',
  );
  expect(await refusal(read(years, 'sheet: "2021"'))).toBe(
    'Cannot use log.map.yaml: there is no sheet "2021". The sheets of log.xlsx are: "2018", "2019", "2020"',
  );
  expect(await refusal(read([...years, { name: "Log", rows: [["x"]] }], "sheet: Lgo"))).toBe(
    'Cannot use log.map.yaml: there is no sheet "Lgo"; did you mean "Log"? The sheets of log.xlsx are: "2018", "2019", "2020", "Log"',
  );
  expect(await refusal(read(years, 'sheet: "2019", sheets: all'))).toMatch(
    /line 2: file: expected either sheet or sheets/,
  );
});

test("a sheet of a text, and a sheet with other columns, are refused by name", async () => {
  const text = memoryArchive("log", {
    "log.csv": "Date\n2019-03-10\n",
    "log.map.yaml": "version: 1\nfile: { sheet: Log }\ndates: { order: iso }\ncolumns: { Date: { field: date } }\n",
  });
  expect(await refusal(readAll(csv, text))).toBe(
    "Cannot use log.map.yaml: log.csv is a text, and a text has no sheets",
  );
  const other = [...years, { name: "Goals", rows: [["Year", "km"]] }];
  expect(await refusal(read(other, "sheets: all"))).toMatch(
    /there is no column "Date".* The columns of log\.xlsx, Sheet "Goals" are: "Year", "km"/,
  );
});

test("title rows, totals and comments of a sheet are left as in a text, by the numbers of the rows", async () => {
  const rows = [["My log"], [], HEAD, ["#draft", 3], [date(43_534), 5], [], ["Total", 5]];
  const { readings } = await read([{ name: "2019", rows }], 'skip: 2, comment: "#", skipEnd: 1');
  expect(readings.map(({ origin }) => origin.locator)).toEqual(['Sheet "2019", row 5']);
});

test("sections of a sheet have titles and headers of their own, and real dates beside typed ones", async () => {
  const book = packed(
    xlsxParts([
      {
        name: "Log",
        rows: [
          ["2018"],
          ["Date", "km", "Time", "Note"],
          ["30.12.", 5.5, clock(0.0315972222222222), "old"],
          [2019],
          ["Note", "Date", "km"],
          ["typed", "1.3.", "7,25"],
          ["real", date(43_534), 10],
          ["lost", "31.2.", 4],
        ],
      },
    ]),
  );
  const mapping = `version: 1
file: { decimal: "," }
dates: { order: dmy }
layout: { sections: true }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  Time: { field: duration, format: h:mm:ss }
  Note: { field: notes }
`;
  const archive = memoryArchive("log", { "log.xlsx": book, "log.map.yaml": mapping });
  const { readings, issues } = await readAll(csv, archive);
  const values = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(values).toEqual([
    { start: { date: "2018-12-30" }, distance: { unit: "km", value: 5.5 }, duration: 2730, notes: "old" },
    { start: { date: "2019-03-01" }, distance: { unit: "km", value: 7.25 }, notes: "typed" },
    { start: { date: "2019-03-10" }, distance: { unit: "km", value: 10 }, notes: "real" },
  ]);
  expect(issues).toEqual([]);
  expect(readings.filter(({ kind }) => kind === "set-aside")).toMatchObject([
    { issue: { rule: "csv/no-such-day", found: "31.2.2019", origin: { locator: 'Sheet "Log", row 8' } } },
  ]);
});

test("messages of a week in a sheet name the column of the day", async () => {
  const rows = [
    ["Week of", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    [date(43_535), 5, undefined, "ten", undefined, undefined, 21.1],
  ];
  const mapping = `version: 1
dates: { order: dmy }
layout: { week: { km: [Mon, Tue, Wed, Thu, Fri, Sat, Sun] } }
columns:
  Week of: { field: date }
  km: { field: distance, unit: km }
`;
  const archive = memoryArchive("log", {
    "log.xlsx": packed(xlsxParts([{ name: "Weeks", rows }])),
    "log.map.yaml": mapping,
  });
  const { readings, issues } = await readAll(csv, archive);
  expect(issues.map(({ rule, found, origin }) => [rule, found, origin?.locator])).toEqual([
    ["csv/bad-number", "ten", 'Sheet "Weeks", row 2, day 3 ("Wed")'],
  ]);
  expect(readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value.start.date] : []))).toEqual([
    "2019-03-11",
    "2019-03-13",
    "2019-03-16",
  ]);
});

test("a workbook under the name of a text is read: the bytes decide", async () => {
  const mapping = "version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date } }\nunknownColumns: ignore\n";
  const archive = memoryArchive("log", {
    "log.csv": packed(odsParts([{ name: "x", rows: [["Date"], ["2019-03-10"]] }])),
    "log.map.yaml": mapping,
  });
  expect((await readAll(csv, archive)).readings).toMatchObject([{ value: { start: { date: "2019-03-10" } } }]);
});

test("inspect is told of every sheet, and which are read", async () => {
  const mapping =
    "version: 1\nfile: { sheet: 2 }\ndates: { order: dmy }\ncolumns: { Date: { field: date } }\nunknownColumns: ignore\n";
  const book = [...years, { name: "Lists", rows: [["x"]], isHidden: true }];
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts(book)), "log.map.yaml": mapping });
  const told: [string, readonly SheetCount[]][] = [];
  const context = {
    signal: new AbortController().signal,
    report: () => {},
    sports: new Map(),
    readsWorkbook: (path: string, sheets: readonly SheetCount[]) => void told.push([path, sheets]),
  };
  for await (const _ of csv.read(archive, context));
  expect(
    told.map(([path, sheets]) => [
      path,
      sheets.map(({ name, rows, isHidden, isRead }) => [name, rows, isHidden, isRead]),
    ]),
  ).toEqual([
    [
      "log.xlsx",
      [
        ["2018", 2, false, false],
        ["2019", 2, false, true],
        ["2020", 2, false, false],
        ["Lists", 1, true, false],
      ],
    ],
  ]);
});

test("a remark counts the rows of the sheets that a mapping leaves, and names these", async () => {
  const book: MadeSheet[] = [
    ...years,
    { name: "Empty", rows: [] },
    { name: "Lists", rows: [["shoes"], ["Pegasus"], ["Lunar"]], isHidden: true },
  ];
  const { issues } = await read(book, 'sheet: "2019"');
  expect(
    issues.map(({ rule, severity, found, expected, origin }) => [rule, severity, found, expected, origin]),
  ).toEqual([
    [
      "csv/sheet-not-read",
      "warning",
      '3 sheets not read: "2018" (2 rows), "2020" (2 rows), "Lists" (3 rows, hidden)',
      "no workouts in them. A sheet of workouts with the same columns belongs into file.sheets of log.map.yaml, or sheets: all. One with other columns needs a mapping file of its own: logferry map infer log.xlsx --sheet NAME --out NAME.map.yaml",
      { archive: "log", connector: "csv", entry: "log.xlsx" },
    ],
    [
      "csv/other-files",
      "warning",
      '"2018" (2 rows), "2020" (2 rows)',
      "sheets of workouts in the file.sheets of a mapping file. Those that may stay out belong into file.ignoreSheets of log.map.yaml",
      { archive: "log", connector: "csv", entry: "log.xlsx" },
    ],
  ]);
  expect((await read(years, "sheets: all")).issues).toEqual([]);
});

test("a sheet with the mapping's columns in another order may hold workouts, until a person says that it stays out", async () => {
  const [first, ...others] = HEAD;
  const turned = { name: "Copy", rows: [["My runs"], [...others, first], [5, 30, 140, "x", date(43_101)]] };
  const lists = {
    name: "Shoes",
    rows: [
      ["Bought", "km"],
      [date(43_101), 700],
    ],
  };
  const book: MadeSheet[] = [...years, turned, lists];
  const unread = async (file: string) =>
    (await read(book, file)).issues.flatMap((issue) => (issue.rule === "csv/other-files" ? issue.names : []));
  const all = 'sheets: ["2018", "2019", "2020"]';
  expect(await unread(all)).toEqual(["log.xlsx: Copy"]);
  const ignored = await read(book, `${all}, ignoreSheets: [copy]`);
  expect(ignored.issues.map(({ rule, found }) => [rule, found])).toEqual([
    ["csv/sheet-not-read", '1 sheet not read: "Shoes" (2 rows)'],
  ]);
  expect(kilometres(await read(book, "sheets: all, ignoreSheets: [Copy, Shoes]"))).toEqual([5, 6, 7]);
  expect(await refusal(read(book, `${all}, ignoreSheets: [Copies]`))).toContain('there is no sheet "Copies"');
});

test("a sheet of workouts with columns of its own is named as unread, and sheets of anything else are not", async () => {
  const days = [43_101, 43_103, 43_108].map(date);
  const sheet = (name: string, header: readonly string[], ...columns: readonly (readonly MadeCell[])[]) => ({
    ...{ name, rows: [header, ...days.map((day, row) => [day, ...columns.map((cells) => cells[row])])] },
  });
  const typed = (name: string, ...rows: readonly (readonly MadeCell[])[]) => ({ name, rows });
  const logs = [
    sheet("km", ["Day", "km", "Zeit"], [5, 8, 12], [clock(0.03), clock(0.04), clock(0.05)]),
    sheet("Gym", ["Date", "Exercise", "Minutes"], ["Squats", "Rows", "Squats"], [30, 40, 35]),
    sheet("Swims", ["Datum", "Strecke (m)"], [1500, 1000, 2000]),
    typed("Old", ["My runs of 2012"], [], ["When", "Miles"], ["3/14", 3.1], ["3/16", 6.2]),
    typed("Januar", ["Tag", "km"], [3, 5], [5, 8], [9, 12]),
  ];
  const others = [
    sheet("Weights", ["Date", "Weight", "Time"], [70.1, 70.4, 69.9], ["07:10", "06:55", "07:20"]),
    sheet("Notes", ["Date", "Notes"], ["new shoes", "ill", "5 km race planned"]),
    sheet("Plan", ["Date", "Planned km"], [5, 8, 12]),
    typed(
      "Pairs",
      ["Shoe", "Date", "km", "Price"],
      ["Pegasus", date(43_101), 700, "120 €"],
      ["Ghost", date(43_301), 40, "99 €"],
    ),
    typed("Months", ["Month", "km"], [date(43_101), 120], [date(43_132), 140], [date(43_160), 90]),
    typed("Sums", ["Date", "km"], [date(43_101), 120], [date(43_132), 140], [date(43_160), 90]),
    typed("Weeks", ["Week of", "km"], [date(43_101), 40], [date(43_108), 42]),
    typed("Years", ["Year", "km", "Time"], [2017, 1200, "100:00:00"], [2018, 1300, "110:00:00"]),
    typed("Chart", ["Sum of km", "1200"]),
  ];
  const { issues } = await read([...years, ...logs, ...others], 'sheets: ["2018", "2019", "2020"]');
  const unread = issues.flatMap(({ rule, names }) => (rule === "csv/other-files" ? names : []));
  expect(unread).toEqual(["km", "Gym", "Swims", "Old", "Januar"].map((name) => `log.xlsx: ${name}`));
});

test("a sheet that another mapping file reads is not named as unread", async () => {
  const mappingOf = (sheet: string) =>
    `version: 1\nfile: { name: log.xlsx, sheet: "${sheet}" }\ndates: { order: iso }\ncolumns: { Date: { field: date } }\n`;
  const book = ["2018", "2019", "2020"].map((name) => ({ name, rows: [["Date"], [`${name}-03-01`]] }));
  const { readings, issues } = await readAll(
    csv,
    memoryArchive("log", {
      "log.xlsx": packed(xlsxParts(book)),
      "a.map.yaml": mappingOf("2018"),
      "b.map.yaml": mappingOf("2020"),
    }),
  );
  expect(readings.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : []))).toEqual([
    "2018-03-01",
    "2020-03-01",
  ]);
  expect(issues.filter(({ rule }) => rule === "csv/sheet-not-read").map(({ found }) => found)).toEqual([
    '1 sheet not read: "2019" (2 rows)',
  ]);
});

test("the advice for a hidden sheet is its name, because sheets: all leaves it", async () => {
  const book: MadeSheet[] = [...years, { name: "Lists", rows: [["shoes"], ["Pegasus"], ["Lunar"]], isHidden: true }];
  const { issues } = await read(book, "sheets: all");
  expect(issues.map(({ found, expected }) => [found, expected])).toEqual([
    [
      '1 sheet not read: "Lists" (3 rows, hidden)',
      "no workouts in it. A sheet of workouts with the same columns belongs into file.sheets of log.map.yaml. One with other columns needs a mapping file of its own: logferry map infer log.xlsx --sheet NAME --out NAME.map.yaml",
    ],
  ]);
});

test("a sheet whose part the workbook doesn't name is damaged, and says which one it is", async () => {
  const parts = xlsxParts([...years, { name: "2021", rows: [HEAD] }]);
  const relations = "xl/_rels/workbook.xml.rels";
  const damaged = { ...parts, [relations]: (parts[relations] ?? "").replace('Id="rId3"', 'Id="rId77"') };
  const mapping =
    "version: 1\nfile: { sheets: all }\ndates: { order: dmy }\ncolumns: { Date: { field: date } }\nunknownColumns: ignore\n";
  const archive = memoryArchive("log", { "log.xlsx": packed(damaged), "log.map.yaml": mapping });
  expect(await refusal(readAll(csv, archive))).toBe(
    'Cannot read log.xlsx, Sheet "2020": its header can\'t be used: sheet/missing (the part of the sheet "2020" is missing, expected a whole workbook: save it once more, or name the other sheets in the mapping file)',
  );
});

test("a document type is named in whichever part of a workbook it stands", async () => {
  const mapping = "version: 1\ndates: { order: dmy }\ncolumns: { Date: { field: date } }\nunknownColumns: ignore\n";
  const books = [xlsxParts(years.slice(0, 1)), odsParts(years.slice(0, 1))];
  const tried = books.flatMap((parts) =>
    Object.keys(parts)
      .filter((path) => /(?:workbook|styles|sharedStrings|content)\.xml$|workbook\.xml\.rels$/.test(path))
      .map((path) => ({ parts, path })),
  );
  expect(tried).toHaveLength(5);
  for (const { parts, path } of tried) {
    const doctype = '<!DOCTYPE x [<!ENTITY a "b">]>';
    const bad = { ...parts, [path]: String(parts[path]).replace(/^(<\?xml.*?\?>\s*)?/, `$1${doctype}`) };
    const archive = memoryArchive("log", { "log.xlsx": packed(bad), "log.map.yaml": mapping });
    const said = await refusal(readAll(csv, archive));
    expect([path, String(said)]).toEqual([path, expect.stringMatching(/document type|DOCTYPE/i)]);
  }
});

test("sheets past the thousandth are named", async () => {
  const many = Array.from({ length: 1002 }, (_, index) => ({ name: `s${index + 1}`, rows: [["Date"], ["1.3.2019"]] }));
  const mapping =
    "version: 1\nfile: { sheets: [s1, s1000] }\ndates: { order: dmy }\ncolumns: { Date: { field: date } }\n";
  const archive = memoryArchive("log", { "log.xlsx": packed(xlsxParts(many)), "log.map.yaml": mapping });
  const { issues } = await readAll(csv, archive);
  const said = ["csv/too-many-sheets", '2 sheets past the first 1000: "s1001", "s1002"'];
  expect(issues.map(({ rule, found }) => [rule, found])).toContainEqual(said);
});

test("an ODS workbook names its sheets past the thousandth, too", async () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `s${index + 1}`, rows: [["Date"]] }));
  const content = Buffer.from(String(odsParts(many)["content.xml"]));
  const workbook = await openOds({
    part: (path) => (path === "content.xml" ? ReadableStream.from([content]) : undefined),
  });
  expect(await workbook.sheets()).toHaveLength(1000);
  expect(workbook.omitted()).toMatchObject({ count: 1, first: [{ name: "s1001" }] });
});

test("the forty workouts of the fixtures are the same as texts and as workbooks", () => {
  const valuesOf = (name: string) => {
    const found = fixtureCases().find((each) => each.connector === "csv" && each.name === name);
    const lines = (found && expectedLines(found)) ?? [];
    return lines
      .map((line) => JSON.parse(line))
      .flatMap(({ kind, value }) => (kind === "workout" ? [{ ...value, sport: undefined }] : []));
  };
  const german = valuesOf("german");
  expect(german).toHaveLength(40);
  for (const name of ["xlsx", "ods"]) expect(valuesOf(name)).toEqual(german);
});
