import { describe, expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { isOpen, writeMapping } from "../infer.ts";

/** What comes of a diary with a text a day: the questions, the workouts, and what was reported. */
async function load(header: string, texts: readonly string[], answers: Record<string, string> = {}) {
  const days = texts.map((text, at) => `2021-03-${String(at + 1).padStart(2, "0")};${text}`);
  const table = `${[header, ...days].join("\n")}\n`;
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(table, told);
  const open = proposal.choices
    .filter(isOpen)
    .map(({ place, options }) => [place, ...options.map(({ value }) => value)]);
  const why = proposal.choices.map((choice) => choice.why).join("\n");
  if (open.length > 0) return { open, why, workouts: [], reports: [] };
  const mapping = writeMapping(proposal, "log.csv");
  const { readings, issues } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.map.yaml": mapping }));
  return {
    ...{ open, why },
    workouts: readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : [])),
    reports: issues.map(({ rule, found }) => `${rule} ${found}`),
  };
}

describe("a diary whose texts say the whole workout is read, whatever stands first:", () => {
  test.each([
    ["Dauerlauf 10,0 km, 50 min", "Dauerlauf 16,7 km, 87 min", [10, "km", 3000, "Dauerlauf"], [16.7, "km", 5220]],
    ["50 min Laufen, 10,0 km", "72 min Laufen, 13,8 km", [10, "km", 3000, "Laufen"], [13.8, "km", 4320]],
    ["Lauf: 10,0km / 0:50:12", "Lauf: 8,8km / 44:42", [10, "km", 3012, "Lauf"], [8.8, "km", 2682]],
    ["10,0 km, 50 min", "8,4 km, 40 min, locker", [10, "km", 3000, undefined], [8.4, "km", 2400]],
    ["10,0 km, 50 min Laufen", "8,4 km, 40 min Laufen", [10, "km", 3000, "Laufen"], [8.4, "km", 2400]],
    ["Rodaje 10,0 km en 50 minutos", "Rodaje 8,4 km en 40 minutos", [10, "km", 3000, "Rodaje"], [8.4, "km", 2400]],
    ["Radfahren 24,0 km (1 h 5 min)", "Rad 30,5 km (1h20)", [24, "km", 3900, "Radfahren"], [30.5, "km", 4800]],
    ["0:50:12 - 10,0 km", "1:01:30 - 12,3 km", [10, "km", 3012, undefined], [12.3, "km", 3690]],
  ] as const)("%s", async (one, two, first, second) => {
    const { open, workouts, reports } = await load("Datum;Training", [one, two, one, two]);
    expect([open, reports]).toEqual([[], []]);
    expect(workouts.map(({ distance, duration }) => [distance?.value, distance?.unit, duration])).toEqual(
      [first, second, first, second].map(([length, unit, seconds]) => [length, unit, seconds]),
    );
    expect(workouts[0]?.notes).toBe(first[3]);
  });
});

test("words between a distance and its duration stay where they are, and texts in other words go on without a duration", async () => {
  const texts = ["ran 10.0 mi w/ Bob, 53 minutes", "16.7 mile trail run", "Ran 13.9 miles in 1:11:12", "ran 6.1 mi w/ Bob, 34 minutes"];
  const { open, workouts, why } = await load("Date;What I did", texts);
  expect(open).toEqual([]);
  expect(workouts.map(({ distance, duration, notes }) => [distance, duration, notes])).toEqual([
    [{ value: 10, unit: "mi" }, 3180, "ran 10.0 mi w/ Bob, 53 minutes"],
    [{ value: 16.7, unit: "mi" }, undefined, "trail run"],
    [{ value: 13.9, unit: "mi" }, 4272, "Ran"],
    [{ value: 6.1, unit: "mi" }, 2040, "ran 6.1 mi w/ Bob, 34 minutes"],
  ]);
  expect(why).toContain("4 of 4 cells have a distance in them, and 3 its duration");
}); // biome-ignore format: a table

test("minutes of a part are not the duration, as their words or their speeds show", async () => {
  const texts = ["5 miles, 30 min tempo", "8 miles, 20 min tempo", "9 km with 20 min hills", "7 km, last 10 min hard", "12 km, 10 min", "3 km, 20 min"];
  const { workouts } = await load("Date;Entry", texts);
  expect(workouts.map(({ distance, duration }) => [distance?.value, duration])).toEqual([
    [5, undefined],
    [8, undefined],
    [9, undefined],
    [7, undefined],
    [12, undefined],
    [3, undefined],
  ]);
}); // biome-ignore format: a table

test("a text that the patterns of its diary don't fit is reported, and its distance is missed", async () => {
  const fitting = ["Lauf 10,0 km, 50 min", "Lauf 8,0 km, 41 min", "Lauf 12,5 km, 66 min"];
  const { open, workouts, reports } = await load("Datum;Training", [...fitting, "erst 3 km, dann 4 km, 40 min"]);
  expect([open, reports]).toEqual([[], ["csv/no-match erst 3 km, dann 4 km, 40 min"]]);
  expect(workouts[3]).toMatchObject({ unsupported: [{ field: "distance", isUnread: true }] });
});

describe("a sheet without a distance whose texts have some that nobody takes out of them", () => {
  const texts = ["3 Runden, 2 km aus, in allem 13 km", "müde", "2 Runden, 2 km aus, in allem 9 km", "Kraft", "frei genommen"];

  test("is a question", async () => {
    const { open, why, workouts } = await load("Datum;Notizen", texts);
    expect(open).toEqual([["columns.Notizen.field", "notes", "unsupported", "ignore"]]);
    expect(why).toContain('2 of 5 cells have a distance in them, such as "3 Runden, 2 km aus, in allem 13 km"');
    expect(workouts).toEqual([]);
  });

  test("and the answer makes notes of them", async () => {
    const { open, workouts } = await load("Datum;Notizen", texts, { "columns.Notizen.field": "notes" });
    expect([open, workouts.length]).toEqual([[], 5]);
  });

  test("beside a column of distances they are notes without a question", async () => {
    const { open } = await load("Datum;Notizen;km", texts.map((text, at) => `${text};1${at},5`));
    expect(open).toEqual([]);
  });
}); // biome-ignore format: a table

test("durations in texts are a question where no column has a distance or a duration", async () => {
  const { open } = await load("Datum;Notizen", ["28 min Laufen", "0:45:00 Rad", "57 min Laufen", "müde"]);
  expect(open).toEqual([["columns.Notizen.field", "notes", "unsupported", "ignore"]]);
});

describe("numbers without a unit among distances that have one", () => {
  test.each([
    [["14", "14k", "12,5 km", "9"], [14, 14, 12.5, 9], "km", "2 of them without a unit, read in km as the others"],
    [["6.2 miles easy", "6.2", "5.8 easy", "7 mi"], [6.2, 6.2, 5.8, 7], "mi", "2 of them without a unit, read in mi as the others"],
  ] as const)("are distances as well: %j", async (texts, lengths, unit, said) => {
    const { open, why, workouts, reports } = await load("Date;Workout", texts);
    expect([open, reports]).toEqual([[], []]);
    expect(workouts.map(({ distance }) => distance)).toEqual(lengths.map((value) => ({ value, unit })));
    expect(why).toContain(said);
  });

  test.each([
    ["of another size", ["10 km", "12 km", "400", "11 km"]],
    ["beside two units", ["10 km easy", "6 miles easy", "8", "7 mi", "12 km"]],
  ])("are reported, and their distance is missed: %s", async (_, texts) => {
    const { workouts, reports } = await load("Date;Workout", texts);
    const at = texts.findIndex((text) => /^\d+$/.test(text));
    expect(reports).toEqual([`csv/no-match ${texts[at]}`]);
    expect(workouts[at]).toMatchObject({ unsupported: [{ field: "distance", isUnread: true }] });
  });

  test("are none where their words are of something else", async () => {
    const { workouts, reports } = await load("Date;Workout", ["10 km", "12 km", "45 min yoga", "11 km easy"]);
    expect([workouts[2]?.distance, workouts[2]?.notes, reports]).toEqual([undefined, "45 min yoga", []]);
  });
}); // biome-ignore format: a table
