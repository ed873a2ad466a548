/** Cells and rows that mean less or more than they say: an end instead of a duration, a sign for the cell above, a lap, a day, a race of others. */
import { expect, test } from "vitest";
import { type MadeSheet, packed, xlsxParts } from "../../../fixtures/make/workbook.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** What comes of a table: why it waits, its open questions with their answers, and the workouts that it gives. */
async function load(name: string, content: string | Uint8Array, answers: Record<string, string> = {}) {
  const archive = memoryArchive("log", { [name]: content });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) return { refused: `${proposal.problem}. ${proposal.next}`, workouts: [] };
  const asked = proposal.choices.filter(isOpen);
  const open = Object.fromEntries(asked.map(({ place, options }) => [place, options.map(({ value }) => value)]));
  if (asked.length > 0) return { open, why: asked[0]?.why, isUnproven: asked[0]?.isUnproven === true, workouts: [] };
  const read = await readAll(
    csv,
    memoryArchive("log", { [name]: content, [`${name}.map.yaml`]: writeMapping(proposal, name) }),
  );
  return { workouts: read.readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])) };
}

/** A table of rows, each with a date of its own. */
const dated = (header: string, rows: readonly string[]) =>
  `${[`Date,${header}`, ...rows.map((row, at) => `2024-03-${String(at + 1).padStart(2, "0")},${row}`)].join("\n")}\n`;

const RUNS = ["10,0:50:00", "8.2,0:41:10", "12.4,1:03:30", "9,0:46:20", "7.1,0:36:00", "11,0:57:10"];

test.each([
  [
    ["50,2:10:07", "61.5,2:40:00", "55,2:25:00", "8,20:00:00"],
    [7807, 9600, 8700, 1200],
  ],
  [
    ["10,50:00:00", "8.2,41:30:00", "12.4,1:03:00"],
    [3000, 2490, 3780],
  ],
])("below Time, %j are minutes from 12 hours on where only so they are usual", async (rows, seconds) => {
  const { workouts } = await load("log.csv", dated("Ride km,Time", rows));
  expect(workouts.map(({ duration }) => duration)).toEqual(seconds);
});

test("long hikes without a distance last hours, and no minutes", async () => {
  const { workouts } = await load("log.csv", dated("Hike,Duration", ["Watzmann,5:00:00", "Rigi,4:30:00", "Pilatus,7:00:00"]), {
    "defaults.activity": "hike",
  });
  expect(workouts.map(({ duration }) => duration)).toEqual([18_000, 16_200, 25_200]);
}); // biome-ignore format: a call

test("of long times that are hours in some rows and minutes in others, nobody guesses", async () => {
  const found = await load(
    "log.csv",
    dated("Ride km,Time", ["300,14:00:00", "50,2:10:07", "8,20:00:00", "61,2:40:09"]),
  );
  expect(found.open).toEqual({ "columns.Time.format": ["h:mm:ss", "h:mm:ss, mm:ss:00"] });
  expect([found.isUnproven, found.why]).toEqual([
    true,
    expect.stringContaining("1 are usual only as minutes and seconds, such as 20:00:00, and 1 only as hours"),
  ]);
  expect(found.why).toContain("such as 0:20:00, and propose again");
});

test.each([
  ["Month", ["Jan 2024", "Feb 2024"]],
  ["", ["Januar", "Februar"]],
])("a small table below %j beside the log is no second workout", async (name, [first = "", second = ""]) => {
  const beside = [`,,${first},30.6,2:34:40`, `,,${second},27.1,2:19:30`];
  const rows = RUNS.map((row, at) => `${row}${beside[at] ?? ",,,,"}`);
  const { workouts } = await load("log.csv", dated(`Run km,Time,,${name},Run km,Time`, rows));
  expect(workouts.map(({ distance }) => distance?.value)).toEqual([10, 8.2, 12.4, 9, 7.1, 11]);
});

test("days of a month that stand in the sheet of the next one, too, are refused", async () => {
  const month = (days: readonly number[], more: MadeSheet["rows"] = []): MadeSheet["rows"] => [
    ["Day", "Run km", "Time"],
    ...days.map((day, at) => [day, 8 + day / 10, `0:4${at}:00`]),
    ...more,
  ];
  const book = (april: MadeSheet["rows"]) =>
    packed(
      xlsxParts([
        { name: "March 2024", rows: month([2, 5, 9, 14]) },
        { name: "April 2024", rows: april },
      ]),
    );
  const left = await load("log.xlsx", book(month([2, 5, 9, 14], [[20, 12, "1:01:00"]])));
  expect(left.refused).toContain("4 workouts stand in more than one sheet, such as that of the day 14");
  // The same days with other values are runs of their own.
  const other = [3, 6, 10].map((day) => [day, 5 + day / 10, "0:31:00"]);
  expect((await load("log.xlsx", book(month([], other)))).workouts).toHaveLength(7);
});

test.each([
  ["Start,End", ["18:57,19:44", "23:30,0:20", "7:05,8:01"], ["18:57:00", "23:30:00", "07:05:00"]],
  ["von,bis", ["18:57,19:44", "23:30,0:20", "7:05,8:01"], ["18:57:00", "23:30:00", "07:05:00"]],
])("below %s, %j say how long each run was", async (header, rows, times) => {
  const { workouts } = await load(
    "log.csv",
    dated(
      `${header},Run km`,
      rows.map((row) => `${row},9`),
    ),
  );
  expect(workouts.map(({ start, duration }) => [start.time, duration])).toEqual(
    [2820, 3000, 3360].map((seconds, at) => [times[at], seconds]),
  );
});

test("numbers for sports are the words of their owner, and no platform's", async () => {
  // For Strava, 1 is a ride.
  const table = dated("Kind,km,Time", ["1,6.2,0:36:28", "2,28.5,1:06:30", "1,12.5,1:09:10", "2,22.2,0:51:48"]);
  const is = { "columns.Kind.field": "activity" };
  const sportsOf = async (answers: Record<string, string>) =>
    (await load("log.csv", table, { ...is, ...answers })).workouts.map(({ activity }) => activity);
  // A plan rejects a workout whose sport nobody knows.
  expect(await sportsOf({})).toEqual([undefined, undefined, undefined, undefined]);
  const workouts = await sportsOf({ "values.activity.1": "run", "values.activity.2": "bike" });
  expect(workouts).toEqual(["run", "bike", "run", "bike"]);
});

test("a break beside start and end is a question, and no duration", async () => {
  const table = dated("Start,Ende,Pause,Run km", ["18:57,19:44,0:10,9", "23:30,0:20,0:05,9", "7:05,8:01,0:10,9"]);
  expect(Object.keys((await load("log.csv", table)).open ?? {})).toEqual(["columns.Pause.field"]);
  const { workouts } = await load("log.csv", table, { "columns.Pause.field": "notes" });
  expect(workouts.map(({ duration, notes }) => [duration, notes])).toEqual([[2820, "0:10"], [3000, "0:05"], [3360, "0:10"]]);
}); // biome-ignore format: a call

test("beside a duration, the end of a run stays what it was", async () => {
  const rows = ["18:57,19:44,9,0:47:00", "17:30,18:20,9,0:50:00", "7:05,8:01,9,0:56:00"];
  const { open } = await load("log.csv", dated("Start,End,Run km,Duration", rows));
  expect(Object.keys(open ?? {})).not.toContain("columns.Start.field");
});

test.each([['"""",""""'], ["dito,dito"], ["〃,〃"]])("cells of %s stand for the cells above", async (ditto) => {
  const rows = ["run,Prater,10,0:50:00", `${ditto},8.2,0:41:10`, "bike,Wachau,50,2:00:00", `${ditto},61,2:31:00`];
  const { workouts } = await load("log.csv", dated("Sport,Route,km,Time", rows));
  expect(workouts.map(({ activity }) => activity)).toEqual(["run", "run", "bike", "bike"]);
  expect(new Set(workouts.map(({ course }) => course)).size).toBe(2);
});

test.each([
  ["Shoes", "same", "Same"],
  ["Schuhe", "gleiche", "dto."],
  ["Chaussures", "même", "les mêmes"],
  ["Zapatillas", "mismas", "mismas"],
  ["Route", "same", "same as above"],
])("below %s, %s and %s stand for the cell above", async (header, one, other) => {
  const cells = ["Pegasus", one, "Kayano", other, other, "Pegasus"];
  const rows = cells.map((cell, at) => `${RUNS[at]},${cell}`);
  const { workouts } = await load("log.csv", dated(`Run km,Time,${header}`, rows));
  const named = workouts.map(({ equipment, course }) => `${course ?? equipment}`.replace(/^.*:/, ""));
  expect(named).toEqual(["pegasus", "pegasus", "kayano", "kayano", "kayano", "pegasus"]);
});

test.each(["Run #", "Run", "Lauf", "Lauf-Nr.", "Run No."])("a column %s that counts 1, 2, 3 is no distance", async (header) => {
  const rows = RUNS.map((row, at) => `${at + 1},${row}`);
  const { workouts } = await load("runs.csv", dated(`${header},km,Time`, rows));
  expect(workouts.map(({ distance }) => distance?.value)).toEqual([10, 8.2, 12.4, 9, 7.1, 11]);
}); // biome-ignore format: a call

test("of a lone column Run that counts 1, 2, 3, a person is asked", async () => {
  const rows = RUNS.map((row, at) => `${at + 1},${row.split(",")[1]}`);
  const { open } = await load("runs.csv", dated("Run,Time", rows));
  expect(Object.keys(open ?? {})).toContain("columns.Run.field");
});

test("the note same alone stays a note", async () => {
  const { workouts } = await load("log.csv", dated("Run km,Time,Notes", RUNS.map((row, at) => `${row},${at > 1 ? "same" : "hot"}`)));
  expect(workouts.map(({ notes }) => notes)).toEqual(["hot", "hot", "same", "same", "same", "same"]);
}); // biome-ignore format: a call

test.each([
  ["2.700", "1.250", "0.950"],
  ["2.700", "1.250", "950"],
])("below Schwimmen, %s, %s and %s are metres", async (...metres) => {
  const rows = metres.map((one, at) => `${at + 13}.03.2024;${one};${["0:58:10", "0:27:40", "0:20:30"][at]}`);
  const { workouts } = await load("log.csv", `Datum;Schwimmen;Zeit\n${rows.join("\n")}\n`, {
    "columns.Schwimmen.field": "distance",
  });
  expect(workouts.map(({ distance }) => distance?.value)).toEqual([2700, 1250, 950]);
});

test("a column of emojis is the sport", async () => {
  const rows = ["🏃,10,0:50:00", "🚴‍♂️,50,2:00:00", "🏊🏽,1.5,0:33:00", "🏃‍♀️,8,0:41:00"];
  const { workouts } = await load("log.csv", dated("🏅,km,Time", rows));
  expect(workouts.map(({ activity }) => activity)).toEqual(["run", "bike", "swim", "run"]);
});

test("a picture beside the word of a sport is decoration, and HRavg, HRmax and Varighet are known", async () => {
  const rows = ["🏃 run,10,0:50:00,140,171", "🚴 bike,50,2:00:00,130,165", "swim 🏊,1.5,0:33:00,120,150"];
  const { workouts } = await load("log.csv", dated("Sport,km,Varighet,HRavg,HRmax", rows));
  expect(workouts.map(({ activity, duration }) => [activity, duration])).toEqual([
    ["run", 3000],
    ["bike", 7200],
    ["swim", 1980],
  ]);
  expect(workouts.map(({ health }) => [health?.avgHR, health?.maxHR])).toEqual([
    [140, 171],
    [130, 165],
    [120, 150],
  ]);
});

test.each([
  ["Puls (Ø/max)", ["149/169", "152/171", "140"], [149, 152, 140], [169, 171, undefined]],
  ["HR avg-max", ["149-169", "152-171", "138-160"], [149, 152, 138], [169, 171, 160]],
  ["HR avg (max)", ["149 (169)", "152 (171)", "140"], [149, 152, 140], [169, 171, undefined]],
])("two heart rates below %s are the average and the highest", async (header, cells, means, highest) => {
  const { workouts } = await load(
    "log.csv",
    dated(
      `Run km,Time,${header}`,
      cells.map((cell, at) => `${RUNS[at]},${cell}`),
    ),
  );
  expect(workouts.map(({ health }) => health?.avgHR)).toEqual(means);
  expect(workouts.map(({ health }) => health?.maxHR)).toEqual(highest);
});

test.each([
  ["Pass", "Löpning Cykling Längdskidor Löpning", ["run", "bike", "ski", "run"]],
  ["Økt", "Løping Langrenn Løping Sykling", ["run", "ski", "run", "bike"]],
  ["Sport", "Běh Kolo Běh Plavání", ["run", "bike", "run", "swim"]],
  // Nobody knows the word, so the plan asks for it.
  ["Was", "Laufen Rad Krzlbrx Laufen", ["run", "bike", undefined, "run"]],
])("below %s, %s are sports", async (header, words, activities) => {
  const rows = words
    .split(" ")
    .map((word, at) => `${word},${["10,0:50:00", "30,1:10:00", "12,1:00:00", "8,0:41:00"][at]}`);
  const { workouts } = await load("log.csv", dated(`${header},km,Time`, rows));
  expect(workouts.map(({ activity }) => activity)).toEqual(activities);
});

test("dates of six digits below the header of a date have the year in front, and other numbers are none", async () => {
  const days = ["180129", "180131", "180202", "180203", "180206", "180210", "180211"];
  const table = (header: string) =>
    `${[header, ...days.map((day, at) => `${day},${RUNS[at % RUNS.length]}`)].join("\n")}\n`;
  const { workouts } = await load("log.csv", table("Datum,Run km,Time"));
  expect(workouts.map(({ start }) => start.date)).toEqual([
    "2018-01-29",
    "2018-01-31",
    "2018-02-02",
    "2018-02-03",
    "2018-02-06",
    "2018-02-10",
    "2018-02-11",
  ]);
  expect((await load("log.csv", table("Code,Run km,Time"))).refused).toContain("no column has dates");
});

test("of miles and kilometres, the first answer is the one that the table speaks for", async () => {
  const rows = ["01/16/2024,4.2", "01/23/2024,5.1", "01/30/2024,4.5", "02/13/2024,6.3"];
  const { open } = await load("log.csv", `Date,Distance\n${rows.join("\n")}\n`, { "defaults.activity": "run" });
  expect(open?.["columns.Distance.unit"]).toEqual(["mi", "km"]);
});

test.each([
  ["Bahnen (25 m)", "m", [1000, 1500, 2175]],
  ["Lengths 25yd", "yd", [1000, 1500, 2175]],
  ["Longueurs (50m)", "m", [2000, 3000, 4350]],
])("without a distance, %s are so many %s each", async (header, unit, lengths) => {
  const rows = ["40,0:20:10", "60,0:31:40", "87,0:45:20"];
  const { workouts } = await load("log.csv", dated(`${header},Swim time`, rows), { "defaults.activity": "swim" });
  expect(workouts.map(({ distance }) => distance)).toEqual(
    lengths.map((value) => ({ unit, value: expect.closeTo(value, 6) })),
  );
});

test.each([
  ["Måned,Dag", ["januar,3", "januar,5", "marts,1"]],
  ["Monat,Tag", ["1,3", "1,5", "3,1"]],
])("of dates in the columns %s, the name of the file says the year", async (header, rows) => {
  const lines = [`${header},Run km,Time`, ...rows.map((row, at) => `${row},${RUNS[at]}`)];
  const { workouts } = await load("lob-2021.csv", `${lines.join("\n")}\n`, { "dates.order": "dmy" });
  expect(workouts.map(({ start }) => start.date)).toEqual(["2021-01-03", "2021-01-05", "2021-03-01"]);
});

test("distances with either decimal mark in one column are all read", async () => {
  const { workouts } = await load(
    "log.csv",
    dated("Run km;Time", ["8,2;0:41:10", "10.5;0:52:30", "9;0:46:20", "12,25;1:03:30"]).replaceAll(
      /^([^,]*),/gm,
      "$1;",
    ),
  );
  expect(workouts.map(({ distance }) => distance?.value)).toEqual([8.2, 10.5, 9, 12.25]);
});

const NAMES = [
  "Ana Roy",
  "Eva Roy",
  "Dee Berg",
  "Al O'Neill",
  "Jo Lind",
  "Max Orr",
  "Pia Ek",
  "Tom Fox",
  "Ulf Aas",
  "Zoe Hay",
];
const DAYS = Array.from({ length: 12 }, (_, at) => `2024-03-${String(at + 1).padStart(2, "0")}`);

test.each([
  [
    "laps",
    [
      "Date,Lap,Run km,Time",
      ...DAYS.slice(0, 3).flatMap((day) => [1, 2, 3].map((lap) => `${day},${lap},1,0:05:1${lap}`)),
    ],
    'with its number in the column "Lap": 9 rows are of 3 days',
    9,
  ],
  [
    "laps",
    ["Date,Run m,Time", ...DAYS.slice(0, 3).flatMap((day) => [1, 2, 3].map((lap) => `${day},400,0:01:3${lap}`))],
    '3 rows of 2024-03-01 have "400" in the column "Run m"',
    9,
  ],
  [
    "results",
    ["Date,Pos,Name,Run time", ...NAMES.map((name, at) => `2024-03-03,${at + 1},${name},0:4${at}:10`)],
    '10 rows are of 2024-03-03, and the column "Name" names their athletes, such as "Ana Roy"',
    10,
  ],
  [
    "daily",
    ["Date,Steps,Distance (km)", ...DAYS.map((day, at) => `${day},${9_000 + 311 * at},${6.1 + at / 10}`)],
    'with the column "Steps", and no column has a duration',
    12,
  ],
])("rows of %s are no workouts each, unless a person says so", async (word, lines, why, count) => {
  const table = `${lines.join("\n")}\n`;
  const { refused } = await load("log.csv", table);
  expect(refused).toContain(why);
  expect(refused).toContain(`--set rows.${word}=workouts`);
  const told = {
    [`rows.${word}`]: "workouts",
    "defaults.activity": "walk",
    "columns.Lap.field": "ignore",
    "columns.Time.format": "h:mm:ss",
    "columns.Distance (km).unit": "km",
  };
  expect((await load("log.csv", table, told)).workouts).toHaveLength(count);
});

test.each([
  [
    "a run a day beside its steps",
    ["Date,Steps,Run km,Time", ...DAYS.map((day, at) => `${day},${9_000 + 311 * at},9,0:4${at % 10}:00`)],
  ],
  ["splits of one workout a day", ["Date,Lap,Run km,Time", ...DAYS.map((day, at) => `${day},1,9,0:4${at % 10}:00`)]],
  [
    "two ways to work a day",
    ["Date,Run km,Time", ...DAYS.flatMap((day, at) => [`${day},9,0:4${at % 10}:00`, `${day},9,0:4${at % 10}:10`])],
  ],
  [
    "partners of one runner",
    ["Date,Name,Run km,Time", ...NAMES.map((name, at) => `${DAYS[at]},${name},9,0:4${at}:00`)],
  ],
])("%s are no such rows", async (_what, lines) => {
  expect((await load("log.csv", `${lines.join("\n")}\n`)).refused).toBeUndefined();
});
