/** A WHOOP export from outside this project, read whole. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { whoop } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const TABLES = ["workouts", "physiological_cycles", "sleeps", "journal_entries"];

test("an export of four tables gives its three workouts, and nothing of it is missed", async () => {
  const bytesOf = (name: string) => readFileSync(join(SAMPLES, "whoop", `scholion-${name}.csv`));
  const archive = memoryArchive("whoop", Object.fromEntries(TABLES.map((name) => [`${name}.csv`, bytesOf(name)])));
  expect((await identifyArchive(archive)).connector).toBe(whoop);
  const { readings, issues } = await readAll(whoop, archive);
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(3);
  expect(readings.slice(0, 2)).toMatchObject([
    {
      value: {
        activity: "weight",
        start: { date: "2026-01-04", time: "09:00:00", instant: Date.UTC(2026, 0, 4, 6), offsetMinutes: 180 },
        duration: 3120,
        health: { avgHR: 121, maxHR: 158 },
      },
    },
    {
      value: {
        activity: "run",
        distance: { unit: "m", value: 7100 },
        duration: 2280,
        unsupported: expect.arrayContaining([{ field: "elevation gain", value: "42.5 m" }]),
      },
    },
  ]);
  // Its day has no end yet.
  expect(readings[2]).toMatchObject({ value: { start: { date: "2026-02-02", time: "08:00:00" }, duration: 2700 } });
});
