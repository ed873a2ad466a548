import { describe, expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, isOpen, writeMapping } from "./infer.ts";

/** The proposal for a table of these lines: its columns, its open questions, and the file. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}, name = "log.csv") {
  const archive = memoryArchive("log", { [name]: `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const { choices, draft } = proposal;
  const at = (place: string) => choices.find((choice) => choice.place === place);
  return {
    ...{ columns: Object.fromEntries(draft.columns), text: writeMapping(proposal, name), at },
    ...{ open: choices.filter(isOpen).map(({ place }) => place), rules: draft.rows, sport: at("defaults.activity") },
  };
}

test.each([
  ["dmy", ["20 Jul 2016", '"Jul 21, 2016"', "23rd July 2016", "1 Sep 2016"]],
  ["mdy", ['"July 20th, 2016"', '"Jul 21, 2016"', "23 Jul 2016", '"Sept 4th, 2016"']],
])("names of months leave no question about the order, which is %s as most are written", async (order, days) => {
  const { at, open, rules } = await infer(["Date,Run km,Mins", ...days.map((day, row) => `${day},1${row},5${row}`)]);
  expect(open).toEqual([]);
  expect(rules).toEqual([]);
  expect(at("dates.order")).toMatchObject({ value: order, why: "the months have names", contradicting: 0 });
});

test("numbers beside names of months show the order, or it stays a question", async () => {
  const table = (last: string) => ["Date,Run km,Mins", ...["20 Jul 2016", "Aug 2 2016", last].map((day) => `${day},11,55`)];
  expect((await infer(table("8/21/2016"))).at("dates.order")).toMatchObject({ value: "mdy" });
  expect((await infer(table("8/11/2016"))).open).toEqual(["dates.order"]);
}); // biome-ignore format: a call

test.each([
  [["10/20/68", "12/13/68", "1/30/69", "4/2/70"], "27", 'so "10/20/68" is of 1968'],
  [["10/20/78", "12/13/81", "1/30/82"], undefined, undefined],
  [["10/20/61", "12/13/62", "1/30/70"], "27", 'so "10/20/61" is of 1961'],
  // A slip of the pen among years of this century: it stays in the future, where a plan rejects it.
  [["10/20/08", "12/13/68", "1/30/09"], undefined, undefined],
])("years of two digits in the future are of the last century: %j", async (days, pivot, why) => {
  const { at, text } = await infer(["Date,Run miles,Time", ...days.map((day, row) => `${day},${row + 4},0:3${row}:00`)]);
  const choice = at("dates.twoDigitYearPivot");
  expect(choice?.value).toBe(pivot);
  if (why === undefined) expect(text).not.toContain("twoDigitYearPivot");
  else expect([choice?.why, text]).toEqual([expect.stringContaining(why), expect.stringContaining("  twoDigitYearPivot: 27  # ")]);
}); // biome-ignore format: a call

test("years of two digits that are all before 1980 are said, and later ones aren't", async () => {
  const table = (days: readonly string[]) => ["Date,Run miles,Time", ...days.map((day, row) => `${day},${row + 4},0:3${row}:00`)];
  const { at, open, text } = await infer(table(["4/2/70", "4/15/71", "12/3/79"]));
  expect(open).toEqual([]);
  expect(at("dates.twoDigitYearPivot")?.why).toContain('so "4/2/70" is of 1970. If that is wrong, write the years with four digits');
  expect(text).toContain("  twoDigitYearPivot: 70  # ");
  expect((await infer(table(["4/2/79", "4/15/83", "12/3/85"]))).text).not.toContain("twoDigitYearPivot");
}); // biome-ignore format: a call

test.each([
  ["3/1/2564", "16/1/2564", "the Buddhist calendar, which is 543 years ahead"],
  ["1400/01/03", "1400/01/16", "the Iranian or the Islamic calendar, whose days logferry doesn't convert"],
])("years of another calendar are refused, because each plan rejects them: %s", async (first, second, calendar) => {
  const table = ["Date,Run km,Time", ...[first, second].map((day, row) => `${day},${row + 4},0:3${row}:00`)];
  await expect(infer(table)).rejects.toThrow(`the dates in the column "Date", such as "${first}", seem to be of ${calendar}`);
}); // biome-ignore format: a call

test("years of two digits that may be Buddhist ones are a question, and the first answer isn't printed", async () => {
  // 03/01/64 is of 1964, or of 2021: the Thai year 2564.
  const table = ["Date,Run km,Time", ...["03/01/64", "16/12/64", "30/01/65"].map((day, row) => `${day},${row + 4},0:3${row}:00`)];
  const asked = await infer(table);
  expect(asked.open).toEqual(["dates.twoDigitYearPivot"]);
  expect(asked.at("dates.twoDigitYearPivot")).toMatchObject({ isUnproven: true, why: expect.stringContaining("of 1964, or of 2021") });
  expect(asked.text).toContain("  twoDigitYearPivot: ASK  # ");
  for (const pivot of ["27", "70"]) {
    const { open, text } = await infer(table, { "dates.twoDigitYearPivot": pivot });
    expect([open, text]).toEqual([[], expect.stringContaining(`  twoDigitYearPivot: ${pivot}  # ${pivot}: your answer`)]);
  }
}); // biome-ignore format: a table

describe("titles with sports among the rows", () => {
  const rows = (month: string) => ["10,0:52:00", "8,0:41:00", "12,1:03:00", "7,0:36:00"].map((row, at) => `2024-${month}-${10 + at},${row}`);
  const table = (first: string, second: readonly string[]) => [first, "Date,km,Time", ...rows("03"), ...second, ...rows("04")];

  test.each([
    ["a second table, below one that doesn't say its sport", "2024", ["Wandern 2024,,", "Date,km,Time"]],
  ])("are refused above %s, because one sport for all would be wrong", async (_, first, second) => {
    const lines = table(first, second);
    const title = (second[0] ?? "").replace(",,", "");
    await expect(infer(lines)).rejects.toThrow(`titles among the rows say their sport, such as "${title}" in row 7`);
    expect((await infer(lines, { "defaults.activity": "run" })).open).toEqual([]);
  });

  test("are refused where each table has one and a title says no sport, without a word of rows above the first", async () => {
    const lines = ["Date,km,Time", "Running,,", ...rows("03"), "Hiking,,", ...rows("04"), "With Bob,,", ...rows("05")];
    await expect(infer(lines)).rejects.toThrow(/such as "Running" in row 2 and "Hiking" in row 7, and no column says it$/);
  });

  test.each([
    ["the same sport once more", "RUNNING", ["Laufen,,", "Date,km,Time"]],
    ["a remark", "RUNNING", ["walk of the family,,"]],
  ])("are none: %s", async (_, first, second) => {
    expect((await infer(table(first, second))).sport).toMatchObject({ value: "run" });
  });
}); // biome-ignore format: tables

test("Swiss marks of thousands are numbers", async () => {
  const rows = ["1'900", "2'200", "900"].map((far, row) => `0${row + 1}.02.2022;${far};${far.length * 8}:00`);
  const { columns, open } = await infer(["Datum;Schwimmen (m);Dauer", ...rows]);
  expect(open).not.toContain("columns.Schwimmen (m).field");
  expect(columns).toMatchObject({ "Schwimmen (m)": { field: "distance", unit: "m" } });
});

test.each([
  ["hike", ["Wandern 2021", "Datum;Tour;Km;Std"]],
  ["weight", ["Lifting log (kg)", "Datum;Was;Km;Std"]],
  ["ski", ["Längdskidor 2019", "Datum;Vad;Km;Std"]],
  ["bike", ["Wielrennen", "Datum;Wat;Km;Std"]],
])("a title says that a table is of the sport %s", async (sport, header) => {
  const { sport: choice } = await infer([...header, ...[1, 2, 3].map((at) => `0${at}.05.2021;Watzmann;1${at},5;3,50`)]);
  expect(choice).toMatchObject({ value: sport, why: expect.stringMatching(/^the title says so/) });
});

test.each([
  ["Split /500", "row", ["5000,18:00,1:48", "2000,7:12,1:48"]],
  ["Deadlift", "weight", [",40:00,5x5 @ 100", ",45:00,3x8 @ 70"]],
])("a column %s speaks for %s", async (header, sport, rows) => {
  const { sport: choice } = await infer([`Date,Meters,Time,${header}`, ...rows.map((row, at) => `2023-10-0${at + 2},${row}`)]);
  expect(choice?.value).toBe(sport);
  expect(choice?.isUnproven).toBeUndefined();
}); // biome-ignore format: a call

test.each([
  ["run, by their speeds", "km", ["10,0:52:00", "8,0:41:00", "12,1:03:00"], "run", undefined],
  ["ride, by their speeds", "km", ["40,1:22:00", "38,1:21:00", "62,2:03:00"], "bike", undefined],
  ["nothing: swims and walks have such speeds", "km", ["4,1:22:00", "3.8,1:21:00", "6.2,2:03:00"], undefined, true],
  ["nothing: nothing is measured", "Place", ["Park,a", "Hill,b", "Park,c"], undefined, true],
])("rows that name no sport speak for a %s", async (_, header, rows, sport, isUnproven) => {
  const { sport: choice } = await infer([`Date,${header},Time`, ...rows.map((row, at) => `2024-03-0${at + 1},${row}`)]);
  if (sport !== undefined) expect(choice?.value).toBe(sport);
  expect(choice?.isUnproven).toBe(isUnproven);
});

test("hours and minutes of hikes are no paces", async () => {
  const rows = ["12,5;350;4:25", "10,0;1020;3:15", "14,4;880;4:45", "11,0;870;4:25", "17,8;1040;3:05"];
  const table = ["Datum;Ziel;km;Hm;Gehzeit", ...rows.map((row, at) => `1${at + 4}.05.2021;See;${row}`)];
  const { columns, open } = await infer(table, { "defaults.activity": "hike" });
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ Gehzeit: { field: "duration", format: ["h:mm"] } });
});

test("days without a workout are no question about the sport where headers name it", async () => {
  const days = [";70';55'", ";;65'", "45';;", ";;"].map((row, at) => `${at + 13}-06-2020;${row}`);
  expect((await infer(["Dag;Zwemmen;Fietsen;Hardlopen", ...days])).open).toEqual([]);
});

test("days in a row are no races of a year each", async () => {
  const days = Array.from({ length: 25 }, (_, at) => `${String(at + 1).padStart(2, "0")}/06/21;6,1${at % 10};70`);
  const { at, open } = await infer(["Camminate", "Data;Km;Minuti", ...days]);
  expect(open).toEqual([]);
  expect(at("dates.order")?.value).toBe("dmy");
});

test("what is odd about durations is said with its own numbers", async () => {
  const days = ["100,15:20:19", "80,13:21:48", "200,34:57:14"].map((row, at) => `2019-05-0${at + 1},${row}`);
  const { at } = await infer(["Date,Ultra km,Time", ...days]);
  expect(at("columns.Time.format")?.why).toBe(
    "every cell is h:mm:ss, but 3 of 3 rows are shorter or longer than most workouts",
  );
});

test("a table in Italian is no Polish one for its data", async () => {
  const days = ["99,2;3:20:10", "44,0;1:38:21", "59,5;2:07:45"].map((row, at) => `1${at + 3}/03/2020;Stelvio;${row}`);
  const { at } = await infer(["Bici 2020", "Data;Percorso;Km;Tempo", ...days]);
  expect(at("columns.Km.unit")?.why).not.toContain("Polish");
});

test.each([
  ["Swim log (all yards)", "yd", "the title says so"],
  ["Swims, distances in metres", "m", "the title says so"],
  // A race is no unit of the rows.
  ["Swims before the 10 miles of Kiel", "m", undefined],
])("the title %j says the unit of strokes that are added up", async (title, unit, why) => {
  const rows = ["1000,0,100,100,43:00", "1200,200,200,0,48:00", "800,100,0,400,56:00"];
  const table = [`"${title}"`, "Date,Free,Back,Fly,Kick,Time", ...rows.map((row, at) => `2019-09-0${at + 2},${row}`)];
  const { columns, at } = await infer(table);
  for (const name of ["Free", "Back", "Fly", "Kick"])
    expect(columns[name]).toMatchObject({ field: "distance", add: true, ...(why && { unit }) });
  expect(at("columns.Free.field")?.why).toBe(
    "the headers Free, Back, Fly and Kick are strokes of one swim, and no column is their sum",
  );
  if (why !== undefined) expect(at("columns.Free.unit")?.why).toBe(why);
  else expect(at("columns.Free.unit")?.why).not.toContain("title");
});

test("two columns of strokes may be something else, and stay a question", async () => {
  const rows = ["1000,100,43:00", "1200,200,48:00", "800,100,56:00"];
  const table = ["Date,Back,Drill,Time", ...rows.map((row, at) => `2019-09-0${at + 2},${row}`)];
  const { columns } = await infer(table);
  expect(Object.values(columns).filter(({ add }) => add === true)).toEqual([]);
});

test("the pool of each row says the unit of its distance", async () => {
  const rows = ["25 yd,3000,1:10:00", "50 m,3000,1:00:03", "25yd,2400,1:01:48"];
  const table = ["Date,Pool,Distance,Time", ...rows.map((row, at) => `2020-01-0${at + 3},${row}`)];
  const { columns, open } = await infer(table, { "defaults.activity": "swim" });
  expect(open).toEqual([]);
  expect(columns).toMatchObject({ Distance: { unitColumn: "Pool" }, Pool: { field: "unsupported", label: "Pool" } });
});

test.each([
  [[13, 10, 19, 6], { field: "effort", scale: "6..20 -> 1..10" }, "as on Borg's scale of 6 to 20"],
  [[13, 10, 19, 3], { field: "unsupported", label: "PSE" }, "more than one scale"],
])("efforts such as %j are of a scale, or it is said why they are left", async (efforts, field, why) => {
  const { columns, at } = await infer(["Date,Run km,Time,PSE", ...efforts.map((rpe, day) => `2018-10-0${day + 1},1${day},1:0${day}:00,${rpe}`)]);
  expect(columns).toMatchObject({ PSE: field });
  expect((at("columns.PSE.scale") ?? at("columns.PSE.field"))?.why).toContain(why);
}); // biome-ignore format: a call

describe("rows with DNF in place of a distance", () => {
  const table = ["Date,Run miles,Time", ...["8,1:00:46", "DNF - ill,", "10,1:12:09", "DNF,0:30:00"].map((row, at) => `2021-08-0${at + 2},${row}`)];

  test("are a question, and those with a time are workouts", async () => {
    const { open, rules } = await infer(table);
    expect(open).toEqual(["rows.0"]);
    expect(rules).toEqual([{ when: [{ column: "Run miles", matches: "^(?:DNF - ill)$" }], skip: "not done", place: "rows.0" }]);
  });

  test("are workouts where a person says so", async () => {
    const { open, rules, at } = await infer(table, { "rows.0": "workouts" });
    expect([open, rules, at("rows.0")?.value]).toEqual([[], [], "workouts"]);
  });
}); // biome-ignore format: a table

test("a distance in some rows and a duration in others are both read, and a sport beside kinds of running is one", async () => {
  const days = ["Laufband;12,7 km", "Rolle;65 min", "Dauerlauf;8,2 km", "Rolle;50 min", "Laufband;7,3 km", "krank;"];
  const { columns, rules } = await infer(["Tag;Einheit;Umfang", ...days.map((row, at) => `${at + 13}.11.22;${row}`)]);
  expect(columns).toMatchObject({
    Einheit: { field: "activity" },
    Umfang: { parts: { distance: { unit: "km" }, duration: { format: ["text"] } } },
  });
  expect(rules).toMatchObject([{ skip: "nothing done" }]);
});

test("a small table beside the workouts is left", async () => {
  const beside = ["Jan,120.5,22", "Feb,98.2,20", "Total,218.7,42", ",,", ",,", ",,", ",,"];
  const rows = beside.map((side, at) => `01/${at + 13}/2017,4.${at},38:2${at},,${side}`);
  const { columns, open } = await infer(["Date,Run miles,Time,,Month,Miles,Runs", ...rows]);
  expect(open).toEqual([]);
  const left = { field: "ignore", why: "a table of its own beside the workouts" };
  expect(columns).toMatchObject({ "Run miles": { field: "distance" }, Month: left, Miles: left, Runs: left });
});

test("a list of shoes beside the workouts is left, and columns that began late are not", async () => {
  const rows = Array.from({ length: 8 }, (_, at) => `2017-01-${at + 13},8.${at},0:38:2${at},${at % 2 ? "Pegs" : ""}`);
  const beside = (...side: readonly string[]) => rows.map((row, at) => `${row},,${side[at] ?? ",,"}`);
  const shoes = await infer([
    "Date,Run km,Time,Shoes,,Shoe,km so far,Bought",
    ...beside("Asics,120,2018-01-05", "Old,500,"),
  ]);
  expect(shoes.open).toEqual([]);
  const left = { field: "ignore", why: "a table of its own beside the workouts" };
  expect(shoes.columns).toMatchObject({ Shoes: { field: "equipment" }, Shoe: left, "km so far": left, Bought: left });
  const late = await infer(["Date,Run km,Time,Shoes,,HR,Weight (kg),Note", ...beside("140,70,easy", "150,71,")]);
  expect(late.columns).toMatchObject({ HR: { field: "avgHR" }, Note: { field: "notes" } });
});

test("months side by side are refused, with what to do", async () => {
  const days = Array.from({ length: 5 }, (_, at) => `${at + 1},8.${at},43,,${at + 1},11.${at},61`);
  const table = ["Running 2021,,,,,,", "January,,,,February,,", "Day,km,min,,Day,km,min", ...days];
  await expect(infer(table)).rejects.toThrow("2 months stand side by side (January, February)");
});
