import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../test/support/proposal.ts";
import { isOpen } from "./infer.ts";

/** The proposal for a table of these lines: its questions with their answers in order, its rules and its columns. */
async function infer(lines: readonly string[], answers: Record<string, string> = { "defaults.activity": "run" }) {
  const proposal = await proposalFor(`${lines.join("\n")}\n`, new Map(Object.entries(answers)));
  const { choices, draft } = proposal;
  return {
    ...{ columns: Object.fromEntries(draft.columns), rules: draft.rows },
    open: Object.fromEntries(choices.filter(isOpen).map(({ place, options }) => [place, options.map(({ value }) => value)])),
    why: (place: string) => choices.find((choice) => choice.place === place)?.why,
    isUnproven: (place: string) => choices.find((choice) => choice.place === place)?.isUnproven === true,
  };
} // biome-ignore format: a helper

describe("columns in which people tick off what they did", () => {
  const table = (header: string, ticks: readonly string[]) => [
    `Date,km,${header}`,
    ...ticks.map((tick, at) => `2024-03-${at + 10},1${at},${tick}`),
  ];

  test.each([
    ["Done?", ["✓", "✗", "✓", "", "✓"], ["✗", ""], '"✗" once, nothing once; the others have "✓"'],
    ["Completed", ["Yes", "No", "Yes", "No", "Yes"], ["No"], '"No" 2 times; the others have "Yes"'],
    ["Done", ["TRUE", "FALSE", "TRUE", "TRUE", "TRUE"], ["FALSE"], '"FALSE" once'],
    ["erledigt", ["ja", "ja", "nein", "ja", "ja"], ["nein"], '"nein" once'],
    ["Done", ["x", "x", "", "x", "x"], [""], 'nothing once; the others have "x"'],
    ["✓", ["TRUE", "TRUE", "FALSE", "TRUE", "TRUE"], ["FALSE"], '"FALSE" once'],
    ["Ran?", ["yes", "no", "yes", "yes", "yes"], ["no"], '"no" once'],
    ["Status", ["✅", "✅", "❌", "✅", "✅"], ["❌"], '"❌" once'],
    ["OK", ["x", "x", "", "x", "x"], [""], 'nothing once; the others have "x"'],
    ["Done", ["✓", "x", "✓", "✓", "✓"], ["x"], '"x" once; the others have "✓"'],
    ["Missed", ["FALSE", "TRUE", "FALSE", "FALSE", "FALSE"], ["TRUE"], '"TRUE" once; the others have "FALSE"'],
    ["Skipped?", ["", "", "ill", "", ""], ["ill"], '"ill" once; the others have nothing'],
    ["Ausgefallen", ["x", "", "x", "", ""], ["x"], '"x" 2 times; the others have nothing'],
    ["Kind", ["target", "actual", "target", "actual", "actual"], ["target"], '"target" 2 times; the others have "actual"'],
    ["Art", ["Soll", "Ist", "Soll", "Ist", "Ist"], ["Soll"], '"Soll" 2 times; the others have "Ist"'],
    ["P/A", ["P", "A", "P", "A", "A"], ["P"], '"P" 2 times; the others have "A"'],
    ["Estado", ["Hecho", "Pendiente", "Cancelado", "Hecho", "Hecho"], ["Pendiente", "Cancelado"], '"Hecho"'],
  ])("%s with %j are a question, and left out first", async (header, ticks, texts, why) => {
    const { open, rules, why: whyOf } = await infer(table(header, ticks));
    expect(open).toEqual({ "rows.0": ["not done", "workouts"] });
    expect(rules).toEqual([{ when: [{ column: header, matches: `^(?:${texts.join("|")})$` }], skip: "not done", place: "rows.0" }]);
    expect(whyOf("rows.0")).toContain(why);
  });

  test.each([
    ["Done", ["8.1", "9", "7.4", "6", "8"]],
    ["Done?", ["yes", "yes", "yes", "yes", "yes"]],
    ["Race?", ["no", "yes", "no", "no", "no"]],
    ["Missed", ["FALSE", "FALSE", "FALSE", "FALSE", "FALSE"]],
    ["Missed", ["0", "3", "0", "0", "2"]],
    ["Kind", ["target", "easy", "target", "easy", "easy"]],
    ["Plan", ["easy", "tempo", "easy", "long", "easy"]],
  ])("%s with %j is none", async (header, ticks) => {
    expect((await infer(table(header, ticks))).rules).toEqual([]);
  });
}); // biome-ignore format: a table

describe("durations that lost their colons", () => {
  const RUNS = [[8.9, 4507], [5.9, 2838], [22.4, 15951], [21.9, 14815], [24.4, 20527], [5, 2651]] as const; // biome-ignore format: a table
  const table = (runs: readonly (readonly [km: number, time: number])[]) => [
    "Date,Km,Time",
    ...runs.map(([km, time], at) => `2024-03-${at + 10},${km},${time}`),
  ];

  test("are a question where no number has minutes or seconds past 59", async () => {
    const { open } = await infer(table(RUNS), {});
    expect(open["columns.Time.format"]).toEqual(["hmmss", "seconds"]);
  });

  test("are told from seconds by the speeds of a sport", async () => {
    const { columns, open } = await infer(table(RUNS));
    expect(open).toEqual({});
    expect(columns).toMatchObject({ Time: { field: "duration", format: ["hmmss"] } });
  });

  test("are seconds where one number has more", async () => {
    const { columns } = await infer(table([[8.9, 2707], [5.9, 1778], [22.4, 7191], [21.9, 6895], [24.4, 7527]])); // biome-ignore format: a table
    expect(columns).toMatchObject({ Time: { field: "duration", format: ["seconds"] } });
  });
});

describe("rows that no sport makes true", () => {
  const MINUTES = [[8.6, 44], [7, 36], [12.7, 66], [6.8, 35], [7.3, 37], [11.1, 57]] as const; // biome-ignore format: a table
  const table = (rows: readonly (readonly [km: number, time: number])[]) => [
    "Date,Km,Duration",
    ...rows.map(([km, time], at) => `2024-03-${at + 10},${km},${time}`),
  ];

  test("have minutes that become seconds: the format is a question without a usual answer, and so is the sport", async () => {
    const seconds = MINUTES.map(([km, minutes]) => [km, minutes * 60] as const);
    const { open, isUnproven, why } = await infer(table([...MINUTES, ...seconds]), {});
    expect(open).toMatchObject({ "columns.Duration.format": ["minutes", "seconds"] });
    expect([isUnproven("columns.Duration.format"), isUnproven("defaults.activity")]).toEqual([true, true]);
    expect(why("columns.Duration.format")).toContain("from the row of 2024-03-16 on the numbers are larger by a factor of 60.0");
    expect(open["defaults.activity"]?.[0]).toBe("run");
  });

  test("aren't proposed as another sport where the distances are 5M and 10M among 10K", async () => {
    const { open, columns, why } = await infer(
      [
        "Date,Race,Distance,Time",
        ...["Castle 10K,10K,0:46:19", "Harbour 10M,10M,1:12:24", "Castle 5M,5M,0:36:51", "Town 10K,10K,0:42:57"].map(
          (race, at) => `2024-03-${at + 13},${race}`,
        ),
      ],
      {},
    );
    expect(open["defaults.activity"]?.[0]).toBe("run");
    expect(why("defaults.activity")).toBe("nothing in the table says it");
    expect(columns).toMatchObject({ Distance: { unit: "km" } });
  });
}); // biome-ignore format: a table

test.each([
  ["all at midnight", ["00:00:00", "00:00:00", "00:00:00"], "date"],
  ["one of them later", ["00:00:00", "07:30:00", "00:00:00"], "datetime"],
])("dates with times %s are a %s", async (_, times, field) => {
  const { columns } = await infer(["date,km,duration", ...times.map((time, at) => `2024-03-1${at} ${time},1${at},0 days 00:5${at}:30`)]);
  expect(columns).toMatchObject({ date: { field }, duration: { field: "duration", format: ["h:mm:ss"] } });
}); // biome-ignore format: a call

describe("dates out of the order of the others", () => {
  const table = (days: readonly string[]) => ["Date,km,Time", ...days.map((day, at) => `${day},1${at},1:0${at % 10}:00`)];
  const SEPTEMBER = ["09/01", "09/02", "09/05", "09/09", "09/14", "09/17", "09/20", "09/21", "09/23", "09/28"].map((day) => `${day}/2022`);
  const WHEN = [{ column: "Date", matches: "^(?:11/09/2022)$" }];

  test.each([
    ["oldest first", SEPTEMBER.toSpliced(4, 0, "11/09/2022")],
    ["newest first", SEPTEMBER.toSpliced(4, 0, "11/09/2022").toReversed()],
  ])("are a question where they fit with day and month the other way round: %s", async (_, days) => {
    const { open, rules, why } = await infer(table(days));
    expect(open).toEqual({ "rows.0": ["wrong day", "workouts"] });
    expect(rules).toEqual([{ when: WHEN, skip: "wrong day", holds: true, place: "rows.0" }]);
    expect(why("rows.0")).toContain('"11/09/2022": 2022-11-09, or 2022-09-11');
    expect((await infer(table(days), { "defaults.activity": "run", "rows.0": "workouts" })).rules).toEqual([]);
  });

  test.each([
    ["a run that was written later", SEPTEMBER.toSpliced(8, 0, "09/04/2022")],
    ["a run that fits in no order", SEPTEMBER.toSpliced(8, 0, "11/05/2022")],
    ["rows in no order", SEPTEMBER.toSorted((a, b) => a.slice(4, 5).localeCompare(b.slice(4, 5))).toSpliced(4, 0, "11/09/2022")],
  ])("are none: %s", async (_, days) => {
    expect((await infer(table(days))).rules).toEqual([]);
  });

  test("are refused where they lie 1,462 days back, as those of a workbook that counts from 1904", async () => {
    const days = ["2014-02-01", "2014-02-04", "2014-02-08", "2014-02-11"];
    // 16 February 2014 is 1,462 days after 15 February 2010.
    const early = ["2010-02-15", "2010-02-18", "2010-02-21", "2010-02-24"];
    await expect(infer(table([...days, ...early]))).rejects.toThrow(/^4 dates .* from 2010-02-15 to 2010-02-24, .* first of these dates is 2014-02-16$/);
    const said = { "defaults.activity": "run", "rows.epoch": "workouts" };
    expect((await infer(table([...days, ...early]), said)).open).toEqual({});
    await expect(infer(table([...early, ...days]))).resolves.toMatchObject({ open: {} });
  });
}); // biome-ignore format: a table

describe("columns with one header", () => {
  const KM = [10.1, 13.1, 9.1, 13.2, 10.4, 12.7];
  const table = (second: (km: number) => number) => [
    "Date,Distance,Distance,,Time,Time,",
    ...KM.map((km, at) => `2024-03-${at + 10},${km},${second(km).toFixed(1)},a,0:5${at}:30,0:4${at}:10,b`),
  ];
  const ANSWERS = { "defaults.activity": "run", "columns.Distance.unit": "km", "columns.Time#2.field": "unsupported" };

  test("are one workout a row where the second has the distances of the first in another unit", async () => {
    const { columns, why } = await infer(
      table((km) => km / 1.609),
      ANSWERS,
    );
    expect(why("layout.repeat")).toBeUndefined();
    expect(columns).toMatchObject({ "Distance#2": { field: "ignore", why: "the same as Distance" } });
  });

  test("are two workouts a row where it has other distances", async () => {
    const { why } = await infer(
      table((km) => 20 - km),
      ANSWERS,
    );
    expect(why("layout.repeat")).toContain("the columns come in groups");
  });
});

describe("rows that are the sum of the rows before them", () => {
  /** Two runs on weekdays and one at the end, which is as far as both. 4 March 2024 is a Monday. */
  const WEEKS = [4, 5, 6, 7].map((miles, at) => ({ miles, monday: 4 + 7 * at }));
  const table = (last: (monday: number) => number) => [
    "Date,Miles,Minutes",
    ...WEEKS.flatMap(({ miles, monday }) =>
      ([[monday, miles], [monday + 2, miles], [last(monday), 2 * miles]] as const).map(
        ([day, far]) => `2024-03-${String(day).padStart(2, "0")},${far},${far * 9}`,
      ),
    ),
  ];

  test("are a question without a usual answer where each has a day of its own: long runs look so", async () => {
    const { open, isUnproven } = await infer(table((monday) => monday + 5));
    expect(open).toEqual({ "rows.0": ["total", "workouts"] });
    expect(isUnproven("rows.0")).toBe(true);
  });

  test("are left out where they stand at the day of the last run", async () => {
    const { open, rules } = await infer(table((monday) => monday + 2));
    expect([open, rules.map(({ skip }) => skip)]).toEqual([{}, ["total"]]);
  });
}); // biome-ignore format: a table
