import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { wahoo } from "./table.ts";

const HEAD = [
  "Device,fisica,model,key,version,1,AppVersion,6.0",
  "Year,2016,Month,10,Day,7,Hour,17,Minute,24,Second,2,BatteryUsage (%),15",
  "",
];
const COMMENTS = ["comments", "Good run, windy, along the river", ""];
const TOTALS = ["workout,starttime,runningtime,pausedtime,gpsdist,hravg", ",0,1220,10,4050,145", ""];
const LAPS = ["interval,pausedDuration (sec),activeDuration (sec),distance (m)", "1,10,600,2000", "2,0,620,2050", ""];
const POINTS = ["time (sec),hr (bpm),lat (deg)", "0,140,48.2", "10,141,48.2003", "20,142,48.2006"];

const read = (...blocks: readonly (readonly string[])[]) =>
  readAll(wahoo, memoryArchive("a", { "w.csv": `${blocks.flat().join("\n")}\n` }));

test("a file whose totals stand under headers that nobody knows waits, and is named with its laps and points", async () => {
  const { readings } = await read(HEAD, COMMENTS, LAPS, POINTS);
  expect(readings).toMatchObject([
    { as: "quarantined", issue: { rule: "wahoo/no-totals", found: "no totals, but 2 laps, 3 points" } },
  ]);
});

test("values of laps, and blocks that nobody knows, are counted by their names", async () => {
  const { readings } = await read(
    HEAD,
    COMMENTS,
    ["zones,low,high", "1,100,120", "2,120,140", ""],
    TOTALS,
    LAPS,
    POINTS,
  );
  const [workout] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(workout).toMatchObject({
    notes: "Good run, windy, along the river",
    distance: { unit: "m", value: 4050 },
    duration: 1220,
    unsupported: [
      { field: "pauses", value: "10 s" },
      { field: "track", value: "3 points of CSV" },
      { field: "values of laps", value: "pausedDuration (sec): 1, activeDuration (sec): 2, distance (m): 2" },
      { field: "blocks that nobody knows", value: "zones: 2 rows" },
    ],
  });
});

test("a file that a spreadsheet program saved with semicolons and decimal commas gives the workout of the app's own file", async () => {
  const totals = ["workout,starttime,runningtime,pausedtime,wheeldist,hravg", ",0,1220.5,10,4050.25,145", ""];
  const lines = [HEAD, COMMENTS, totals, LAPS, POINTS].flat();
  const widest = Math.max(...lines.map((line) => line.split(",").length));
  const saved = lines.map((line) => {
    const cells = line.split(",").map((cell) => cell.replace(/^(\d+)\.(\d+)$/, "$1,$2"));
    return [...cells, ...Array.from({ length: widest - cells.length }, () => "")].join(";");
  });
  const [own, again] = [await read(lines), await read(saved)];
  expect(own.readings).toMatchObject([
    { value: { activity: "bike", distance: { unit: "m", value: 4050.25 }, duration: 1220.5 } },
  ]);
  expect(again.readings).toEqual(own.readings);
});

test("a file with a block of zeros is rejected with its line, because a lap may stand behind it as the totals", async () => {
  const totals = [
    "workout,starttime,runningtime,pausedtime,gpsdist,hravg",
    ",0,1\0\0\0\0\0\0\0",
    "1,0,600,10,2000,140",
    "",
  ];
  const { readings } = await read(HEAD, COMMENTS, totals, POINTS);
  expect(readings).toMatchObject([
    { as: "quarantined", issue: { rule: "csv/nul-block", found: "7 NUL characters in a row" } },
  ]);
  expect(readings).toHaveLength(1);
});
