import { describe, expect, test } from "vitest";
import { packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../test/support/proposal.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The proposal for a table of these lines: its columns, its open questions, and the file. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}) {
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(`${lines.join("\n")}\n`, told);
  const { choices, draft } = proposal;
  const open = choices.filter(isOpen);
  return {
    ...{ columns: Object.fromEntries(draft.columns), text: writeMapping(proposal, "log.csv"), rules: draft.rows },
    unproven: open.filter(({ isUnproven }) => isUnproven).map(({ place }) => place),
    ...{ open: open.map(({ place }) => place), first: open.map(({ options }) => options[0]?.value) },
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
  };
}

/** Rows with a date each. */
const dated = (rows: readonly string[]) => rows.map((row, at) => `2024-03-${String(at + 10)},${row}`);

test.each([
  ["138-156", "-"],
  ["138–156", "–"],
  ["138 / 156", "/"],
])("two heart rates such as %s are left, with the line that reads them", async (cell, mark) => {
  const { columns, open, why } = await infer(["Date,km,Time,HR", ...dated([0, 1, 2].map((at) => `1${at},0:5${at}:00,${cell}`))]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ HR: { field: "unsupported", label: "HR" } });
  expect(why("columns.HR.field")).toContain(`{ split: "(?P<avgHR>[0-9]+) *${mark} *(?P<maxHR>[0-9]+)" }`);
}); // biome-ignore format: a call

test.each([
  ["Weight (st)", ["11st 4", "11 st 5lb", "11 st"], "notes", 'in stones, such as "11st 4"'],
  ["Weight (st)", ["11.0", "11.2", "11.3"], "unsupported", 'in stones, such as "11.0"'],
  ["RPE", ["7/10", "3/10", "5/10"], "notes", 'cells such as "7/10" become notes; for the effort of the log, write them as numbers'],
  ["Feel", ["★★★☆☆", "★☆☆☆☆", "★★☆☆☆"], "notes", 'cells such as "★★★☆☆" become notes'],
  ["HR", ["#N/A", "#N/A", "#REF!"], "unsupported", "3 of 3 cells are errors of the spreadsheet, such as #N/A; none of them is loaded"],
  ["HR", ["150", "#N/A", "148"], "avgHR", "1 of 3 cells are errors of the spreadsheet, such as #N/A"],
])("a column %s with cells such as %j is %s, and it is said why", async (header, cells, field, why) => {
  const found = await infer([`Date,km,Time,${header}`, ...dated(cells.map((cell, at) => `1${at},0:5${at}:00,${cell}`))]);
  expect(found.open).toEqual([]);
  expect(found.columns).toMatchObject({ [header]: { field } });
  expect(found.why(`columns.${header}.field`)).toContain(why);
}); // biome-ignore format: a table

test.each([
  ["under a year in the title", ["2021年 練習日誌", "日付,距離,時間"], []],
  ["without a year", ["日付,距離,時間"], ["dates.year"]],
])("dates such as 5月3日 are read %s", async (_, header, asked) => {
  const { open, columns, text } = await infer([
    ...header,
    ...[3, 5, 9, 12].map((day) => `5月${day}日,${day + 4}km,0:4${day % 10}:00`),
  ]);
  expect(open).toEqual(asked);
  expect(columns).toMatchObject({ 日付: { field: "date" }, 距離: { unit: "km" } });
  expect(text).toContain("order: mdy");
});

test("Activity Name is the name, and headers such as constructor are headers", async () => {
  const { columns } = await infer([
    "Date,km,Time,Activity Name,constructor",
    ...dated([1, 2, 3].map((at) => `1${at},0:5${at}:00,Morning Run ${at},x`)),
  ]);
  expect(columns).toMatchObject({ "Activity Name": { field: "name" }, constructor: { field: "notes" } });
});

describe("names of weekdays beside the dates", () => {
  /** 10 March 2024 is a Sunday. */
  const NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const rows = (names: readonly string[]) => ["Date,Day,km,Time", ...dated(names.map((day, at) => `${day},1${at},0:5${at}:00`))];

  test.each([
    ["all true", NAMES, undefined],
    ["one of them wrong", NAMES.with(3, "Fri"), '1 of 7 dates contradicts the weekday beside it, such as "Fri" beside 2024-03-13'],
  ])("are no question: %s", async (_, names, why) => {
    const { open, columns, why: whyOf } = await infer(rows(names));
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ Day: { field: why === undefined ? "ignore" : "weekday" } });
    if (why === undefined) expect(whyOf("columns.Day.field")).toBeUndefined();
    else expect(whyOf("columns.Day.field")).toContain(why);
  });

  test("are a question where the dates have another year, which is named", async () => {
    // 10 March 2025 is a Monday.
    const { open, why } = await infer(rows(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]));
    expect(open).toEqual(["columns.Day.field"]);
    expect(why("columns.Day.field")).toContain("7 of 7 dates contradict the weekdays beside them");
    expect(why("columns.Day.field")).toContain("7 are right, if the dates are 1 year later");
  });
}); // biome-ignore format: a table

describe("exercises of a day", () => {
  const table = (days: readonly number[]) => [
    "Date,Exercise,Weight,Sets,Reps",
    ...days.map((day, at) => `2024-03-${day},${["Bench", "Squat", "Deadlift"][at % 3]},${60 + at},3,8`),
  ];
  const DAYS = [10, 10, 10, 12, 12, 12];

  test("are no workouts each, unless a person says so", async () => {
    await expect(infer(table(DAYS))).rejects.toThrow('with the column "Sets": 6 rows are of 2 days');
    const { rules } = await infer(table(DAYS), { "rows.exercises": "workouts" });
    expect(rules).toEqual([]);
  });

  test("are no question where each has a day of its own, or a duration", async () => {
    expect((await infer(table([10, 11, 12, 13, 14, 15]))).rules).toEqual([]);
    const timed = table(DAYS).map((line, at) => (at === 0 ? `${line},Time` : `${line},0:1${at}:00`));
    expect((await infer(timed)).rules).toEqual([]);
  });
});

test("letters of an unknown encoding are refused, and those of Windows-1252 are read", async () => {
  const rows = (notes: string) => ["Date,km,Notes", ...dated(["10,ok", `8,${notes}`, "12,ok"])];
  // The first one is "schöne Strecke über die Brücke" in the bytes of MS-DOS.
  await expect(infer(rows("sch\u201dne Strecke \u0081ber die Br\u0081cke"))).rejects.toThrow(
    /^1 cell has characters that are no letters, .* in the column "Notes"/,
  );
  expect((await infer(rows("sch\u00f6n \u2013 \u201etoll\u201c"))).open).toEqual([]);
});

describe("durations that a program shows as times of day", () => {
  // 22:21, 33:18, 39:54 and 24:27 for 3.8 to 8 km, in minutes and seconds.
  const times = ["22:21:00", "09:18:00", "15:54:00", "00:27:00"];
  const table = (cells: readonly string[], far: readonly number[]) => [
    "Date,km,Time",
    ...Array.from({ length: 12 }, (_, at) => `2024-03-${10 + at},${far[at % far.length]},${cells[at % cells.length]}`),
  ];

  test("are refused, and times of day where a person says so", async () => {
    const wrapped = table(times, [3.8, 6, 7.7, 4.6]);
    await expect(infer(wrapped)).rejects.toThrow("read as minutes and seconds, 12 of 12 rows have a usual pace");
    expect((await infer(wrapped, { "rows.times": "workouts" })).columns.Time).toMatchObject({ field: "time" });
  });

  test("are none where nobody began at night, or where the paces would be none", async () => {
    for (const [cells, far] of [
      [
        ["07:21:00", "18:18:00", "06:54:00", "17:27:00"],
        [5, 6, 7, 8],
      ],
      [times, [30, 80, 95, 40]],
    ] as const)
      expect((await infer(table(cells, far))).columns.Time).toMatchObject({ field: "time" });
  });
});

test.each(["Hora", "Uhrzeit", "Start"])("times below %s with a usual pace as hours, minutes and seconds are a question", async (header) => {
  const cells = ["5,0:25:10", "6.2,0:31:00", "11,0:58:40", "8,0:41:12", "7,0:36:30", "20,1:48:05"];
  const { open, first, columns } = await infer([`Date,km,${header}`, ...dated(cells)]);
  expect([open, first]).toEqual([[`columns.${header}.field`], ["duration"]]);
  expect(columns[header]).toMatchObject({ field: "duration", format: ["h:mm:ss"] });
  const early = ["5,6:25:10", "6.2,5:31:00", "11,7:58:40", "8,6:41:12", "7,5:36:30", "20,6:48:05"];
  expect((await infer([`Date,km,${header}`, ...dated(early)])).columns[header]).toMatchObject({ field: "time" });
}); // biome-ignore format: a sentence

test.each(["時間,分,秒", "Time,Min,Sec", "Zeit,Min,Sek"])("whole numbers below %s are hours, minutes and seconds", async (header) => {
  const cells = ["10,1,6,8", "11,0,52,13", "12,1,18,48", "9,0,44,23", "20,2,30,28"];
  const { open, columns } = await infer([`Date,km,${header}`, ...dated(cells)]);
  const fields = header.split(",").map((name) => columns[name]?.field);
  expect([open, fields]).toEqual([[], ["duration.hours", "duration.minutes", "duration.seconds"]]);
}); // biome-ignore format: a sentence

test.each(["Pool length", "Pool", "Length of pool", "Becken"])("%s is the length of a pool, and no distance", async (header) => {
  const { open, columns } = await infer([`Date,${header},Minutes`, ...dated(["25m,22", "25m,31", "50 m,40", "33 m,25"])], { "defaults.activity": "swim" });
  expect(open).toEqual([`columns.${header}.field`]);
  expect(columns[header]?.field).toBe("unsupported");
}); // biome-ignore format: a table

test.each([
  ["Athlete ID", ["101", "102", "103", "101", "102", "103"]],
  ["Email", ["ana@example.org", "ben@example.org", "ana@example.org", "ben@example.org"]],
])("%s tells several people apart, and is a question", async (header, cells) => {
  const rows = dated(cells.map((cell, at) => `${cell},${8 + at},0:4${at}:00`));
  expect((await infer([`Date,${header},km,Time`, ...rows])).open).toEqual(["rows.athlete"]);
});

test("a number that begins anew is no id of a workout, and one of its own is", async () => {
  const table = (ids: readonly number[]) => ["Date,ID,km,Time", ...dated(ids.map((id, at) => `${id},${8 + at},0:4${at}:00`))];
  expect((await infer(table([1, 2, 3, 1, 2]))).columns.ID).toEqual({ field: "unsupported", label: "ID", proposed: true });
  expect((await infer(table([1, 2, 3, 4, 5]))).columns.ID).toEqual({ field: "id" });
}); // biome-ignore format: a table

test.each([
  ["Start (UTC)", "2024-03-12 22:40:00", "utc"],
  ["Start time GMT", "2024-03-12 22:40", "utc"],
  ["Start", "2024-03-12 22:40", "local"],
  ["Start (UTC+2)", "2024-03-12 22:40", "local"],
])("times below %s such as %s are %s", async (header, start, zone) => {
  const rows = [start, start.replace("12", "14"), start.replace("12", "17")].map((one, at) => `${one},${8 + at},0:4${at}:00`);
  const { text } = await infer([`${header},km,Time`, ...rows]);
  expect(/ {2}zone: (\S+)/.exec(text)?.[1] ?? "local").toBe(zone);
}); // biome-ignore format: a table

test("the hours, heart rates and efforts of a week are none of its days, and questions", async () => {
  const days = "Mon,Tue,Wed,Thu,Fri,Sat,Sun";
  const lines = [
    `Week of,${days},Total km,Hours,Avg HR,RPE`,
    "2023-01-02,9,,,,5,11,,25,2.3,135,6",
    "2023-01-09,,5,,,,,11,16,1.5,145,7",
    "2023-01-16,,,8,,6,,12,26,2.4,141,5",
  ];
  const { open, columns } = await infer(lines);
  expect(open).toEqual(expect.arrayContaining(["columns.Hours.field", "columns.Avg HR.field", "columns.RPE.field"]));
  expect(columns["Total km"]?.field).toBe("ignore");
});

test.each(["Run time", "Moving"])("Time beside %s is no time of the day in its first hours", async (header) => {
  const rows = dated(["8.7,0:49,0:45", "10,0:55,0:52", "12.1,1:12,1:05", "6,0:40,0:38"]);
  const { columns } = await infer([`Date,Distance (km),Time,${header}`, ...rows]);
  expect(Object.values(columns).map(({ field }) => field)).not.toContain("time");
});

test("a unit in the header and in the line below it is said twice, and no question", async () => {
  const rows = dated(["10,0:50:10,141", "11,0:56:10,143", "12,1:01:00,150"]);
  const { open, columns } = await infer(["Date,Distance (km),Time,HR", ",km,,bpm", ...rows]);
  expect([open, columns["Distance (km)"]]).toEqual([[], { field: "distance", unit: "km" }]);
  expect((await infer(["Date,Distance (km),Time,HR", ",mi,,bpm", ...rows])).open).not.toEqual([]);
});

test("Danish walks and easy runs are known", async () => {
  const { open, columns, text } = await infer(["Dato,Sport,Type,km,Tid", ...dated(["Gang,let,5,0:55:10", "Løb,lang,18,1:36:10", "Løb,let,8,0:43:00"])]);
  expect([open, columns.Type?.field]).toEqual([[], "type"]);
  expect(text).not.toContain("CHECK");
}); // biome-ignore format: a table

test.each(["Started at", "Began", "Gestartet um"])("times below %s are the start", async (header) => {
  const cells = ["5,6:25 PM,0:25:10", "6.2,7:05 AM,0:31:00", "11,5:58 PM,0:58:40"];
  const { open, columns } = await infer([`Date,km,${header},Time`, ...dated(cells)]);
  expect([open, columns[header]]).toEqual([[], { field: "time" }]);
});

describe("durations of short runs below Time", () => {
  /** Kilometres, and the minutes and seconds of each at some 5:00/km. */
  const RUNS = [[1.7, "8:30"], [1.9, "9:30"], [2.2, "11:00"], [1.8, "9:00"], [2.1, "10:30"], [2.6, "13:00"]] as const; // biome-ignore format: a table
  const table = (name: string, cells: readonly (readonly [far: number, cell: string])[]) => [
    `Date,km,${name}`,
    ...dated(cells.map(([far, cell]) => `${far},${cell}`)),
  ];

  test.each([
    ["", "mm:ss"],
    [":00", "mm:ss:00"],
  ])("are a question, with the duration first, where they end in %j", async (end, format) => {
    const lines = table("Time", RUNS.map(([far, cell]) => [far, `${cell}${end}`])); // biome-ignore format: a call
    const { open, first, columns } = await infer(lines);
    expect([open, first]).toEqual([["columns.Time.field"], ["duration"]]);
    expect(columns.Time).toMatchObject({ field: "duration", format: [format] });
    expect((await infer(lines, { "columns.Time.field": "time" })).columns.Time).toMatchObject({ field: "time" });
  });

  test.each([
    ["another column is the duration", "Time,Duration", RUNS.map(([far, cell]) => [far, `${cell},0:10:00`] as const)],
    ["round times don't follow the distances", "Time", [[5, "18:00"], [3, "18:30"], [4, "17:30"], [3, "17:30"], [5, "17:00"], [4, "19:00"]] as const],
  ])("are times of the day where %s", async (_, name, cells) => {
    const { open, columns } = await infer(table(name, cells));
    expect([open, columns.Time]).toEqual([[], { field: "time" }]);
  }); // biome-ignore format: a table

  test("are a question beside metres below m, too", async () => {
    const swims = ["400,8:00", "500,10:01", "750,15:02", "1000,20:10", "400,8:05", "1500,23:59"];
    const { open, first, columns } = await infer(["Date,m,Time", ...dated(swims)]);
    expect([open, first]).toEqual([["columns.Time.field"], ["duration"]]);
    expect(columns).toMatchObject({ m: { field: "distance", unit: "m" }, Time: { field: "duration", format: ["mm:ss"] } });
  }); // biome-ignore format: a call

  test("are durations for sure where a workbook shows elapsed time, and each is read as minutes and seconds", async () => {
    const rows = RUNS.map(([far, cell], at) => {
      const [minutes = 0, seconds = 0] = cell.split(":").map(Number);
      return [{ days: 45_000 + at, format: "yyyy-mm-dd", shown: "" }, far, { days: (minutes + seconds / 60) / 24, format: "[h]:mm:ss", shown: "" }];
    });
    const workbook = packed(xlsxParts([{ name: "Log", rows: [["Date", "km", "Time"], ...rows] }]));
    const archive = memoryArchive("log", { "log.xlsx": workbook });
    const [entry] = archive.entries();
    if (entry === undefined) throw new Error("no table");
    const proposal = await inferMapping(archive, entry, new Map([["defaults.activity", "run"]]), "2026-03-01");
    if ("problem" in proposal) throw new Error(proposal.problem);
    expect(proposal.choices.filter(isOpen)).toEqual([]);
    const text = writeMapping(proposal, "log.xlsx");
    const { readings } = await readAll(csv, memoryArchive("log", { "log.xlsx": workbook, "log.xlsx.map.yaml": text }));
    expect(readings.map((reading) => reading.kind === "workout" && "value" in reading && reading.value.duration)).toEqual([510, 570, 660, 540, 630, 780]);
  }); // biome-ignore format: a table
});

test.each([
  ["Date,km,min,max", ["6.2,95,152", "9.5,96,178", "7.4,97,161"], ["columns.min.field", "columns.max.field"], "unsupported"],
  // With a duration, they are columns that nobody knows, which keep the account open.
  ["Date,km,Time,min,max", ["6.2,0:36:28,95,152", "9.5,0:52:43,96,178", "7.4,0:41:00,97,161"], [], "unsupported"],
  ["Date,km,min", ["6.2,36", "9.5,52", "7.4,41"], [], "duration"],
])("a column min beside max has no minutes: %s", async (header, rows, questions, field) => {
  const { open, columns } = await infer([header, ...dated(rows)]);
  expect([open, columns.min?.field, columns.min?.unit]).toEqual([questions, field, undefined]);
}); // biome-ignore format: a table

describe("an average heart rate above the highest", () => {
  const right = Array.from({ length: 8 }, (_, at) => `${10 + at},0:5${at}:00,14${at},16${at}`);
  const swapped = Array.from({ length: 4 }, (_, at) => `${12 + at},1:0${at}:00,17${at},15${at}`);
  const table = (rows: readonly string[]) => ["Date,km,Time,Avg HR,Max HR", ...dated(rows)];

  test("is refused in several rows, which are read as they are where a person says so", async () => {
    const lines = table([...right, ...swapped]);
    await expect(infer(lines)).rejects.toThrow(/^in 4 of 12 rows the average in the column "Avg HR" is above .* from 2024-03-18 to 2024-03-21\. /);
    expect((await infer(lines, { "rows.heartRates": "workouts" })).columns).toMatchObject({ "Avg HR": { field: "avgHR" } });
  }); // biome-ignore format: a call

  test("is a slip in one row", async () => {
    expect((await infer(table([...right, ...swapped.slice(0, 1)]))).open).toEqual([]);
  });
});

test("heart rates and weights that changed places are refused, and other weights above heart rates aren't", async () => {
  const table = (rows: readonly string[]) => ["Date,km,Time,HR,Weight", ...dated(rows)];
  const right = Array.from({ length: 6 }, (_, at) => `${10 + at},0:5${at}:00,15${at},7${at}`);
  const swapped = Array.from({ length: 4 }, (_, at) => `${12 + at},1:0${at}:00,7${at},15${at}`);
  await expect(infer(table([...right, ...swapped]))).rejects.toThrow(
    /^in 4 of 10 rows, from \S+ to \S+, the column "HR" has numbers such as 70, as "Weight" has in the other rows, and "Weight" has 150\. The two columns/,
  );
  // Pounds are above easy heart rates anyway.
  const pounds = [...right, ...swapped].map((_, at) => `${10 + at},0:5${at % 10}:00,${145 + at},${150 + (at % 3)}`);
  expect((await infer(table(pounds))).columns).toMatchObject({ HR: { field: "avgHR" } });
});

test("a column that no mapping file can name is refused where a person would be asked about it", async () => {
  const lines = ["Date,__proto__,Time", ...dated(["6.2,0:36:28", "9.5,0:52:43", "12.1,1:02:43"])];
  await expect(infer(lines)).rejects.toThrow('a column is called "__proto__", which no mapping file can name');
});

test("one value a row beside groups stays with its workout where no row has several", async () => {
  const { why } = await infer(["Date,Kms Run,Kms Bike,Time", ...dated([",18.6,0:36:28", "9.5,,0:52:43", ",36.3,1:02:43", "12.5,,1:09:10"])]);
  expect(why("layout.shared")).toMatch(/no row has several workouts, so each workout has it$/);
}); // biome-ignore format: a call

describe("rows that stand in a table twice", () => {
  const ROWS = dated(["10,0:52:00,a", "8,0:41:00,b", "12,1:03:00,c", "9,0:46:00,d", "7,0:36:00,e"]);
  const table = (rows: readonly string[]) => ["Date,km,Time,Notes", ...rows];

  test("are refused with their days, and are workouts where a person says so", async () => {
    const pasted = table([...ROWS, ...ROWS.slice(1, 4)]);
    await expect(infer(pasted)).rejects.toThrow(/^3 rows stand in the table twice .* from 2024-03-11 to 2024-03-13\. /);
    expect((await infer(pasted, { "rows.repeated": "workouts" })).open).toEqual([]);
  });

  test("are refused wherever they stand above: races listed once more below the log", async () => {
    const races = [ROWS[0], ROWS[2], ROWS[4]].map(String);
    await expect(infer(table([...ROWS, "", "Races,,,", ...races]))).rejects.toThrow(/^3 rows stand in the table twice/);
  });

  test.each([
    ["two days, each twice", [...ROWS, ...ROWS.slice(1, 3)]],
    ["the same workouts on other days", [...ROWS, ...ROWS.map((row) => row.replace("2024-03", "2024-04"))]],
    ["each day twice", ROWS.flatMap((row) => [row, row])],
  ])("are none: %s", async (_, rows) => {
    expect((await infer(table(rows))).open).toEqual([]);
  });
});

test("a proposed file has no list of words for a column that becomes notes", async () => {
  const { columns, text } = await infer([
    "Date,Séance,km,Temps,Météo",
    ...dated(["footing,10,0:50:00,soleil", "fractionné 10x400,8,0:41:00,22 degrés", "footing 9,9,0:45:00,soleil / 9"]),
  ]);
  expect(columns).toMatchObject({ Séance: { field: "notes" }, Météo: { field: "notes" } });
  expect(text).not.toContain("values:");
});

/** Weeks with a letter for each sport. */
const TRIATHLETE = [
  "Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun",
  ...["06", "13", "20", "27"].map((day) => `2023-02-${day},S 2000,R 8,B 40,off,R 6,B 80 / R 5,R 16`),
];

test("letters for sports before the numbers are refused, because one sport for all would be wrong", async () => {
  await expect(infer(TRIATHLETE)).rejects.toThrow(
    'has letters before its numbers, such as "S 2000", "R 16", "B 80 / R 5"',
  );
});

test("days of rest in a table of weeks are left out by a rule with its reason", async () => {
  const { rules } = await infer(TRIATHLETE, { "columns.Workout.field": "notes" });
  expect(rules).toEqual([{ when: [{ column: "Workout", matches: "^(?:off)$" }], skip: "rest day" }]);
});

describe("a distance that is the running total of its rows", () => {
  /** Distances, and the minutes of each. */
  const RUNS = [[8.1, 44], [12.5, 66], [7.2, 40], [10.3, 55], [15, 82], [6.4, 36], [9.8, 51], [11.1, 62], [8.7, 46]] as const; // biome-ignore format: a table
  const total = (from: number, every = 100) => {
    let sum = from;
    return RUNS.map(([km], at) => {
      sum = at % every === 0 ? from + km : sum + km;
      return sum;
    });
  };
  const timed = (sums: readonly number[]) => dated(sums.map((sum, at) => `${sum.toFixed(1)},${RUNS[at]?.[1]}`));
  const TOTALS = {
    "from the first row on": timed(total(0)),
    "that begins anew": timed(total(0, 4)),
    "of an odometer": timed(total(1270)),
    "with the newest row first": timed(total(0)).toReversed(),
    "without a duration": dated(total(0).map((sum) => `${sum.toFixed(1)},`)),
  };

  test.each(Object.entries(TOTALS))("%s is a question", async (_, rows) => {
    const { open, first, why } = await infer(["Date,km,min", ...rows]);
    expect([open[0], first[0]]).toEqual(["columns.km.field", "unsupported"]);
    expect(why("columns.km.field")).toContain("it seems to be a running total");
  });

  test("has no printed answer where nothing else measures a workout: leaving it out would leave nothing", async () => {
    const bare = dated(total(0).map((sum) => sum.toFixed(1)));
    expect((await infer(["Date,km", ...bare])).unproven).toEqual(["columns.km.field"]);
    expect((await infer(["Date,km,min", ...timed(total(0))])).unproven).toEqual([]);
  });

  test("is loaded where a person says that it is the distance", async () => {
    const answers = { "columns.km.field": "distance", "columns.km.unit": "km" };
    const { columns } = await infer(["Date,km,min", ...timed(total(0))], answers);
    expect(columns).toMatchObject({ km: { field: "distance", unit: "km" } });
  });

  test.each([
    ["the distances of runs", RUNS.map(([km, min]) => `${km},${min}`)],
    ["a plan that grows by a kilometre", RUNS.map((_, at) => `${5 + at},${(5 + at) * 5.5}`)],
    ["a plan that grows by ten kilometres", RUNS.map((_, at) => `${30 + 10 * at},${(30 + 10 * at) * 2.3}`), "bike"],
    ["rising rides without durations", RUNS.map((_, at) => `${40 + 5 * at},`), "bike"],
    ["three runs a week, the longest last", RUNS.map((_, at) => `${[5, 9, 18][at % 3]},${[28, 50, 104][at % 3]}`)],
  ])("is not %s", async (_, rows, sport = "run") => {
    const { columns, open } = await infer(["Date,km,min", ...dated(rows)], { "defaults.activity": sport });
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ km: { field: "distance", unit: "km" } });
  });
});

describe("a start and an end", () => {
  const LINES = [
    "Datum;von;bis;km",
    "1.6.2020;6:30;7:24;10,9",
    "4.6.2020;18:15;18:56;7,4",
    "16.6.2020;17:00;18:02;11,6",
  ];

  test("are times of day: the end is left, and no duration", async () => {
    const { columns, open, first } = await infer(LINES, { "columns.von.field": "time" });
    expect([open, first]).toEqual([["columns.bis.field"], ["unsupported"]]);
    expect(columns).toMatchObject({ bis: { field: "unsupported", label: "bis" } });
  });

  test("are none where a value is earlier than the start: it is the duration", async () => {
    const lines = [...LINES, "19.6.2020;18:15;0:46;8,1"];
    const { first, open } = await infer(lines, { "columns.von.field": "time" });
    expect([open[0], first[0]]).toEqual(["columns.bis.field", "duration"]);
  });
});

test.each(["Rep dist,Rep time", "Wdh-Distanz,Wdh-Zeit"])(
  "of intervals (%s) the whole is read, and neither a repetition's distance nor its time as a time of day",
  async (header) => {
    const { columns, open } = await infer([
      `Date,Reps,${header},Total km,Total time`,
      ...dated([",,,7.3,40:09", "6,1000m,2:58,11.8,64:54", ",,,9.0,49:30", "5,800m,1:25,10.9,59:57"]),
    ]);
    expect(open).toEqual([]);
    expect(columns).toMatchObject({ "Total km": { field: "distance" }, "Total time": { field: "duration" } });
  },
);

test("a list of best times behind an empty column is a table of its own, and no notes of the first runs", async () => {
  const best = ["5k,19:58,2018-05-01", "10k,41:20,2019-09-01"];
  const { columns } = await infer([
    "Date,Km,Time,,PB,PB time,PB date",
    ...dated([8, 9, 10, 11, 12, 13].map((km, at) => `${km},0:5${at}:00,,${best[at] ?? ",,"}`)),
  ]);
  expect(columns).toMatchObject({ PB: { field: "ignore" }, "PB date": { field: "ignore" } });
});

test("times that happen to grow by as many seconds as there were kilometres are no running sum of them", async () => {
  const kilometres = [10, 11, 12, 10, 11, 12, 10, 11, 12];
  const seconds = kilometres.map((_, at) => 600 + kilometres.slice(0, at + 1).reduce((sum, km) => sum + km, 0));
  const clock = (all: number) => `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
  const { text } = await infer(["Date,Km,Walk", ...dated(kilometres.map((km, at) => `${km},${clock(seconds[at] ?? 0)}`))]);
  expect(text).not.toContain("running sum");
}); // biome-ignore format: a call

test("hours and minutes with a dot are found by their speeds", async () => {
  const rows = [["0.45", 8.3], ["0.52", 9.6], ["1.05", 12], ["1.15", 13.9], ["0.30", 5.6], ["1.38", 18.1]] as const;
  const { columns, open } = await infer([
    "Date,Run time,Dist",
    ...[...rows, ...rows].map(([time, km], at) => `2024-03-${10 + at},${time},${km} km`),
  ]);
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ "Run time": { field: "duration", format: ["h.mm"] } });
}); // biome-ignore format: a table

test("numbers of kilometres and some words below days are asked about as distances first", async () => {
  const { open, first } = await infer([
    "Week of,Mon,Tue,Wed,Thu,Fri,Sat,Sun",
    ...["01", "08", "15", "22"].map((day) => `2021-03-${day},rest,8,10,12,x,17,6 easy`),
  ]);
  expect([open[0], first[0]]).toEqual(["columns.Measured.field", "distance"]);
}); // biome-ignore format: a call
