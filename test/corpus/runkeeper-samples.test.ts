/** A Runkeeper table from outside this project, read whole. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { runkeeper } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const table = () => readFileSync(join(SAMPLES, "runkeeper", "cardioActivities-12col-dangoldin.csv"));

test("a table of 2013 is known by its header under any name, and every row and column of it is read", async () => {
  const archive = memoryArchive("a.zip", { "cardioActivities-12col.csv": table() });
  const { connector, evidence } = await identifyArchive(archive);
  expect(connector).toBe(runkeeper);
  expect(evidence.saw).toBe("cardioActivities-12col.csv with 12 columns");
  const { readings, issues } = await readAll(runkeeper, archive);
  const runs = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(runs).toHaveLength(30);
  expect(readings.filter(({ kind }) => kind !== "workout")).toMatchObject([
    { kind: "course", value: { name: "14th and Back" } },
  ]);
  // The sample has only the table. Each GPX that a row names is reported as missing, and there is no other remark.
  const named = table()
    .toString()
    .split("\n")
    .filter((line) => /\.gpx\s*$/.test(line));
  expect(issues.map(({ rule }) => rule)).toEqual(named.map(() => "table/missing-file"));
  expect(runs[0]).toEqual({
    activity: "run",
    sport: "Running",
    start: { date: "2013-12-29", time: "11:36:13" },
    notes: "xxxxxx 1000 xxxxx!",
    distance: { unit: "mi", value: 3.02 },
    duration: 1602,
    unsupported: [
      { field: "calories", value: "384.0 kcal" },
      { field: "elevation gain", value: "71.14 ft" },
    ],
    lostFile: { because: "missing", name: expect.stringMatching(/\.gpx$/) },
  });
  expect(runs.every(({ activity, distance, duration }) => activity === "run" && distance && duration)).toBe(true);
});

test("a column nobody knows is named", async () => {
  const [header = "", ...rows] = table().toString().trimEnd().split(/\r?\n/);
  const wider = [`${header},Mood`, ...rows.map((row) => `${row},fine`)].join("\n");
  const { issues } = await readAll(runkeeper, memoryArchive("a.zip", { "cardioActivities.csv": Buffer.from(wider) }));
  const unknown = issues.filter(({ rule }) => rule === "table/unknown-column");
  expect(unknown.map(({ field }) => field)).toEqual(["Mood"]);
});
