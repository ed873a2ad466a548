/** Files of a Garmin export from outside this project, read whole. Another program read the expected values from their bytes. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openArchive } from "../../connectors/containers/open.ts";
import { garmin } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

/** Sessions of the FIT files: when they began, in seconds since 1970, and how long their timers ran. */
const SESSIONS = [
  ["2015-10-13-08-43-15.fit", 1_444_750_995, 1558.198],
  ["Activity.fit", 1_334_006_546, 13.749],
  ["garmin-fenix-5-bike.fit", 1_497_283_762, 60.363],
  ["garmin-fenix-5-run.fit", 1_497_191_649, 56.887],
  ["garmin-fenix-5-walk.fit", 1_497_191_571, 45.379],
] as const;

test("an activity and eleven FIT files: every member of it is mapped, left or named, and every file is accounted for", async () => {
  const archive = await openArchive(join(SAMPLES, "garmin-export"));
  try {
    expect((await identifyArchive(archive)).connector).toBe(garmin);
    const { readings, issues } = await readAll(garmin, archive);
    const [run, ...files] = readings;
    expect(run).toMatchObject({
      key: "garmin:workout:SYNTHETIC-RUN-0001",
      value: {
        activity: "run",
        name: "Synthetic Five Kilometre Run",
        notes: "Completely fabricated local example.",
        // 500,000 cm, 1,800,000 ms. Nine in the morning is midnight in UTC.
        distance: { unit: "m", value: 5000 },
        duration: 1800,
        start: { date: "2030-01-01", time: "09:00:00", instant: Date.UTC(2030, 0, 1), offsetMinutes: 540 },
      },
    });
    const recorded = files.flatMap(({ kind, ...reading }) => {
      if (kind !== "workout" || !("value" in reading) || !("track" in reading.value)) return [];
      const { track, start, duration } = reading.value;
      return [[track?.entry.replace(/.*\//, ""), (start.instant ?? 0) / 1000, duration]];
    });
    expect(recorded).toEqual(SESSIONS);
    // activity-settings.fit is Activity.fit with a settings file behind it.
    const copies = files.flatMap((reading) => (reading.kind === "set-aside" ? [reading.origin.entry] : []));
    expect(copies).toEqual(["fit-for-UploadedFiles/activity-settings.fit"]);
    expect(readings).toHaveLength(1 + SESSIONS.length + copies.length);
    expect(issues.map(({ rule, field, count }) => [rule, field ?? count])).toEqual([
      ["table/unknown-column", "synthetic"],
      // Monitoring, settings, scales, and two planned workouts.
      ["table/no-recording", 5],
    ]);
  } finally {
    await archive.close();
  }
});
