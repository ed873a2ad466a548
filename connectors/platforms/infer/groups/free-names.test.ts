import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { isOpen, writeMapping } from "../infer.ts";

/** What comes of a table of these lines with the proposal for it. */
async function load(lines: readonly string[]) {
  const text = `${lines.join("\n")}\n`;
  const proposal = await proposalFor(text, new Map([["defaults.activity", "run"]]));
  const mapping = writeMapping(proposal, "log.csv");
  const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": text, "log.csv.map.yaml": mapping }));
  return {
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
    fields: Object.fromEntries([...proposal.draft.columns].map(([name, { field }]) => [name, field])),
    others: readings.filter(({ kind }) => kind === "set-aside").length,
    workouts: readings.flatMap((reading) => {
      if (reading.kind !== "workout") return [];
      const { start, distance, duration } = reading.value;
      return [[start.date, distance?.value, distance?.unit, duration].filter((one) => one !== undefined).join(" ")];
    }),
  };
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

test.each([
  ["Miles", "mi"],
  ["km", "km"],
])("the days of a week beside their total %s have their distances", async (total, unit) => {
  const { open, fields, workouts, others } = await load([
    `Week of,${DAYS.join(",")},${total}`,
    "2018-01-01,5,,8,,,13,,26",
    "2018-01-08,,6,,8,,,12,26",
    "2018-01-15,4,,,9,,10,,23",
  ]);
  expect([open, others, fields[total]]).toEqual([[], 0, "ignore"]);
  expect(workouts).toEqual([
    ...[`2018-01-01 5 ${unit}`, `2018-01-03 8 ${unit}`, `2018-01-06 13 ${unit}`],
    ...[`2018-01-09 6 ${unit}`, `2018-01-11 8 ${unit}`, `2018-01-14 12 ${unit}`],
    ...[`2018-01-15 4 ${unit}`, `2018-01-18 9 ${unit}`, `2018-01-20 10 ${unit}`],
  ]);
});

test("the days of a week with two values each have both, beside totals that are called as these", async () => {
  const row = "5,0:25:00,,,8,0:41:00,,,,,13,1:09:00,,";
  const { open, workouts, others } = await load([
    `Week of,${DAYS.map((day) => `${day} km,${day} time`).join(",")},km,time`,
    ...["2018-01-01", "2018-01-08", "2018-01-15"].map((day) => `${day},${row},26,2:15:00`),
  ]);
  expect([open, others, workouts.length]).toEqual([[], 0, 9]);
  expect(workouts.slice(0, 3)).toEqual(["2018-01-01 5 km 1500", "2018-01-03 8 km 2460", "2018-01-06 13 km 4140"]);
});

test("the parts of a day have their distances beside a sum that is called as these", async () => {
  const { open, workouts, others } = await load([
    "Date,AM km,AM time,PM km,PM time,km",
    ...["2018-01-01,8,0:41:00,5,0:25:00,13", "2018-01-02,9,0:46:00,,,9", "2018-01-03,7,0:36:00,6,0:30:00,13"],
    "2018-01-04,10,0:52:00,4,0:20:00,14",
  ]);
  expect([open, others]).toEqual([[], 0]);
  expect(workouts).toEqual([
    ...["2018-01-01 8 km 2460", "2018-01-01 5 km 1500", "2018-01-02 9 km 2760", "2018-01-03 7 km 2160"],
    ...["2018-01-03 6 km 1800", "2018-01-04 10 km 3120", "2018-01-04 4 km 1200"],
  ]);
});

test("a new column takes the next name where its second one is taken, too", async () => {
  const { fields, workouts } = await load([
    `Week of,${DAYS.join(",")},Miles,Single Miles`,
    "2018-01-01,5,,8,,,13,,26,good",
    "2018-01-08,,6,,8,,,12,26,bad",
    "2018-01-15,4,,,9,,10,,23,good",
  ]);
  expect(fields).toMatchObject({ Miles: "ignore", "Single Miles": "notes", "Each Miles": "distance" });
  expect(workouts.slice(0, 2)).toEqual(["2018-01-01 5 mi", "2018-01-03 8 mi"]);
});
