/** A FitNotes export from outside this project, read whole. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { fitnotes } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("29 sets of the iPhone app give three workouts, in UTC and without units", async () => {
  const bytes = readFileSync(join(SAMPLES, "fitnotes", "melvinrdn-FitNotesWorkouts.example.csv"));
  const archive = memoryArchive("fitnotes", { "FitNotesWorkouts.csv": bytes });
  expect((await identifyArchive(archive)).connector).toBe(fitnotes);
  const { readings, issues } = await readAll(fitnotes, archive);
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    {
      value: {
        activity: "weight",
        name: "Upper",
        start: { instant: Date.UTC(2025, 5, 2, 17) },
        duration: 4500,
        notes: expect.stringContaining(
          "Overhead Press (Barbell): 1×5 @ 40 RPE 7; 1×5 @ 40 RPE 8; 1×3 @ 45 RPE 9 (Failed)\nPullup (Bodyweight): 1×5 RPE 6",
        ),
        unsupported: [{ field: "body weight without a unit", value: "80,0" }],
      },
    },
    { value: { name: "Core", duration: 900, notes: expect.stringMatching(/^Plank \(Bodyweight\): 1×1 in 45 s; /) } },
    { value: { name: "Lower", start: { instant: Date.UTC(2025, 5, 5, 17) }, duration: 5400 } },
  ]);
});
