import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { polar } from "./table.ts";

const session = (day: string) => ({
  startTime: `${day}T18:00:00`,
  stopTime: `${day}T19:00:00`,
  timezoneOffsetMinutes: 330,
  durationMillis: 3_600_000,
  sport: { id: 15 },
  exercises: [],
});

test("a workout has the weight and the resting heart rate that the calendar has for its day", async () => {
  const calendar = {
    exportVersion: "1.0",
    perceivedRecovery: [],
    physicalInformations: [{ dateTime: "2025-07-05T06:00:00.000", sex: "FEMALE", restingHeartRate: 49 }],
    notes: [{ note: "tired", date: "2025-07-04" }],
    weights: [
      { weight: 70.2, date: "2025-07-04" },
      { weight: 0, date: "2025-07-05" },
    ],
  };
  const days = ["2025-07-04", "2025-07-05", "2025-07-06"];
  const { readings, issues } = await readAll(
    polar,
    memoryArchive("a", {
      ...Object.fromEntries(days.map((day) => [`training-session_${day}.json`, JSON.stringify(session(day))])),
      "calendar-items-1a.json": JSON.stringify(calendar),
    }),
  );
  expect(readings.map((reading) => reading.kind === "workout" && reading.value.health)).toEqual([
    { weight: { unit: "kg", value: 70.2 } },
    { restHR: 49 },
    undefined,
  ]);
  expect(issues).toEqual([]);
});

test("two sessions at one wall clock of the night when the clocks go back are two, also beside a copy of each", async () => {
  const night = (offset: number, durationMillis: number) => ({
    ...session("2023-10-29"),
    startTime: "2023-10-29T02:15:00",
    timezoneOffsetMinutes: offset,
    durationMillis,
  });
  const [summer, winter] = [JSON.stringify(night(120, 1_500_000)), JSON.stringify(night(60, 2_000_000))];
  const files = { "training-session_1.json": summer, "training-session_2.json": winter };
  const copies = { "old/training-session_1.json": summer, "old/training-session_2.json": winter };
  const { readings } = await readAll(polar, memoryArchive("a", { ...files, ...copies }));
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value.start.instant] : []));
  expect(workouts.map(Number).toSorted()).toEqual([Date.UTC(2023, 9, 29, 0, 15), Date.UTC(2023, 9, 29, 1, 15)]);
  expect(new Set(readings.map(({ key }) => key)).size).toBe(4);
});
