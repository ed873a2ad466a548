import { expect, test } from "vitest";
import { type MadeCell, odsParts, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "./connector.ts";

/** The workouts of a table with a mapping file of these columns. */
async function readTable(lines: readonly string[], columns: string) {
  const mapping = `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date }, ${columns} }\n`;
  const archive = memoryArchive("log.csv", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": mapping });
  const { readings, issues } = await readAll(csv, archive, { sports: new Map() });
  return { issues, workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])) };
}

test("k in a column of yards is a thousand yards, as swimmers write it", async () => {
  const { workouts, issues } = await readTable(
    ["Date,Yards", "2024-03-04,2k", "2024-03-05,1800y", "2024-03-06,2k yd", "2024-03-07,2km", "2024-03-08,1650"],
    "Yards: { field: distance, unit: yd }",
  );
  expect(issues).toEqual([]);
  expect(workouts.map(({ distance }) => distance)).toEqual([
    { unit: "yd", value: 2000 },
    { unit: "yd", value: 1800 },
    { unit: "yd", value: 2000 },
    { unit: "km", value: 2 },
    { unit: "yd", value: 1650 },
  ]);
});

test("m behind a few is miles in a column of miles, and reported in one of kilometres", async () => {
  const lines = ["Date,Far", "2024-03-04,5m", "2024-03-05,800m"];
  const read = async (unit: string) => readTable(lines, `Far: { field: distance, unit: ${unit} }`);
  const [miles, kilometres] = [await read("mi"), await read("km")];
  expect(miles.issues).toEqual([]);
  const [far, near] = [
    { unit: "mi", value: 5 },
    { unit: "m", value: 800 },
  ];
  expect(miles.workouts.map(({ distance }) => distance)).toEqual([far, near]);
  expect(kilometres.workouts.map(({ distance }) => distance)).toEqual([undefined, near]);
  const expected = "a number of km; m may be miles here, which are written mi";
  expect(kilometres.issues).toMatchObject([{ rule: "csv/bad-number", found: "5m", expected }]);
});

test("a weekday that contradicts its date is named, and the row is read", async () => {
  // 4 March 2024 is a Monday. `mar` is Tuesday in French.
  const { workouts, issues } = await readTable(
    ["Date,Day,km", "2024-03-04,Mon,5", "2024-03-05,mar,6", "2024-03-06,Fri,7", "2024-03-07,,8", "2024-03-08,?,9"],
    "Day: { field: weekday }, km: { field: distance, unit: km }",
  );
  expect(workouts).toHaveLength(5);
  const expected = "the weekday of 2024-03-06, or another date; the row is read with this date";
  expect(issues).toMatchObject([{ rule: "csv/weekday-differs", field: "Day", found: "Fri", expected }]);
});

test("a minus sign and a degree without its letter are read", async () => {
  const { workouts, issues } = await readTable(
    ["Date,km,Temp", "2024-02-01,5,-3", "2024-02-02,5,−5", "2024-02-03,5,−5°C", "2024-02-04,5,-5°"],
    "km: { field: distance, unit: km }, Temp: { field: temperature, unit: C }",
  );
  expect(issues).toEqual([]);
  expect(workouts.map(({ weather }) => weather?.temperature)).toEqual(
    [-3, -5, -5, -5].map((value) => ({ unit: "C", value })),
  );
});

/** A number in a format, as a sheet of either kind has it. */
const inFormat = (value: number, format: string): MadeCell => ({ days: value, format, shown: "" });
const inOds = (value: number, text: string): MadeCell => ({
  raw: `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${text}</text:p></table:table-cell>`,
});

test("the unit that a number format shows is a unit in the cell, in both kinds of workbooks", async () => {
  const words = "Far: { field: distance, unit: km }, Weight: { field: weight, unit: kg }, Min: { field: duration, format: minutes }, Up: { field: unsupported, label: up }"; // biome-ignore format: a line
  const mapping = `version: 1\nfile: { decimal: "," }\ndates: { order: iso }\ncolumns: { Date: { field: date }, ${words} }\n`;
  const head = ["Date", "Far", "Weight", "Min", "Up"];
  const xlsx = [
    [
      "2024-03-04",
      inFormat(7.52, '0.00" mi"'),
      inFormat(158.7, '0.0" lb"'),
      inFormat(61, '0"m"'),
      inFormat(120, '0" m"'),
    ],
    ["2024-03-05", inFormat(6.2, '0.0" km"'), inFormat(72, "0.0"), inFormat(38, '0" min"')],
    ["2024-03-06", inFormat(12_500, '0.0," km"')],
    ["2024-03-07", inFormat(0, '0.0" mi"')],
  ];
  const ods = [
    ["2024-03-04", inOds(7.52, "7,52 mi"), inOds(158.73, "158.7 lb"), inOds(61, "61m"), inOds(120, "120 m")],
    ["2024-03-05", inOds(6.2, "6.2 km"), inOds(72, "72.0"), inOds(38, "38 min")],
    ["2024-03-06", inOds(12_500, "12.5 km")],
    ["2024-03-07", inOds(0, "0.0 mi")],
  ];
  for (const [bytes, pounds] of [
    [packed(xlsxParts([{ name: "Log", rows: [head, ...xlsx] }])), 158.7],
    [packed(odsParts([{ name: "Log", rows: [head, ...ods] }])), 158.73],
  ] as const) {
    const { readings, issues } = await readAll(
      csv,
      memoryArchive("log", { "log.xlsx": bytes, "log.map.yaml": mapping }),
    );
    expect(issues).toEqual([]);
    expect(readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []))).toMatchObject([
      {
        ...{ distance: { unit: "mi", value: 7.52 }, health: { weight: { unit: "lb", value: pounds } }, duration: 3660 },
        unsupported: [{ field: "up", value: "120 m" }],
      },
      { distance: { unit: "km", value: 6.2 }, health: { weight: { unit: "kg", value: 72 } }, duration: 2280 },
      // The sheet shows thousands, so its unit isn't that of the number.
      { distance: { unit: "km", value: 12_500 } },
      { distance: { unit: "km", value: 0 } },
    ]);
  }
});

test("a number that its format shows as a clock is read as one, unless the mapping reads the number", async () => {
  const read = async (format: string) => {
    const rows = [
      ["Date", "Time"],
      ["2024-03-04", inFormat(4530, '00":"00')],
    ];
    const mapping = `version: 1\ndates: { order: iso }\ncolumns: { Date: { field: date }, Time: { field: duration, format: "${format}" } }\n`;
    const archive = memoryArchive("log", {
      "log.xlsx": packed(xlsxParts([{ name: "Log", rows }])),
      "log.map.yaml": mapping,
    });
    const { readings } = await readAll(csv, archive);
    return readings.map((reading) => (reading.kind === "workout" ? reading.value.duration : undefined));
  };
  expect([await read("mm:ss"), await read("hmmss")]).toEqual([[2730], [2730]]);
});
