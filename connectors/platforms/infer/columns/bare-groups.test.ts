import { describe, expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The open questions about a table, with their answers in order, and the workouts that the proposal with these answers gives. */
async function proposed(lines: readonly string[], answers: Record<string, string> = {}) {
  const text = `${lines.join("\n")}\n`;
  const archive = memoryArchive("log", { "log.csv": text });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const open = proposal.choices.filter(isOpen);
  const mapping = writeMapping(proposal, "log.csv");
  const { readings } =
    open.length > 0
      ? { readings: [] }
      : await readAll(csv, memoryArchive("log", { "log.csv": text, "log.map.yaml": mapping }));
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return {
    mapping,
    open: Object.fromEntries(
      open.map(({ place, question, options }) => [place, { question, options: options.map(({ means }) => means) }]),
    ),
    fields: Object.fromEntries([...proposal.draft.columns].map(([name, { field }]) => [name, field])),
    workouts: workouts.map(({ start, activity, distance, duration }) =>
      [start.date, activity, distance?.value, distance?.unit, duration].filter((each) => each !== undefined).join(" "),
    ),
  };
}

describe("parts of the day in a row above headers without a unit", () => {
  const HEADER = [",AM,,PM,,Daily total,", "Date,Dist,Time,Dist,Time,Dist,Time"];
  const ANSWERS = { "columns.Dist.unit": "km", "defaults.activity": "run" };

  test("each part is a workout, and the total is none though too few rows prove it", async () => {
    const { open, workouts } = await proposed(
      [...HEADER, "2024-03-01,5,0:25:00,8,0:41:00,13,1:06:00", "2024-03-02,6,0:31:00,,,6,0:31:00"],
      ANSWERS,
    );
    expect(open).toEqual({});
    expect(workouts).toEqual(["2024-03-01 run 5 km 1500", "2024-03-01 run 8 km 2460", "2024-03-02 run 6 km 1860"]);
  });

  test.each([",AM,PM,Daily total", ",matin,soir,total du jour", ",Vormittag,Abend,Tagessumme"])(
    "with one column each: %s",
    async (above) => {
      const { workouts } = await proposed(
        [above, "Date,Dist,Dist,Dist", "2024-03-01,5,8,13", "2024-03-02,6,,6"],
        ANSWERS,
      );
      expect(workouts).toEqual(["2024-03-01 run 5 km", "2024-03-01 run 8 km", "2024-03-02 run 6 km"]);
    },
  );
});

describe("columns that are called as workouts and nothing else", () => {
  const DAYS = ["5.2,8,13.2", "6,,6", ",10,10", "5.5,7,12.5", "4,9.5,13.5"].map(
    (row, at) => `2024-03-0${at + 1},${row}`,
  );

  test("AM and PM beside their total: both readings are asked about, and the total is no distance", async () => {
    const { open, fields } = await proposed(["Date,AM,PM,Daily total", ...DAYS]);
    expect(open["columns.Measured.field"]?.question).toBe('What are the values of the columns "AM" and "PM"?');
    expect(Object.keys(open)).not.toContain("columns.Daily total.field");
    expect(fields).toMatchObject({ "Daily total": "ignore" });
  });

  const MINUTES = [
    "Date;Run;Bike;Swim;Gym",
    ...["45;;30;", ";60;;45", "30;90;;", "60;;30;30", ";120;45;", "45;;;60"].map(
      (row, at) => `2024-03-0${at + 1};${row}`,
    ),
  ];

  test("round numbers below sports are asked about, minutes first, with what speaks for minutes and for distances", async () => {
    const { open } = await proposed(MINUTES);
    expect(Object.keys(open)).toEqual(["columns.Measured.field"]);
    const { question, options = [] } = open["columns.Measured.field"] ?? {};
    expect(question).toBe('What are the values of the columns "Run", "Bike", "Swim" and "Gym"?');
    expect(options.slice(0, 2)).toEqual([
      "13 of 13 numbers are round and at most 180, as minutes are",
      "numbers from 30 to 120, but 3 are of a sport without a distance",
    ]);
  });

  test("as minutes, each value is a workout of its sport", async () => {
    const { workouts } = await proposed(MINUTES, { "columns.Measured.field": "duration" });
    expect(workouts.slice(0, 4)).toEqual([
      "2024-03-01 run 2700",
      "2024-03-01 swim 1800",
      "2024-03-02 bike 3600",
      "2024-03-02 weight 2700",
    ]);
    expect(workouts).toHaveLength(13);
  });

  test("as distances, those of the gym are minutes of their own workouts, and of no ride", async () => {
    const { open, workouts, mapping } = await proposed(MINUTES, {
      "columns.Measured.field": "distance",
      "columns.Measured.unit": "km",
      "columns.Duration.format": "minutes",
    });
    expect(open).toEqual({});
    expect(mapping).toContain("Duration: [null, null, null, Gym]");
    expect(workouts.filter((line) => line.includes("weight"))).toEqual([
      "2024-03-02 weight 2700",
      "2024-03-04 weight 1800",
      "2024-03-06 weight 3600",
    ]);
    expect(workouts).toContain("2024-03-02 bike 60 km");
  });

  test("kilometres of some sports and durations of others are one question, and nothing is left out", async () => {
    const table = [
      "Date,Run,Bike,Gym",
      ...["5.2,,", ",30,", ",,0:45", "8.1,,0:30", "6,25.5,", "10,,1:05"].map((row, at) => `2024-03-0${at + 1},${row}`),
    ];
    const { open } = await proposed(table);
    expect(open["columns.Measured.field"]?.question).toBe('What are the values of the columns "Run" and "Bike"?');
    expect(Object.keys(open).filter((place) => place.endsWith(".field"))).toHaveLength(1);
    const answers = { "columns.Measured.field": "distance", "columns.Measured.unit": "km" };
    const { workouts } = await proposed(table, { ...answers, "columns.Duration.format": "h:mm" });
    expect(workouts).toEqual([
      ...["2024-03-01 run 5.2 km", "2024-03-02 bike 30 km", "2024-03-03 weight 2700"],
      ...["2024-03-04 run 8.1 km", "2024-03-04 weight 1800", "2024-03-05 run 6 km", "2024-03-05 bike 25.5 km"],
      ...["2024-03-06 run 10 km", "2024-03-06 weight 3900"],
    ]);
  });

  test("durations with colons need no question", async () => {
    const { open, workouts } = await proposed(["Date,Run,Gym", "2024-03-01,0:45:00,0:30:00", "2024-03-02,,1:00:00"]);
    expect(open).toEqual({});
    expect(workouts).toEqual(["2024-03-01 run 2700", "2024-03-01 weight 1800", "2024-03-02 weight 3600"]);
  });

  test("a weight is no sport, and beside a distance of the whole row the columns are no workouts", async () => {
    const weight = await proposed(["Date,Run,Weight", "2024-03-01,10.2,72.5", "2024-03-02,8.1,72.4"]);
    expect(weight.fields).toEqual({ Date: "date", Run: "distance", Weight: "weight" });
    const parts = await proposed(["Date,km,Run,Walk", "2024-03-01,8,40,10", "2024-03-02,9,45,5"]);
    expect(parts.mapping).not.toContain("  repeat:");
  });
});

describe("a column of numbers that nobody knows", () => {
  const asked = async (header: string, rows: readonly string[], name: string) =>
    (await proposed([header, ...rows.map((row, at) => `2024-03-0${at + 1},${row}`)])).open[`columns.${name}.field`]
      ?.options;

  test("whole numbers around 150 beside durations are likeliest the heart rate", async () => {
    const options = await asked("Date,Xyz,Qwe", ["148,0:52:10", "151,0:41:00", "139,1:01:00"], "Xyz");
    expect(options?.[0]).toBe("average heart rate; whole numbers from 139 to 151, as heart rates are");
  });

  test.each([
    ["prices", "Date,Open,Close", ["12.5,13.1", "13.1,12.9", "12.9,14.2"], "Open"],
    ["counts", "Date,Visitors", ["12", "11", "9"], "Visitors"],
  ])(
    "%s in a table without a word of training are no distance unless somebody says so",
    async (_, header, rows, name) => {
      const options = await asked(header, rows, name);
      expect(options?.[0]).toBe("none of these: it is counted as left");
    },
  );
});

describe("a column that is called by its sport alone, beside a measured one of that sport", () => {
  test.each([
    ["times", "0:32:00,10,0:50:00", "0:42:10", "0:43:00,12,1:01:00"],
    ["whole minutes", "32,10,50", "42", "43,12,61"],
  ])("%s are those of this sport, and of no other workout of the row", async (_, first, second, third) => {
    const { open, workouts } = await proposed([
      "Date,Swim (m),Swim,Run (km),Run",
      `2024-03-01,1500,${first}`,
      `2024-03-03,,,8.5,${second}`,
      `2024-03-04,2000,${third}`,
    ]);
    expect(open).toEqual({});
    const seconds = second === "42" ? 2520 : 2530;
    expect(workouts.toSorted()).toEqual([
      "2024-03-01 run 10 km 3000",
      "2024-03-01 swim 1500 m 1920",
      `2024-03-03 run 8.5 km ${seconds}`,
      "2024-03-04 run 12 km 3660",
      "2024-03-04 swim 2000 m 2580",
    ]);
  });

  test("numbers beside times are distances", async () => {
    const { fields, open } = await proposed([
      "Datum,Schwimmzeit,Schwimmen,Laufzeit,Lauf",
      "2024-03-01,0:32:00,1500,0:50:00,10",
      "2024-03-03,,,0:42:10,8.5",
      "2024-03-04,0:43:00,2000,1:01:00,12",
    ]);
    expect(fields).toMatchObject({ Distance: "distance" });
    expect(Object.keys(open)).not.toContain("columns.Lauf.field");
  });
});

test("hours with a fraction are times, and a colon beside them stands between hours and minutes", async () => {
  const { open, workouts } = await proposed([
    "Date,Swim,Bike,Run",
    ...["04-01,,1.5h,", "04-02,1h,,0:45", "04-03,,2h,", "04-04,,3:15,1:00", "04-05,1h,,0:50"].map(
      (row) => `2021-${row}`,
    ),
  ]);
  expect(open).toEqual({});
  expect(workouts).toEqual([
    "2021-04-01 bike 5400",
    "2021-04-02 swim 3600",
    "2021-04-02 run 2700",
    "2021-04-03 bike 7200",
    "2021-04-04 bike 11700",
    "2021-04-04 run 3600",
    "2021-04-05 swim 3600",
    "2021-04-05 run 3000",
  ]);
});
