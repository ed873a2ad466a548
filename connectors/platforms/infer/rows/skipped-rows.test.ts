import { expect, test } from "vitest";
import { packed, xlsxParts } from "../../../../fixtures/make/workbook.ts";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The notes that are loaded with the mapping that is proposed for a table. */
async function notesOf(lines: readonly string[]) {
  const files = { "running.csv": `${lines.join("\n")}\n` };
  const archive = memoryArchive("log", files);
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const whole = memoryArchive("log", { ...files, "running.map.yaml": writeMapping(proposal, table.path) });
  return (await readAll(csv, whole)).readings.flatMap((one) => (one.kind === "workout" ? [one.value.notes] : []));
}

async function proposalFor(lines: readonly string[], answers: readonly (readonly [string, string])[] = []) {
  const archive = memoryArchive("log", { "running.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(answers), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  return proposal;
}

/** The days that are loaded and left out with the mapping that is proposed for a table, and later rows under it. */
async function readings(lines: readonly string[], later: readonly string[] = []) {
  const proposal = await proposalFor(lines);
  expect(proposal.choices.filter(isOpen)).toEqual([]);
  const whole = memoryArchive("log", {
    "running.csv": `${[...lines, ...later].join("\n")}\n`,
    "running.map.yaml": writeMapping(proposal, "running.csv"),
  });
  const read = (await readAll(csv, whole)).readings;
  return {
    loaded: read.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : [])),
    skipped: read.flatMap((one) => (one.kind === "set-aside" ? [`${one.origin.locator}: ${one.issue?.found}`] : [])),
  };
}

test.each([
  ["the notes", "Date,km,Time,Notes"],
  ["the kind of training", "Date,km,Time,Workout"],
])("a row with the word for rest in %s and a distance or a duration is a workout", async (_, header) => {
  const { loaded, skipped } = await readings(
    [
      header,
      "2024-03-01,10,0:50:00,easy",
      "2024-03-02,,,rest",
      "2024-03-03,8,0:41:00,rest",
      "2024-03-04,,0:30:00,rest",
      "2024-03-05,12,1:00:00,tempo",
      "2024-03-06,0,0:00:00,rest",
    ],
    ["2024-03-07,5,,rest", "2024-03-08,,,rest"],
  );
  expect(loaded).toEqual(["2024-03-01", "2024-03-03", "2024-03-04", "2024-03-05", "2024-03-07"]);
  expect(skipped).toEqual(["line 3: rest day", "line 7: rest day", "line 9: rest day"]);
});

test("a header that stands again above each month is no workout", async () => {
  const header = "Date,Km,Time,Sport";
  const { loaded, skipped } = await readings(
    [header, "2024-03-01,10,0:50:00,run", "2024-03-04,8,0:41:00,run", header, "2024-04-02,12,1:00:00,run"],
    [header, "2024-05-03,9,0:44:00,run"],
  );
  expect(loaded).toEqual(["2024-03-01", "2024-03-04", "2024-04-02", "2024-05-03"]);
  expect(skipped).toEqual(["line 4: header", "line 6: header"]);
});

test.each([
  ["another unit", "Date,Km,Time,Sport", "Date,Miles,Time,Sport", '"Miles" where the first has "Km"'],
  ["another unit in brackets", "Date,Dist (km),Time", "Date,Dist (mi),Time", '"Dist (mi)" where the first has "Dist (km)"'],
  ["another order", "Date,Avg HR,Max HR", "Date,Max HR,Avg HR", '"Max HR" where the first has "Avg HR", "Avg HR" where the first has "Max HR"'],
  ["one more column", "Date,Km,Time", "Date,Km,HR,Time", '"HR" where the first has "Time", "Time" where the first has ""'],
])("a header with %s among the rows is refused with its row, because the values below it mean something else", async (_, header, other, differs) => {
  const row = (day: string) => `2024-${day},150,175${",run".repeat(Math.max(0, header.split(",").length - 3))}`;
  const lines = [header, row("03-01"), header, row("03-04"), other, row("04-02"), row("04-04")];
  const problem = `row 5 is another header: ${differs}. The rows below it can't be read like those above`;
  await expect(proposalFor(lines)).rejects.toThrow(problem);
}); // biome-ignore format: a table

test("a rule for a header leaves out no later header with another unit", async () => {
  const header = "Date,Km,Time,Sport";
  const { skipped } = await readings(
    [header, "2024-03-01,10,0:50:00,run", "2024-03-04,8,0:41:00,run", header, "2024-04-02,12,1:00:00,run"],
    ["Date,Miles,Time,Sport", "2024-05-03,9,0:44:00,run"],
  );
  expect(skipped).toEqual(["line 4: header", "line 6: Date"]);
});

test("notes that hold nothing but the word for rest are loaded", async () => {
  const table = [
    "Date,km,Time,Notes",
    "2024-03-01,10,0:50:00,rest",
    "2024-03-03,8,0:41:00,",
    "2024-03-05,12,1:00:00,rest",
  ];
  expect(await notesOf(table)).toEqual(["rest", undefined, "rest"]);
});

test("the word for rest in the place of the distance leaves a duration a workout", async () => {
  const { loaded, skipped } = await readings(
    ["Date,km,Time", "2024-03-01,10,0:50:00", "2024-03-02,off,", "2024-03-05,12,1:00:00"],
    ["2024-03-06,off,0:45:00"],
  );
  expect(loaded).toEqual(["2024-03-01", "2024-03-05", "2024-03-06"]);
  expect(skipped).toEqual(["line 3: rest day"]);
});

test.each([
  ["below the header, in brackets", ",(km),(min),(bpm)"],
  ["with one for the date", "(d),(km),(min),(bpm)"],
])("a row of units is left out: %s", async (_, units) => {
  const rows = ["2019-03-01,10,50,140,run", "2019-03-03,12,61,145,run", "2019-03-05,8,40,141,run"];
  const { loaded, skipped } = await readings(["Date,Dist,Time,HR,Sport", `${units},`, ...rows]);
  expect(loaded).toEqual(["2019-03-01", "2019-03-03", "2019-03-05"]);
  expect(skipped).toEqual(["line 2: units"]);
});

test("a row of zeros is a day of rest, also where a workout may lack its distance", async () => {
  const { loaded, skipped } = await readings([
    "Date,Km,Time,Sport",
    ...["01,5,0:25:10,run", "02,0,0,", "03,0,0:40:10,weight", "04,7,0:36:05,run", "05,,0:31:20,run", "06,0,0,"].map(
      (row) => `2019-03-${row}`,
    ),
  ]);
  expect(loaded).toEqual(["2019-03-01", "2019-03-03", "2019-03-04", "2019-03-05"]);
  expect(skipped).toEqual(["line 3: nothing done", "line 7: nothing done"]);
});

/** Three weeks of runs and the sums of each. */
const RUNS = [
  ...["2024-03-05,7.4,0:37:10", "2024-03-07,6.3,0:33:30", "2024-03-09,12.2,1:05:00"],
  ...["2024-03-12,8.1,0:41:05", "2024-03-14,5.4,0:28:40", "2024-03-17,14.3,1:15:05"],
  ...["2024-03-19,7.7,0:39:10", "2024-03-21,6.6,0:34:15", "2024-03-23,16.2,1:27:20"],
];
const SUMS = ["25.9,2:15:40", "27.8,2:24:50", "30.5,2:40:45"];
const SUNDAYS = ["2024-03-10", "2024-03-17", "2024-03-24"];

/** The runs with a row behind each week. */
const withSums = (rowOf: (week: number) => string, runs = RUNS) =>
  SUMS.flatMap((_, week) => [...runs.slice(week * 3, week * 3 + 3), rowOf(week)]);

const DAYS = RUNS.map((run) => run.slice(0, 10));
const LEFT_OUT = ["line 5: total", "line 9: total", "line 13: total"];

test.each([
  ["dated on Sunday", ["Date,km,Time", ...withSums((week) => `${SUNDAYS[week]},${SUMS[week]}`)]],
  ["without a duration", ["Date,km,Time", ...withSums((week) => `${SUNDAYS[week]},${SUMS[week]?.slice(0, 4)},`)]],
  ["dated on the day of the last run", ["Date,km,Time", ...withSums((week) => `${DAYS[week * 3 + 2]},${SUMS[week]}`)]],
  ["without a date", ["Date,km,Time", ...withSums((week) => `,${SUMS[week]}`)]],
])("rows that sum up the rows of their week are no workouts, though no word says so: %s", async (_, rows) => {
  const [header = "", ...body] = rows;
  const { loaded, skipped } = await readings(
    [`${header},Sport`, ...body.map((row) => `${row},run`)],
    ["2024-03-24,9.5,0:50:00,run"],
  );
  expect(loaded).toEqual([...DAYS, "2024-03-24"]);
  expect(skipped).toEqual(LEFT_OUT);
});

test("sums of a workbook are left out, where typed dates stand beside its own", async () => {
  const own = withSums((week) => `${SUNDAYS[week]},${SUMS[week]}`).map((row) => row.split(","));
  const rows = own.map(([date = "", km = "", time = ""], at) => {
    const typed = date.split("-").toReversed().join(".");
    const kept = { days: Date.parse(date) / 86_400_000 + 25_569, format: "yyyy-mm-dd", shown: date };
    return [at % 2 === 0 ? typed : kept, Number(km), time, "run"];
  });
  const files = { "log.xlsx": packed(xlsxParts([{ name: "2024", rows: [["Date", "km", "Time", "Sport"], ...rows] }])) };
  const archive = memoryArchive("log", files);
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, entry, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const whole = memoryArchive("log", { ...files, "log.map.yaml": writeMapping(proposal, "log.xlsx") });
  const { readings: all } = await readAll(csv, whole);
  const loaded = all.flatMap((one) => (one.kind === "workout" ? [one.value.start.date] : []));
  expect(loaded).toEqual(DAYS);
});

test("sums of weeks are found in a table with its newest row first", async () => {
  const rows = withSums((week) => `${SUNDAYS[week]},${SUMS[week]}`).map((row) => `${row},run`);
  const { loaded, skipped } = await readings(["Date,km,Time,Sport", ...rows.toReversed()]);
  expect(loaded).toEqual(DAYS.toReversed());
  expect(skipped).toEqual(["line 2: total", "line 6: total", "line 10: total"]);
});

test("a text that only sums have leaves out the sums of later weeks, too", async () => {
  const { loaded, skipped } = await readings(
    [
      "Date,km,Time,What,Sport",
      ...withSums(
        (week) => `${SUNDAYS[week]},${SUMS[week]},wk,run`,
        RUNS.map((run) => `${run},,run`),
      ),
    ],
    ["2024-03-26,8.0,0:40:00,,run", "2024-03-31,8.0,0:40:00,wk,run"],
  );
  expect(loaded).toEqual([...DAYS, "2024-03-26"]);
  expect(skipped).toEqual([...LEFT_OUT, "line 15: total"]);
});

test("a row with the name of a month and the sum of its runs is no workout", async () => {
  const runs = ["03/03/2024,7.4", "17/03/2024,6.3", "30/03/2024,12.2"].map((run) => `${run},run`);
  const { loaded, skipped } = await readings([
    "Date,km,Sport",
    ...runs,
    "March,25.9,",
    "02/04/2024,8.1,run",
    "16/04/2024,5.4,run",
    "April,13.5,",
  ]);
  expect(loaded).toEqual(["2024-03-03", "2024-03-17", "2024-03-30", "2024-04-02", "2024-04-16"]);
  expect(skipped).toEqual(["line 5: total", "line 8: total"]);
});

test("a long run of as many whole miles as the other runs of each week may be a workout, so a person is asked", async () => {
  const weeks = [3, 4, 5, 6].flatMap((miles, week) =>
    [miles, miles + 1, 2 * miles + 1].map(
      (one, at) => `2024-03-${String(4 + week * 7 + at * 2).padStart(2, "0")},${one},run`,
    ),
  );
  const table = ["Date,Miles,Sport", ...weeks];
  const asked = (await proposalFor(table)).choices.filter(isOpen);
  expect(asked.map(({ place, options }) => [place, options.map(({ value }) => value)])).toEqual([
    ["rows.0", ["total", "workouts"]],
  ]);
  expect(writeMapping(await proposalFor(table), "running.csv")).toContain("skip: ASK");
  const answered = await proposalFor(table, [["rows.0", "workouts"]]);
  expect([answered.choices.filter(isOpen), answered.draft.rows]).toEqual([[], []]);
});

test("runs that add up now and then are workouts", async () => {
  const rows = [
    "05,5.0",
    "07,6.5",
    "10,11.5",
    "12,4.0",
    "14,8.5",
    "17,10.0",
    "19,7.0",
    "21,7.5",
    "24,14.5",
    "26,5.5",
    "28,6.0",
    "31,9.5",
  ];
  const { draft } = await proposalFor(["Date,km", ...rows.map((row) => `2024-03-${row}`)]);
  expect(draft.rows).toEqual([]);
});

test("a date in the first row of a day only holds for the rows below it, and a sum of the week is none of them", async () => {
  const days = ["04", "05", "06", "08", "09", "11", "12", "13", "15", "16", "18", "19", "20", "22", "23"];
  const km = ["5.1", "6.3", "4.2", "7.7", "8.4", "5.5", "6.1", "4.9", "7.3", "9.2", "5.2", "6.6", "4.4", "7.1", "9.9"];
  const rows = days.flatMap((day, at) => [
    `2024-03-${day},${km[at]},run`,
    ...(at % 2 === 0 ? [",3.3,run"] : []),
    ...(at % 5 === 4 ? [`,${["41.6", "39.6", "43.1"][(at - 4) / 5]},`] : []),
  ]);
  const { loaded, skipped } = await readings(["Date,km,Sport", ...rows]);
  expect(loaded).toEqual(days.flatMap((day, at) => (at % 2 === 0 ? [day, day] : [day])).map((day) => `2024-03-${day}`));
  expect(skipped).toEqual(["line 10: total", "line 18: total", "line 27: total"]);
});

test.each([
  ["Total semana", [], ["line 7: total"]],
  ["WEEK", [], ["line 7: total"]],
  ["Monthly mileage", [], ["line 7: total"]],
  ["total wreck", ["rows.0"], []],
])(
  "a row without a date and with the remark %s is no workout of the day above without a question",
  async (remark, asked, left) => {
    const table = [
      "Date,km,Sport,Notes",
      ...["2024-03-04,5,run,", ",6,run,easy", "2024-03-05,7,run,", "2024-03-06,8,run,", ",4,run,"],
      ...[`,30,,${remark}`, "2024-03-07,9,run,", ",5,run,hills", "2024-03-08,6,run,"],
    ];
    const proposal = await proposalFor(table);
    expect(proposal.choices.filter(isOpen).map(({ place }) => place)).toEqual(asked);
    if (asked.length === 0) expect((await readings(table)).skipped).toEqual(left);
  },
);

test("rows without a date where a day is missing may be of another day, so a person is asked", async () => {
  const rows = ["01,5", ",6", "05,7", "07,8", ",9", "11,5", "13,6", ",7", "17,8", "19,9"].map((row) =>
    row.startsWith(",") ? row : `2024-03-${row}`,
  );
  const table = ["Date,km,Sport", ...rows.map((row) => `${row},run`)];
  const proposal = await proposalFor(table);
  expect(proposal.choices.filter(isOpen).map(({ place, value, why }) => ({ place, value, why }))).toEqual([
    {
      place: "layout.asAbove",
      value: "Date",
      why: "3 rows below a date have none, and values of their own; the next date is 4 days later there, and 2 days elsewhere",
    },
  ]);
  expect(writeMapping(proposal, "running.csv")).toContain("  asAbove: ASK");
  const none = await proposalFor(table, [["layout.asAbove", "none"]]);
  expect([none.choices.filter(isOpen), none.draft.asAbove]).toEqual([[], []]);
});

test("rows without a distance and a time beside others are a question, also where each has a value that nobody knows", async () => {
  const days = Array.from({ length: 12 }, (_, at) => {
    const [day, hrv] = [`2018-01-${String(at + 1).padStart(2, "0")}`, 50 + (at % 7)];
    return at % 3 === 2 ? `${day},,,${hrv},"Sick with flu"` : `${day},${5 + (at % 4)},0:4${at % 10}:00,${hrv},easy`;
  });
  const lines = ["Date,Miles,Time,HRV,Notes", ...days];
  const sport = ["defaults.activity", "run"] as const;
  const { choices } = await proposalFor(lines, [sport]);
  const [asked] = choices.filter(isOpen);
  expect(asked).toMatchObject({
    place: "rows.0",
    isUnproven: true,
    question: "Are these rows days without a workout?",
  });
  expect(asked?.why).toBe('4 rows have no distance and no time, beside others that have them, such as "Sick with flu"');
  const left = await proposalFor(lines, [sport, ["rows.0", "nothing done"]]);
  expect(left.choices.filter(isOpen)).toEqual([]);
  expect(left.draft.rows).toHaveLength(1);
  const loaded = await proposalFor(lines, [sport, ["rows.0", "workouts"]]);
  expect(loaded.choices.filter(isOpen)).toEqual([]);
  expect(loaded.draft.rows).toEqual([]);
});

test("rows with words of another sport alone are a question, with an answer that loads them and one that doesn't", async () => {
  const days = Array.from({ length: 12 }, (_, at) => {
    const day = `2021-01-${String(at + 1).padStart(2, "0")}`;
    if (at % 4 === 3) return `${day},,,swim 30 min`;
    return `${day},${6 + (at % 4)}.5,0:4${at % 10}:00,${at % 4 === 1 ? "45 min bike" : ""}`;
  });
  const lines = ["Date,Run km,Run time,Cross-training", ...days];
  const [asked, ...others] = (await proposalFor(lines)).choices.filter(isOpen);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ place: "rows.0", isUnproven: true, question: "What are these rows?" });
  expect(asked?.why).toBe('3 rows have no distance and no time, beside others that have them, such as "swim 30 min"');
  const left = await proposalFor(lines, [["rows.0", "nothing done"]]);
  expect([left.choices.filter(isOpen).length, left.draft.rows.length]).toEqual([0, 1]);
  const loaded = await proposalFor(lines, [["rows.0", "workouts"]]);
  expect([loaded.choices.filter(isOpen).length, loaded.draft.rows.length]).toEqual([0, 0]);
});
