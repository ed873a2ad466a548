import { expect, test } from "vitest";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";

const example = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv(undefined, ["When", "Far"]),
      dates: { order: "iso", zone: "local" },
      sport: "run",
      shows: (cellOf) => (cellOf("Weight") === "" ? undefined : cellOf("Weight") === "lb" ? "imperial" : "metric"),
      columns: [
        ["When", "date"],
        ["Far", "distance", { unitBy: (_, shown) => shown && { metric: "km", imperial: "mi" }[shown] }],
        ["Weight", "ignore"],
      ],
    },
  ],
  leaves: {},
});

/** Reads the distances of rows with these weights. */
async function distancesOf(...weights: readonly string[]) {
  const rows = weights.map((weight, index) => `2024-07-0${index + 1},5,${weight}`);
  const archive = memoryArchive("a.zip", { "any name.csv": ["When,Far,Weight", ...rows, ""].join("\n") });
  const remarks: string[] = [];
  const report = ({ severity, rule }: Issue) => remarks.push(`${severity} ${rule}`);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  const readings: Reading[] = [];
  for await (const reading of example.read(archive, context)) readings.push(reading);
  const units = readings.map((reading) =>
    reading.kind === "workout" ? reading.value.distance?.unit : reading.kind === "set-aside" && reading.issue.rule,
  );
  return { units, remarks };
}

test("a column without a unit is read in the one that most rows show, by the rows before them too", async () => {
  // logferry tells a person which unit it concluded.
  const remarks = ["warning table/shown-unit"];
  expect(await distancesOf("", "lb", "")).toEqual({ units: ["mi", "mi", "mi"], remarks });
  expect((await distancesOf("kg", "kg", "lb", "kg", "kg")).units).toEqual(["km", "km", "km", "km", "km"]);
});

test("rows are rejected where none shows a unit, and where as many show another", async () => {
  const units = ["table/unknown-unit", "table/unknown-unit"];
  expect(await distancesOf("", "")).toEqual({ units, remarks: [] });
  expect(await distancesOf("kg", "lb")).toEqual({ units, remarks: [] });
});
