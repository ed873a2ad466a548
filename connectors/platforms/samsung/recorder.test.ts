import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { samsung } from "./table.ts";

test("workouts of the app that recorded them: another app's copy can be known as one", async () => {
  const named = (name: string) => `com.samsung.health.exercise.${name}`;
  const header = ["datauuid", "start_time", "time_offset", "exercise_type", "duration", "distance", "pkg_name"].map(
    named,
  );
  const row = (id: string, app: string) => [
    id,
    "2019-09-23 19:33:20.000",
    "UTC+0200",
    "1002",
    "1800250",
    "5012.4",
    app,
  ];
  const rows = [header, row("a1", "com.sec.android.app.shealth"), row("a2", "com.strava")];
  const text = ["com.samsung.shealth.exercise,6320001,17", ...rows.map((cells) => `${cells.join(",")},`)].join("\n");
  const archive = memoryArchive("a", { "com.samsung.shealth.exercise.20270101120000.csv": `${text}\n` });
  const { readings } = await readAll(samsung, archive);
  expect(readings.map((reading) => reading.kind === "workout" && reading.value.recorder)).toEqual([
    "com.sec.android.app.shealth",
    "com.strava",
  ]);
});
