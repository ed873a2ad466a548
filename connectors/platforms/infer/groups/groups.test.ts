import { describe, expect, test } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The workouts that a table gives with the mapping that is proposed for it, in a line each; and the questions. */
async function loadedFrom(files: Record<string, string | Uint8Array>) {
  const archive = memoryArchive("log", files);
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const text = writeMapping(proposal, table.path);
  const open = proposal.choices.filter(isOpen).map(({ place }) => place);
  if (open.length > 0) return { open, text, workouts: [] };
  const { readings } = await readAll(csv, memoryArchive("log", { ...files, "log.map.yaml": text }));
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return {
    ...{ open, text },
    workouts: workouts.map(({ start, activity, distance, duration, health, notes }) =>
      [start.date, activity, distance?.value, distance?.unit, duration, health?.avgHR, notes]
        .filter((each) => each !== undefined)
        .join(" "),
    ),
  };
}

const fromLines = (lines: readonly string[]) => loadedFrom({ "log.csv": `${lines.join("\n")}\n` });

describe("sports in the row above the header", () => {
  const RIDES_AND_RUNS = [
    "2024-03-01 run 10 km 3000",
    "2024-03-01 bike 40 km 5400",
    "2024-03-02 run 8.5 km 2530",
    "2024-03-03 bike 55.2 km 7500",
    "2024-03-04 run 12 km 3660",
    "2024-03-04 bike 30.1 km 4200",
  ];
  const ROWS = [
    "2024-03-01,10,0:50:00,40,1:30:00",
    "2024-03-02,8.5,0:42:10,,",
    "2024-03-03,,,55.2,2:05:00",
    "2024-03-04,12,1:01:00,30.1,1:10:00",
  ];

  test.each([
    ["merged, the date beside them", "Date,Run,,Bike,", ",km,time,km,time"],
    ["merged, the date below", ",Run,,Bike,", "Date,km,time,km,time"],
    ["said of each column", ",Laufen,Laufen,Rad,Rad", "Datum,km,Zeit,km,Zeit"],
  ])("%s: each run and each ride is loaded with its sport, without a question", async (_, above, header) => {
    const { open, workouts } = await fromLines([above, header, ...ROWS]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(RIDES_AND_RUNS);
  });

  test("with a total behind them: the sum is no workout and no value of one", async () => {
    const rows = ROWS.map(
      (row, index) => `${row},${["50,2:20:00", "8.5,0:42:10", "55.2,2:05:00", "42.1,2:11:00"][index]}`,
    );
    const { open, workouts } = await fromLines(["Date,Run,,Bike,,Total,", ",km,time,km,time,km,time", ...rows]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(RIDES_AND_RUNS);
  });

  test("each with columns and a unit of its own, and notes of the whole day behind the last one", async () => {
    const { open, workouts } = await fromLines([
      ",Run,,,Bike,,Swim,,",
      "Date,km,time,HR,km,time,m,time,Notes",
      "2024-03-01,10,0:50:00,150,40,1:30:00,,,cold",
      "2024-03-02,8.5,0:42:10,148,,,1500,0:31:00,",
      "2024-03-04,12,1:01:00,152,30.1,1:10:00,2000,0:45:00,",
    ]);
    expect(open).toEqual([]);
    expect(workouts).toEqual([
      "2024-03-01 run 10 km 3000 150 cold",
      "2024-03-01 bike 40 km 5400 cold",
      "2024-03-02 run 8.5 km 2530 148",
      "2024-03-02 swim 1500 m 1860",
      "2024-03-04 run 12 km 3660 152",
      "2024-03-04 bike 30.1 km 4200",
      "2024-03-04 swim 2000 m 2700",
    ]);
  });

  test.each([
    ["the date above", ["Date", "Run", "", "Bike", "", "Notes"], ["", "km", "time", "km", "time"]],
    ["the date below", ["", "Run", "", "Bike", "", "Notes"], ["Date", "km", "time", "km", "time"]],
  ])("the last column has its header in the upper row of a workbook alone, %s", async (_, above, below) => {
    const rows = [
      ["2024-03-01", "10", "0:50:00", "40", "1:30:00", "cold"],
      ["2024-03-02", "8.5", "0:42:10", "", "", "warm"],
      ["2024-03-03", "", "", "55.2", "2:05:00", "windy day"],
    ];
    const { open, workouts } = await loadedFrom({
      "log.xlsx": packed(xlsxParts([{ name: "Log", rows: [above, below, ...rows] }])),
    });
    expect(open).toEqual([]);
    expect(workouts).toEqual([
      "2024-03-01 run 10 km 3000 cold",
      "2024-03-01 bike 40 km 5400 cold",
      "2024-03-02 run 8.5 km 2530 warm",
      "2024-03-03 bike 55.2 km 7500 windy day",
    ]);
  });

  test("beside more names of columns than stand in the row below them", async () => {
    const rows = ["2024-03-01,sunny,good,10,0:50:00,40,1:30:00", "2024-03-02,rain,tired,8.5,0:42:10,,"];
    const { text } = await fromLines(["Date,Weather,Mood,Run,,Bike,", ",,,km,time,km,time", ...rows]);
    expect(text).toContain("Sport: [run, bike]");
    expect(text).toContain("    Duration: [time, time#2]");
  });

  test("over units alone", async () => {
    const { open, workouts } = await fromLines([
      "Date,Run,Bike,Swim",
      ",km,km,m",
      "2024-03-01,10,40,",
      "2024-03-02,8.5,,1500",
      "2024-03-03,,55.2,",
    ]);
    expect(open).toEqual([]);
    expect(workouts).toEqual([
      "2024-03-01 run 10 km",
      "2024-03-01 bike 40 km",
      "2024-03-02 run 8.5 km",
      "2024-03-02 swim 1500 m",
      "2024-03-03 bike 55.2 km",
    ]);
  });

  test("twice the same sport: both runs of a day are loaded", async () => {
    const { open, workouts } = await fromLines([
      ",Run,,Run,,Bike,",
      "Date,km,time,km,time,km,time",
      "2024-03-01,10,0:50:00,5,0:25:00,40,1:30:00",
      "2024-03-02,8.5,0:42:10,6,0:30:00,,",
    ]);
    expect(open).toEqual([]);
    expect(workouts).toEqual([
      "2024-03-01 run 10 km 3000",
      "2024-03-01 run 5 km 1500",
      "2024-03-01 bike 40 km 5400",
      "2024-03-02 run 8.5 km 2530",
      "2024-03-02 run 6 km 1800",
    ]);
  });

  test("with a word that is no sport among them, which is asked about", async () => {
    const { text, workouts } = await fromLines([
      ",Run,,Ergometer XL,",
      "Date,km,time,km,time",
      "2024-03-01,10,0:50:00,40,1:30:00",
      "2024-03-02,8.5,0:42:10,,",
    ]);
    expect(text).toContain("Sport: [run, Ergometer XL]");
    expect(text).toContain("Ergometer XL");
    expect(workouts).not.toContain("2024-03-01 run 40 km 5400");
  });

  test("of sheets that have them in another order are not read as one log", async () => {
    const sheet = (name: string, above: readonly string[], rows: MadeSheet["rows"]): MadeSheet => ({
      name,
      rows: [above, ["Date", "km", "time", "km", "time"], ...rows],
    });
    const { open } = await loadedFrom({
      "log.xlsx": packed(
        xlsxParts([
          sheet("2023", ["", "Run", "", "Bike", ""], [["2023-03-01", "10", "0:50:00", "40", "1:30:00"]]),
          sheet("2024", ["", "Bike", "", "Run", ""], [["2024-03-01", "40", "1:30:00", "10", "0:50:00"]]),
        ]),
      ),
    });
    expect(open).toContain("file.sheet");
  });
});

describe("a sum beside groups of columns", () => {
  const DAYS = [
    ["2014-01-01,10,0:50:00,30,1:10:00", "40", "2:00:00"],
    ["2014-01-02,9,0:41:00,,", "9", "0:41:00"],
    ["2014-01-03,,,32,1:12:00", "32", "1:12:00"],
  ] as const;

  test.each([
    ["Total km", 1],
    ["Total", 1],
    ["Sum km", 1],
    ["Gesamt km", 1],
    ["Total time", 2],
    ["Week km", 1],
    ["Wochenkilometer", 1],
  ] as const)("called %s is left, and every ride and run is loaded", async (name, column) => {
    const { open, text, workouts } = await fromLines([
      `Date,Run km,Run time,Bike km,Bike time,${name}`,
      ...DAYS.map((day) => `${day[0]},${day[column]}`),
    ]);
    expect(open).toEqual([]);
    expect(text).toContain(`  ${name}: { field: ignore, why: sums up other values }`);
    expect(workouts).toEqual([
      "2014-01-01 run 10 km 3000",
      "2014-01-01 bike 30 km 4200",
      "2014-01-02 run 9 km 2460",
      "2014-01-03 bike 32 km 4320",
    ]);
  });

  test("with a value on a day without any other is a question", async () => {
    const { open, text } = await fromLines([
      "Date,Run km,Run time,Bike km,Bike time,Total km",
      ...DAYS.map(([day, sum]) => `${day},${sum}`),
      "2014-01-04,,,,,25",
    ]);
    expect(open).toContain("columns.Total km.field");
    expect(text).toContain("  km: { field: distance, unit: km }");
  });

  test("is the distance where the table has no other", async () => {
    const { text } = await fromLines(["Date,Total km,Time", "2014-01-01,10,0:50:00", "2014-01-02,9,0:41:00"]);
    expect(text).toContain("  Total km: { field: distance, unit: km }");
  });
});

describe("one value of the day beside groups of columns", () => {
  const DAYS = ["2024-03-01,1500,30,10,", "2024-03-02,,,8,", "2024-03-03,,40,,", "2024-03-04,2000,,12,"];
  const beside = (header: string, values: readonly string[], days: readonly string[] = DAYS) =>
    fromLines([`Date,Swim m,Bike km,Run km,${header}`, ...days.map((day, index) => `${day}${values[index]}`)]);

  test.each([
    ["Hours", ["2.5", "0.75", "1.5", "1.7"], [2700, 5400]],
    ["Time", ["2:30:00", "0:45:00", "1:30:00", "1:42:00"], [2700, 5400]],
    ["Total time", ["2:30:00", "0:45:00", "1:30:00", "1:42:00"], [2700, 5400]],
    ["HR", ["140", "150", "130", "145"], [150, 130]],
  ] as const)("called %s is of the workout alone in its row, and else of none", async (header, values, [run, ride]) => {
    const { open, text, workouts } = await beside(header, values);
    expect(open).toEqual([]);
    expect(text).toContain(`  shared: [${header}]  # ${header}: 2 of 4 rows have several workouts`);
    expect(workouts).toEqual([
      "2024-03-01 swim 1500 m",
      "2024-03-01 bike 30 km",
      "2024-03-01 run 10 km",
      `2024-03-02 run 8 km ${run}`,
      `2024-03-03 bike 40 km ${ride}`,
      "2024-03-04 swim 2000 m",
      "2024-03-04 run 12 km",
    ]);
  });

  test("where a zero says that there was no such workout", async () => {
    const days = ["2024-03-01,1500,30,10,", "2024-03-02,0,0,8,", "2024-03-03,0,40.0,0,"];
    const { workouts } = await beside("Hours", ["2.5", "0.75", "1.5"], days);
    expect(workouts).toEqual([
      "2024-03-01 swim 1500 m",
      "2024-03-01 bike 30 km",
      "2024-03-01 run 10 km",
      "2024-03-02 run 8 km 2700",
      "2024-03-03 bike 40 km 5400",
    ]);
  });

  test("is no question where each row has several workouts", async () => {
    const days = ["2024-03-01,1500,30,10,", "2024-03-02,1000,,8,", "2024-03-03,,40,9,"];
    const { open, text } = await beside("Hours", ["2.5", "1.75", "2.5"], days);
    expect(open).toEqual([]);
    expect(text).toContain("  Hours: { field: unsupported, label: Hours, unit: hours }");
  });
});

test("wide digits of Japanese sheets are digits, and those in notes stay as they are", async () => {
  const { open, workouts } = await fromLines([
    "日付,種目,距離（km）,時間,平均心拍,メモ",
    "２０２４／０３／０１,ラン,１２．５,１：０５：００,１４８,１０ｋｍまで楽に走れて、とても気持ちがよかった",
    "２０２４／０３／１５,ラン,８,０：４４：３０,１５２,",
    "２０２４／０３／１６,ラン,１０．２ｋｍ,０：５５：１０,,",
  ]);
  expect(open).toEqual([]);
  expect(workouts).toEqual([
    "2024-03-01 run 12.5 km 3900 148 １０ｋｍまで楽に走れて、とても気持ちがよかった",
    "2024-03-15 run 8 km 2670 152",
    "2024-03-16 run 10.2 km 3310",
  ]);
});

describe("a sum of the groups among them", () => {
  const TWO = [
    "2024-03-01 run 8.8 km 2670",
    "2024-03-03 run 8.3 km 2588",
    "2024-03-03 run 6.4 km 1984",
    "2024-03-05 run 8.2 km 2546",
    "2024-03-05 run 7.6 km 2356",
    "2024-03-07 run 5 km 1500",
    "2024-03-07 run 4.5 km 1400",
  ];
  const ROWS = [
    "2024-03-01,8.8,0:44:30,,,8.8,0:44:30,run",
    "2024-03-03,8.3,0:43:08,6.4,0:33:04,14.7,1:16:12,run",
    "2024-03-05,8.2,0:42:26,7.6,0:39:16,15.8,1:21:42,run",
    "2024-03-07,5,0:25:00,4.5,0:23:20,9.5,0:48:20,run",
  ];

  test.each([
    ["Daily total", ",AM,,PM,,Daily total,,", "Date,km,time,km,time,km,time,Sport"],
    ["Both", ",AM,,PM,,Both,,", "Date,km,time,km,time,km,time,Sport"],
    ["ensemble", ",matin,,soir,,ensemble,,", "Date,km,temps,km,temps,km,temps,Sport"],
    ["3", "", "Date,km 1,time 1,km 2,time 2,km 3,time 3,Sport"],
  ])("called %s: its values show it, and it is no third workout", async (_, above, header) => {
    const { open, text, workouts } = await fromLines([above, header, ...ROWS]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(TWO);
    expect(text).toMatch(/ignore, why: "?the sum of .+ and .+, in 4 of 4 rows/);
  });

  test("a distance of the day beside them: both workouts stay", async () => {
    const { open, workouts } = await fromLines([
      "Date,AM km,AM time,PM km,PM time,Day km,Sport",
      ...ROWS.map((row) => `${row.split(",").slice(0, 6).join(",")},run`),
    ]);
    expect(open).toEqual([]);
    expect(workouts).toEqual(TWO);
  });

  test("a third group that is no sum is a third workout", async () => {
    const { workouts } = await fromLines([
      ",AM,,noon,,PM,,",
      "Date,km,time,km,time,km,time,Sport",
      "2024-03-01,8,0:40:00,3,0:16:00,6,0:30:00,run",
      "2024-03-03,5,0:25:00,4,0:20:00,8.5,0:43:00,run",
      "2024-03-05,6,0:30:00,2,0:11:00,9,0:45:00,run",
    ]);
    expect(workouts).toHaveLength(9);
  });
});

test("a column with the same value each time is the sum of nothing", async () => {
  const days = Array.from({ length: 24 }, (_, at) => `2024-03-${String(at + 1).padStart(2, "0")}`);
  const { text } = await fromLines([
    "Date,Run km,Bike km,Sleep",
    ...days.map((day, at) =>
      at % 3 === 0 ? `${day},,22.4,7.5` : `${day},${(8 + ((at * 7) % 11) / 2).toFixed(1)},,7.5`,
    ),
  ]);
  expect(text).not.toContain("running sum");
});

describe("tables side by side", () => {
  test("each column belongs to the table in which it stands, with the days of that table", async () => {
    const { open, workouts } = await fromLines([
      "Date,Run km,Run time,Run HR,,Date,Bike km,Bike time,Remarks",
      "2024-03-01,10,0:50:00,150,,2024-03-02,40,1:30:00,wind",
      "2024-03-03,8.5,0:42:10,148,,2024-03-05,55.2,2:05:00,flat",
      "2024-03-04,12,1:01:00,151,,,,,",
    ]);
    expect(open).toEqual([]);
    expect(workouts.toSorted()).toEqual([
      "2024-03-01 run 10 km 3000 150",
      "2024-03-02 bike 40 km 5400 wind",
      "2024-03-03 run 8.5 km 2530 148",
      "2024-03-04 run 12 km 3660 151",
      "2024-03-05 bike 55.2 km 7500 flat",
    ]);
  });

  test("a second column of days, beside a diary of the weight, is a question", async () => {
    const { open } = await fromLines([
      "Date,Weight kg,,Date,Km,Time",
      "2024-03-04,70.1,,2024-03-01,10,0:50:00",
      "2024-03-11,70.3,,2024-03-03,8.5,0:42:10",
      "2024-03-18,70.0,,2024-03-04,12,1:01:00",
    ]);
    expect(open).toContain("columns.Date#2.field");
  });

  test("shoes in a row of a swim and a run are given to neither, and to a run alone", async () => {
    const { text } = await fromLines([
      "Date,Swim m,Swim time,Run km,Run time,Shoes",
      "2024-03-01,1500,0:32:00,10,0:50:00,Asics",
      "2024-03-03,,,8.5,0:42:10,Nike",
      "2024-03-04,2000,0:43:00,12,1:01:00,Asics",
    ]);
    expect(text).toMatch(/shared: .*Shoes/);
  });
});

test("the place and the effort of a whole triathlon are those of none of its parts", async () => {
  const { open, text, workouts } = await loadedFrom({
    "log.csv": [
      "Date,Swim m,Swim time,Bike km,Bike time,Run km,Run time,Overall place,RPE",
      ...[3, 4, 5, 6].map((n) => `2019-0${n}-06,750,0:13:2${n},20.5,0:35:1${n},5.${n},0:26:28,${n * 7},${n}`),
      "",
    ].join("\n"),
  });
  expect([open, workouts.length]).toEqual([[], 12]);
  expect(text).toMatch(/^ {2}shared: \[Overall place, RPE\]/m);
});
