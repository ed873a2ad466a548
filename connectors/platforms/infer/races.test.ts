import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../test/support/proposal.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { isOpen, writeMapping } from "./infer.ts";

/** The proposal for a table of runs, and its workouts as the proposal reads them. */
async function read(header: string, rows: readonly string[]) {
  const table = [header, ...rows.map((row, at) => `2024-03-${10 + at},${row}`)].join("\n");
  const proposal = await proposalFor(table, new Map([["defaults.activity", "run"]]));
  const mapping = writeMapping(proposal, "log.csv").replaceAll("ASK", "unsupported");
  const { readings } = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.csv.map.yaml": mapping }));
  return {
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
    workouts: readings.map((reading) => {
      if (reading.kind !== "workout" || !("value" in reading)) throw new Error("no workout");
      const { type, notes, duration, unsupported } = reading.value;
      return { type, notes, duration, unsupported };
    }),
  };
}

test.each([
  ["Race", ["x", "", "", "x"]],
  ["Race?", ["Yes", "No", "No", "Yes"]],
  ["Wettkampf", ["ja", "nein", "", "ja"]],
  ["Wettkampf", ["1", "0", "0", "1"]],
  ["Competition", ["TRUE", "FALSE", "FALSE", "TRUE"]],
])("marks below %s such as %j make races, and no note", async (header, marks) => {
  const { open, workouts } = await read(
    `Date,km,Time,${header}`,
    marks.map((mark, at) => `1${at}.2,0:5${at}:07,${mark}`),
  );
  expect(open).toEqual([]);
  expect(workouts.map(({ type }) => type)).toEqual(["race", undefined, undefined, "race"]);
  expect(workouts.map(({ notes, unsupported }) => notes ?? unsupported)).toEqual(Array(4).fill(undefined));
});

test("a mark beside a column of kinds of training is a line of the notes, and the name of a race too", async () => {
  const marked = await read("Date,km,Time,Type,Race", ["10,0:50:07,long,x", "11,0:55:03,easy,", "12,1:00:04,race,x"]);
  expect(marked.workouts.map(({ type, notes }) => [type, notes])).toEqual([
    ["long", "Race: x"],
    ["easy", undefined],
    ["race", "Race: x"],
  ]);
  const named = await read("Date,km,Time,Race", ["10,0:50:07,City Run", "11,0:55:03,", "12,1:00:04,Lake Run"]);
  expect(named.workouts.map(({ notes }) => notes)).toEqual(["Race: City Run", undefined, "Race: Lake Run"]);
});

test.each(["Gun time,Chip time", "Gun Time,Net Time", "Bruttozeit,Nettozeit", "Official time,Chip time"])(
  "of %s the second is the duration, and the first is asked about",
  async (times) => {
    const { open, workouts } = await read(`Date,Distance (km),${times}`, [
      "10,0:50:20,0:49:58",
      "11,0:55:10,0:54:31",
      "12,1:00:44,1:00:09",
    ]);
    expect(open).toEqual([`columns.${times.split(",")[0]}.field`]);
    expect(workouts.map(({ duration }) => duration)).toEqual([2998, 3271, 3609]);
  },
);

test("a plain time stays the duration beside the times of races", async () => {
  const { workouts } = await read("Date,km,Gun time,Chip time,Time", [
    "10,,,0:52:11",
    "11,0:55:10,0:54:31,0:54:31",
    "12,,,1:03:09",
    "9,,,0:47:02",
  ]);
  expect(workouts.map(({ duration }) => duration)).toEqual([3131, 3271, 3789, 2822]);
});
