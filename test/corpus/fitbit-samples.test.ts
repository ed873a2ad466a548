/** A Fitbit export from outside this project. The expected values were typed from the files by hand. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openArchive } from "../../connectors/containers/open.ts";
import { fitbit } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("a folder of 2018 gives its three exercises, and leaves the other files, which have none", async () => {
  const archive = await openArchive(join(SAMPLES, "fitbit"));
  expect((await identifyArchive(archive)).connector).toBe(fitbit);
  const { readings, issues } = await readAll(fitbit, archive);
  await archive.close();
  expect(issues).toEqual([]);
  expect(readings.map(({ key }) => key)).toEqual([
    "fitbit:workout:32289523590",
    "fitbit:workout:32289523598",
    "fitbit:workout:33445279392",
  ]);
  expect(readings[0]).toMatchObject({
    kind: "workout",
    origin: { entry: "exercise.json", locator: "record 1" },
    value: {
      activity: "walk",
      sport: "Walk",
      start: { instant: Date.UTC(2018, 0, 1, 14, 25, 33) },
      duration: 1229,
      health: { avgHR: 114 },
      unsupported: [
        { field: "calories", value: "180 kcal" },
        { field: "elevation gain", value: "30 m" },
        { field: "steps", value: "1838" },
        { field: "kind of entry", value: "auto detected" },
        // Fat burn, cardio and so on; sedentary, lightly and so on: four of each.
        { field: "heartRateZones", value: "4" },
        { field: "activityLevel", value: "4" },
      ],
    },
  });
  expect(readings[2]).toMatchObject({
    value: { activity: "run", distance: { unit: "mi", value: 2.087447 }, duration: 1168, health: { avgHR: 139 } },
  });
});
