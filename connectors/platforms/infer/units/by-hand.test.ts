import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { isOpen, writeMapping } from "../infer.ts";

/** The workouts of a table of runs by its proposal: kilometres and seconds. */
async function read(header: string, rows: readonly string[]) {
  const table = [header, ...rows.map((row, at) => `2024-03-${10 + at},${row}`)].join("\n");
  const proposal = await proposalFor(table, new Map([["defaults.activity", "run"]]));
  const mapping = writeMapping(proposal, "log.csv");
  const { readings, issues } = await readAll(
    csv,
    memoryArchive("log", { "log.csv": table, "log.csv.map.yaml": mapping }),
  );
  return {
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
    named: issues.map(({ rule, found }) => `${rule} ${found}`),
    values: readings.map((reading) => {
      if (reading.kind !== "workout" || !("value" in reading)) throw new Error("no workout");
      const { distance, duration } = reading.value;
      return [`${distance?.value} ${distance?.unit}`, duration];
    }),
  };
}

test.each([
  [["1½ h", "¾ h", "1 h", "1¼ h"]],
  [["1 1/2 h", "3/4 h", "1 h", "1 1/4 h"]],
  [["1½h", "45 min", "1h", "1¼ Std."]],
])("durations such as %j are hours with a fraction", async (cells) => {
  const { open, values } = await read(
    "Date,km,Time",
    cells.map((cell, at) => `${[16, 8, 11, 14][at]},${cell}`),
  );
  expect(open).toEqual([]);
  expect(values).toEqual([
    ["16 km", 5400],
    ["8 km", 2700],
    ["11 km", 3600],
    ["14 km", 4500],
  ]);
});

test("distances with a word of doubt are read and named, and their column is no question", async () => {
  const { open, values, named } = await read("Date,Distance,Time", [
    "ca 10km,0:50:12",
    "9.5 km,0:48:30",
    "~12 km,1:01:05",
    "circa 8km,0:41:09",
  ]);
  expect(open).toEqual([]);
  expect(values).toEqual([
    ["10 km", 3012],
    ["9.5 km", 2910],
    ["12 km", 3665],
    ["8 km", 2469],
  ]);
  expect(named).toEqual([
    "csv/uncertain-number ca 10km",
    "csv/uncertain-number ~12 km",
    "csv/uncertain-number circa 8km",
  ]);
});

test("a distance with a comma and its unit is read among those with points", async () => {
  const { open, values, named } = await read("Date,Distance (km),Time", [
    '"10,5 Km",0:52:12',
    "9.5,0:48:30",
    "12.5,1:01:05",
    "8.5,0:41:09",
    "11.5,0:58:00",
    "9.5,0:48:40",
  ]);
  expect([open, named]).toEqual([[], []]);
  expect(values.map(([distance]) => distance)).toEqual(["10.5 km", "9.5 km", "12.5 km", "8.5 km", "11.5 km", "9.5 km"]);
});
