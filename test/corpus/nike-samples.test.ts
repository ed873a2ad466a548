/** A list of Nike Run Club activities from outside this project, read whole. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { nike } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("a list of eighty runs of 2021 is read whole, and the positions that are not in it are named", async () => {
  const bytes = readFileSync(join(SAMPLES, "nike", "activities-list-page.json"));
  const archive = memoryArchive("nike.zip", { "activities.json": bytes });
  expect((await identifyArchive(archive)).connector).toBe(nike);
  const { readings, issues } = await readAll(nike, archive);
  const { activities } = JSON.parse(`${bytes}`) as { activities: { metric_types: string[]; metrics: unknown[] }[] };
  const withPositions = activities.filter(({ metric_types }) => metric_types.includes("latitude"));
  expect(activities.flatMap(({ metrics }) => metrics)).toEqual([]);
  expect(issues.map(({ rule }) => rule)).toEqual(withPositions.map(() => "table/no-positions"));
  const runs = readings.flatMap((reading) => (reading.kind === "workout" ? [reading] : []));
  expect([runs.length, readings.length]).toEqual([80, 80]);
  expect(runs[0]).toMatchObject({
    key: "nike:workout:e0a4d52e-4c84-4e8e-9eba-8253656782b6",
    origin: { entry: "activities.json", locator: "record 1" },
    value: {
      activity: "run",
      name: "Saturday Evening Run",
      // 1618093345856: a table's time has whole seconds.
      start: { instant: Date.UTC(2021, 3, 10, 22, 22, 25) },
      duration: 858,
      // The kilometres were done at 1618093689337 and 1618094016955. The run has 2.4713 km.
      intervalSet: {
        intervals: [
          { distance: { unit: "m", value: 1000 }, duration: 343.481 },
          { distance: { unit: "m", value: 1000 }, duration: 327.618 },
          { distance: { unit: "m", value: 471.31 }, duration: 186.901 },
        ],
      },
    },
  });
  expect(runs[2]?.value.distance).toEqual({ unit: "km", value: 1.6939800000000365 });
  expect(runs.filter(({ value }) => value.weather?.temperature !== undefined)).toHaveLength(4);
  expect(runs.every(({ value }) => value.distance !== undefined && value.duration !== undefined)).toBe(true);
});
