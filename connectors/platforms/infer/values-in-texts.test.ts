import { describe, expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../test/support/proposal.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { isOpen, writeMapping } from "./infer.ts";

/** What a table gives with the mapping that is proposed for it: the questions, the workouts and the reports. */
async function loadedFrom(lines: readonly string[], answers: Record<string, string> = {}) {
  const table = `${lines.join("\n")}\n`;
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(table, told);
  const text = writeMapping(proposal, "log.csv");
  const open = proposal.choices.filter(isOpen);
  if (open.length > 0) return { open, text, workouts: [], reports: [], skipped: 0 };
  const { readings, issues } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": text }));
  return {
    ...{ open, text },
    workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])),
    reports: issues.map(({ rule, field, found = field }) => `${rule} ${found}`),
    skipped: readings.filter((reading) => reading.kind === "set-aside" && reading.as === "skipped").length,
  };
}

const day = (at: number) => `2019-03-${String(at + 1).padStart(2, "0")}`;

describe("a sheet of races", () => {
  const ROWS = [
    "5k,0:20:00,3/500",
    "Half Marathon,1:33:20,17/502",
    "Marathon,3:20:00,24/8503",
    "10 miler,1:10:00,1/40",
  ];

  test("names of distances are lengths, and a place among the finishers is no course", async () => {
    const { workouts, reports } = await loadedFrom([
      "Date,Distance,Time,Place",
      ...ROWS.map((row, at) => `${day(at)},${row}`),
    ]);
    expect(workouts.map(({ distance }) => `${distance?.value} ${distance?.unit}`)).toEqual([
      "5 km",
      "21.0975 km",
      "42.195 km",
      "10 mi",
    ]);
    expect(workouts.map(({ raceStats }) => [raceStats?.fieldPlacement, raceStats?.fieldSize])).toEqual([
      [3, 500],
      [17, 502],
      [24, 8503],
      [1, 40],
    ]);
    expect(workouts.map(({ course }) => course)).toEqual([undefined, undefined, undefined, undefined]);
    expect(reports).toEqual([]);
  });
});

test("a distance inside a text is read, and a text with two of them is reported", async () => {
  const texts = [
    "6 miles easy",
    "Tempo 8 km",
    "5 mi in 40:10",
    "12km w/ 5 x 400",
    "off",
    "10 x 400",
    "3 miles + 2 miles",
  ];
  const { workouts, reports, skipped } = await loadedFrom([
    "Date,Workout",
    ...texts.map((text, at) => `${day(at)},${text}`),
  ]);
  expect(workouts.map(({ distance, notes }) => [distance?.value, distance?.unit, notes])).toEqual([
    [6, "mi", "easy"],
    [8, "km", "Tempo"],
    [5, "mi", undefined],
    [12, "km", "w/ 5 x 400"],
    [undefined, undefined, "10 x 400"],
    [undefined, undefined, "3 miles + 2 miles"],
  ]);
  expect(reports).toEqual(["csv/no-match 3 miles + 2 miles"]);
  expect(skipped).toBe(1);
});

test.each([
  ["Year,Month,Day,km,Time", ["2018,3,2,10,50:00", "2018,11,14,8,41:00", "2019,1,5,12,61:10"]],
  ["Jour,Mois,Année,km,Temps", ["2,mars,2018,10,50:00", "14,novembre,2018,8,41:00", "5,janvier,2019,12,61:10"]],
  ["Tag,km,Zeit,Monat,Jahr", ["2,10,50:00,März,2018", "14,8,41:00,Nov,2018", "5,12,61:10,1,2019"]],
])("dates in three columns are put together: %s", async (header, rows) => {
  const { workouts, reports, text } = await loadedFrom([header, ...rows]);
  expect(workouts.map(({ start, distance, duration }) => [start.date, distance?.value, duration])).toEqual([
    ["2018-03-02", 10, 3000],
    ["2018-11-14", 8, 2460],
    ["2019-01-05", 12, 3670],
  ]);
  expect([reports, text.match(/^join:$/m)?.length]).toEqual([[], 1]);
});

test("minutes in the words behind a distance are words", async () => {
  const texts = ["3.2 mi tempo, 2 x 10 min", "14.8 mi on the trail", "7.1 mi fartlek, 3 x 5min hard", "6 mi easy, 2 mi fast"];
  const { workouts, reports } = await loadedFrom(["Date,Workout", ...texts.map((text, at) => `${day(at)},"${text}"`)]);
  expect(workouts.map(({ distance, notes }) => [distance?.value, notes])).toEqual([
    [3.2, "tempo, 2 x 10 min"],
    [14.8, "on the trail"],
    [7.1, "fartlek, 3 x 5min hard"],
    [undefined, "6 mi easy, 2 mi fast"],
  ]);
  expect(reports).toHaveLength(1);
}); // biome-ignore format: a table

test("a text that says the whole workout gives its distance, its duration and its words, and a pace stays a word", async () => {
  const rows = [
    ["9.8 miles in 1:26:55, ok", 9.8, "mi", 5215, "ok"],
    ["5 miles in 42:10, cold", 5, "mi", 2530, "cold"],
    ["10k in 52:00 felt great", 10, "km", 3120, "felt great"],
    ["6.2 miles, 55:00", 6.2, "mi", 3300, undefined],
    ["21.1 km 1:45:30; 5 gels", 21.1, "km", 6330, "5 gels"],
    ["Easy 5 miles in 45 min", 5, "mi", 2700, "Easy"],
    ["6 miles 7:30 pace", 6, "mi", undefined, "7:30 pace"],
    ["1 mile in 6:10", 1, "mi", undefined, "in 6:10"],
  ] as const;
  for (const header of ["Workout", "Activity", "Notes"]) {
    const { workouts, reports, text } = await loadedFrom([
      `Date,${header}`,
      ...rows.map(([words], at) => `${day(at)},"${words}"`),
      `${day(rows.length)},"8 km, 17:30, hot"`,
    ]);
    expect(workouts.slice(0, rows.length)).toEqual(
      rows.map(([, value, unit, duration, notes]) =>
        expect.objectContaining({ distance: { value, unit }, ...(duration && { duration }), ...(notes && { notes }) }),
      ),
    );
    expect(workouts.map(({ duration }) => duration)).toEqual([...rows.map((row) => row[3]), undefined]);
    // Half past five, or seventeen minutes and a half.
    expect(reports).toEqual(["csv/no-match 8 km, 17:30, hot"]);
    expect(text).toContain("8 of 9 cells have a distance in them, and 6 its duration");
  }
});

test("a time behind a distance and a sign is its duration, and what was not started is asked about", async () => {
  const texts = ["8.2 km / 44:10", "6.2 km - 34:30", "7.7km (39:08)", "14 km - 1:19:20, wet", "3 km / 16:40"];
  const lines = ["Date,Result", ...texts.map((text, at) => `${day(at)},"${text}"`), `${day(texts.length)},DNS`];
  const asked = await loadedFrom(lines);
  expect(asked.open.map(({ value, options }) => [value, options.length])).toEqual([["not done", 2]]);
  const { workouts, reports, skipped } = await loadedFrom(lines, { [asked.open[0]?.place ?? ""]: "not done" });
  expect(workouts.map(({ distance, duration, notes }) => [distance?.value, duration, notes])).toEqual([
    [8.2, 2650, undefined],
    [6.2, 2070, undefined],
    [7.7, 2348, undefined],
    [14, 4760, "wet"],
    // Most of them can't be a time of day.
    [3, 1000, undefined],
  ]);
  expect([reports, skipped]).toEqual([[], 1]);
});

test("texts below other sports are no notes of a run without a question, and a day with a swim alone is no run", async () => {
  const rows = ["5k 24:30,,", "10k 52:10,legs 45min,", ",core 20min,1500m 32:00", "8k 41:00,,", "6k 31:10,,"];
  const lines = ["Date,Run,Gym,Swim", ...rows.map((row, at) => `${day(at)},${row}`)];
  const asked = await loadedFrom(lines);
  expect(asked.open.map(({ place, value }) => [place, value])).toEqual([
    ["columns.Gym.field", "unsupported"],
    ["columns.Swim.field", "unsupported"],
    ["rows.0", "nothing done"],
  ]);
  const out = { "columns.Gym.field": "unsupported", "columns.Swim.field": "unsupported", "rows.0": "nothing done" };
  const { workouts, skipped } = await loadedFrom(lines, out);
  expect([workouts.map(({ distance, notes }) => [distance?.value, notes]), skipped]).toEqual([
    [
      [5, undefined],
      [10, undefined],
      [8, undefined],
      [6, undefined],
    ],
    1,
  ]);
});

describe("a sheet of several people", () => {
  const rows = ["Ana", "Ben", "Cleo"].flatMap((name, who) =>
    [0, 1, 2].map((at) => `${day(who * 3 + at)},${name},${8 + who + at / 2},0:45:0${at}`),
  );

  test.each(["Athlete", "Name", "Läufer", "Who"])("is a question: %s", async (header) => {
    const { open } = await loadedFrom([`Date,${header},Km,Time`, ...rows]);
    expect(open.map(({ place, options }) => [place, options.map(({ value }) => value)])).toEqual([
      ["rows.athlete", ["Ana", "Ben", "Cleo", "everybody"]],
    ]);
  });

  test("and the answer keeps the rows of one of them, whatever the case of the name", async () => {
    const { workouts, skipped } = await loadedFrom(["Date,Athlete,Km,Time", ...rows, "2019-03-20,BEN,20,1:40:00"], {
      "rows.athlete": "Ben",
    });
    expect(workouts.map(({ distance }) => distance?.value)).toEqual([9, 9.5, 10, 20]);
    expect(skipped).toBe(6);
  });

  test("titles of workouts below Name are none", async () => {
    const { open, workouts } = await loadedFrom([
      "Date,Name,Km,Time",
      ...rows.map((row) => row.replace("Ana", "Easy").replace("Ben", "Tempo run").replace("Cleo", "Long run")),
    ]);
    expect(open).toEqual([]);
    expect(workouts).toHaveLength(9);
  });

  test.each([
    ["Navn", "Op på hesten", "Klubtræning", "Søndagstur"],
    ["Namn", "Lunchlöpning", "Klubbträning", "Söndagspass"],
    ["Name", "Hausrunde", "Mittagslauf", "Erste"],
    ["Who", "Ann", "alone", "Bob"],
    ["Chi", "gruppo", "solo", "Marco"],
  ])("titles and companions below %s are none: %s, %s, %s", async (header, one, two, three) => {
    const { open, workouts } = await loadedFrom([
      `Date,${header},Km,Time`,
      ...rows.map((row) => row.replace("Ana", one).replace("Ben", two).replace("Cleo", three)),
    ]);
    expect(open).toEqual([]);
    expect(workouts).toHaveLength(9);
  });

  test.each([
    ["Ludwig van Hoven", "María de la Cruz", "Artur"],
    ["ana", "ben", "cleo"],
  ])("people below Name are a question, however their names are written: %s", async (one, two, three) => {
    const { open } = await loadedFrom([
      "Date,Name,Km,Time",
      ...rows.map((row) => row.replace("Ana", one).replace("Ben", two).replace("Cleo", three)),
    ]);
    expect(open.map(({ place }) => place)).toEqual(["rows.athlete"]);
  });
});

test.each([
  ["Elapsed", "Moving"],
  ["Moving Time", "Elapsed Time"],
])("of %s beside %s the time without breaks is the duration, and nobody is asked", async (one, two) => {
  const moves = ["0:45:42", "0:55:12", "0:35:42", "1:35:42"];
  const passes = ["0:47:57", "0:57:57", "0:37:17", "1:37:57"];
  const cells = one === "Elapsed" ? [passes, moves] : [moves, passes];
  const { open, workouts } = await loadedFrom([
    `Date,Miles,Sport,${one},${two}`,
    ...moves.map((_, at) => `${day(at)},${[5, 6, 4, 10][at]},Run,${cells[0]?.[at]},${cells[1]?.[at]}`),
  ]);
  expect(open).toEqual([]);
  expect(workouts.map(({ duration }) => duration)).toEqual([2742, 3312, 2142, 5742]);
});

test("the unit of a column that may be the distance of any sport is asked", async () => {
  const { open } = await loadedFrom([
    "Datum;Vända;Tid",
    ...["0,53;0:28:05", "0,45;0:27:58", "1,58;1:30:14", "1,64;1:37:59"].map((cells, at) => `${day(at)};${cells}`),
  ]);
  expect(open.map(({ place }) => place)).toEqual(expect.arrayContaining(["columns.Vända.field", "columns.Vända.unit"]));
});

test("a header that no mapping file may name stays out of it, and is reported", async () => {
  const { workouts, reports } = await loadedFrom([
    "Date,Km,Time,Sport,__proto__",
    ...[9, 10, 11].map((km, at) => `${day(at)},${km},0:50:0${at},Run,polluted`),
  ]);
  expect(workouts.map(({ distance }) => distance?.value)).toEqual([9, 10, 11]);
  expect(reports).toEqual(["csv/unmapped-column __proto__"]);
});
