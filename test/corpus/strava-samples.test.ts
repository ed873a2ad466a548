/** Exports from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import { strava } from "../../connectors/platforms/strava/table.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const STRAVA = join(SAMPLES, "strava");

describe("an export of 2024 with 94 columns", () => {
  const read = async () => {
    const archive = await openArchive(join(STRAVA, "full-export-94col"));
    try {
      const { connector } = await identifyArchive(archive);
      return { connector, ...(await readAll(connector, archive)) };
    } finally {
      await archive.close();
    }
  };

  test("is told from everything else, and read without a remark", async () => {
    const { connector, issues } = await read();
    expect(connector).toBe(strava);
    expect(issues).toEqual([]);
  });

  test("holds one run with its file", async () => {
    const { readings } = await read();
    expect(readings).toHaveLength(1);
    expect(readings[0]).toMatchObject({
      kind: "workout",
      key: "strava:workout:12070555079",
      origin: { entry: "activities.csv", locator: "line 2" },
      value: {
        activity: "run",
        sport: "Run",
        name: "Laufen Landal Park",
        distance: { unit: "m", value: 3322.949951171875 },
        duration: 1411,
        // May 29, 2022, 3:53:35 PM is UTC. The watch was two hours east of it.
        start: { instant: Date.UTC(2022, 4, 29, 15, 53, 35), offsetMinutes: 120 },
        track: { entry: "activities/12866632127.fit.gz", format: "fit", recording: 0, recordings: 1 },
      },
    });
  });

  test("loses nothing unsaid: what the log can't hold is counted", async () => {
    const [run] = (await read()).readings;
    const unsupported = run?.kind === "workout" ? run.value.unsupported : [];
    expect(unsupported).toEqual([
      { field: "elapsed time", value: "1428 s" },
      { field: "max speed", value: "3.2149860858917236 m/s" },
      { field: "elevation gain", value: "61.878849029541016 m" },
      { field: "elevation loss", value: "86 m" },
      { field: "lowest elevation", value: "357.20001220703125 m" },
      { field: "highest elevation", value: "376.70001220703125 m" },
      { field: "max grade", value: "12.508076667785645 %" },
      { field: "max cadence", value: "80 a minute" },
      { field: "average cadence", value: "71.25904846191406 a minute" },
      { field: "calories", value: "262 kcal" },
      { field: "grade adjusted distance", value: "3473.800048828125 m" },
      { field: "steps", value: "3344" },
      { field: "grade adjusted speed", value: "2.461941957473755 m/s" },
    ]);
  });
});

describe("a table of 2023 with 87 columns and untranslated headers", () => {
  const ROWS = [
    ["9125662739", Date.UTC(2023, 4, 23, 12, 40, 57), "Evening Ride", 33912.48046875, 5103, 6],
    ["9148958024", Date.UTC(2023, 4, 27, 1, 24, 16), "Morning Ride", 122675.9921875, 19143, 8],
    ["9189096048", Date.UTC(2023, 5, 2, 11, 48, 52), "Evening Ride", 51837.44921875, 8405, 9],
    ["9233077380", Date.UTC(2023, 5, 9, 13, 2, 3), "Night Ride", 32848.51171875, 4862, 7],
    ["9233439372", Date.UTC(2023, 5, 9, 13, 2, 3), "Evening Ride", 32848.51171875, 4862, undefined],
    ["9239384321", Date.UTC(2023, 5, 10, 10, 36, 58), "Evening Ride", 67206.78125, 10121, 8],
    ["9251030970", Date.UTC(2023, 4, 20, 1, 30, 0), "Morning Ride", 88210, 14599, 8],
    ["9251043755", Date.UTC(2023, 4, 13, 0, 38, 0), "Morning Ride", 67160, 16303, 9],
  ] as const;

  const read = () => {
    const table = readFileSync(join(STRAVA, "strava_py/activities-87col-translation-missing.csv"));
    return readAll(strava, memoryArchive("export.zip", { "activities.csv": table }));
  };

  test("holds eight rides, two of them the same ride twice, which both stay", async () => {
    const { readings } = await read();
    const rides = readings.flatMap((reading) => (reading.kind === "workout" ? [reading] : []));
    expect(
      rides.map(({ key, value }) => [
        key.replace("strava:workout:", ""),
        value.start.instant,
        value.name,
        value.distance?.value,
        value.duration,
        value.ratings?.effort,
      ]),
    ).toEqual(ROWS.map((row) => [...row]));
    for (const { value } of rides) {
      // Every row has an average heart rate of 0 or an empty cell: it was not measured.
      expect([value.activity, value.sport, value.health]).toEqual(["bike", "Ride", undefined]);
    }
    expect(rides.map(({ value }) => value.weather?.temperature?.value)).toEqual([
      21,
      33,
      26,
      29,
      29,
      31,
      undefined,
      undefined,
    ]);
  });

  test("has one bike, which only the rows know by name and number", async () => {
    const { readings, issues } = await read();
    const bikes = readings.filter(({ kind }) => kind === "equipment");
    expect(bikes).toMatchObject([{ value: { activity: "bike", modelName: "TCR ADV 3" } }]);
    const keys = readings.flatMap((reading) => (reading.kind === "workout" ? (reading.value.equipment ?? []) : []));
    expect(keys).toEqual(Array(8).fill(bikes[0]?.key));
    expect(issues.map(({ rule, found }) => [rule, found])).toEqual([
      ["strava/unlisted-gear", "number 12622314, TCR ADV 3"],
    ]);
  });
});
