/** Hevy exports from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { hevy } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

async function read(file: string) {
  const archive = memoryArchive("hevy", { "workouts.csv": readFileSync(join(SAMPLES, "hevy", file)) });
  expect((await identifyArchive(archive)).connector).toBe(hevy);
  return readAll(hevy, archive);
}

test("330 sets of 2025 give 17 workouts", async () => {
  const { readings, issues } = await read("mouadja02-workout_data.csv");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(17);
  expect(readings[0]).toMatchObject({
    origin: { locator: "line 2" },
    value: {
      activity: "weight",
      name: "Monday ? You mean international CHEST DAY !",
      start: { date: "2025-06-30", time: "19:56:00" },
      duration: 3720,
      notes: expect.stringMatching(
        /^Incline Bench Press \(Dumbbell\): 1×13 @ 48 kg; 1×13 @ 60 kg; 1×12 @ 72 kg; 1×10 @ 72 kg\nBench Press/,
      ),
    },
  });
  expect(readings[1]).toMatchObject({ value: { notes: expect.stringMatching(/^Shoulder day hits different — they/) } });
});

test.each([
  ["all-set-types", [{ start: { instant: Date.UTC(2024, 0, 15, 10) } }]],
  ["lbs-only", [{ start: { instant: Date.UTC(2024, 0, 15, 10) }, duration: 3600 }]],
  ["supersets", [{ start: { instant: Date.UTC(2024, 1, 1, 16) } }]],
  // The end of the first is before its start, and that of the second is its start.
  [
    "reversed-time",
    [{ start: { instant: Date.UTC(2024, 0, 15, 12) } }, { start: { instant: Date.UTC(2024, 0, 15, 10) } }],
  ],
])("starts in UTC are instants: %s", async (name, expected) => {
  const { readings } = await read(`openweight-hevy-${name}.csv`);
  expect(readings.map((reading) => reading.kind === "workout" && reading.value)).toMatchObject(expected);
});
