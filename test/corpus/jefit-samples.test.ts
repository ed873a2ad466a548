/** JEFIT backups from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { jefit } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

async function read(name: string) {
  const bytes = readFileSync(join(SAMPLES, "jefit", `openweight-jefit-${name}.csv`));
  const archive = memoryArchive("jefit", { "backup.csv": bytes });
  expect((await identifyArchive(archive)).connector).toBe(jefit);
  return readAll(jefit, archive);
}

test("five sessions give five workouts on their days", async () => {
  const { readings, issues } = await read("real");
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(5);
  expect(readings[0]).toMatchObject({
    value: {
      activity: "weight",
      start: { date: "2024-01-08" },
      duration: 4500,
      notes: expect.stringMatching(/^Barbell Bench Press: 1×8 @ 80; 1×6 @ 85; 1×5 @ 90; 1×4 @ 90\nIncline Dumbbell/),
      unsupported: [{ field: "start in UTC, for a time of day with --zone", value: "2024-01-08T08:00:00.000Z" }],
    },
  });
  expect(await read("multisession").then((of) => of.readings)).toHaveLength(3);
});

test("weights of 0 are body weight", async () => {
  expect((await read("bodyweight")).readings).toMatchObject([
    { value: { duration: 2700, notes: expect.stringMatching(/^Pull Up: 1×12; 1×10; 1×8\nDips: 1×15; /) } },
  ]);
});

test("a misspelt column of starts counts like the right one", async () => {
  const { readings, issues } = await read("starttimie-typo");
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    { value: { start: { date: "2024-03-01" }, unsupported: [{ value: "2024-03-01T11:00:00.000Z" }] } },
    { value: { start: { date: "2024-03-03" }, duration: 2700 } },
  ]);
});

test("sets that can't be read are named, and the others of their exercise count", async () => {
  const { readings, issues } = await read("malformed-logs");
  expect(issues.filter(({ rule }) => rule === "table/bad-set").map(({ found }) => found)).toEqual([
    ...["abcxdef", "100x", "x5", "100", "100x5x3", "NaNxNaN"],
  ]);
  expect(readings).toMatchObject([
    {
      value: {
        notes:
          "Barbell Bench Press: 2×5 @ 100\nBarbell Squat: 1×5 @ 100\nBarbell Row: 1×8 @ 80\nDumbbell Curl: 1×10 @ 15",
      },
    },
  ]);
});

test("exercises without sets are counted", async () => {
  const { readings, issues } = await read("empty-logs");
  expect(issues).toMatchObject([{ rule: "table/no-set", count: 2 }]);
  expect(readings).toMatchObject([{ value: { duration: 2400, notes: "Deadlift: 2×5 @ 100" } }]);
});
