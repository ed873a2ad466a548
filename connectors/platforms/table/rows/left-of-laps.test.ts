import { expect, test } from "vitest";
import { leftOfLaps } from "./left-of-laps.ts";

test("what is measured of a lap is named once, however deep, and an empty value is none", () => {
  const laps = [
    { distance: 400, seconds: 90, heartRate: { min: 0, avg: 150 }, cadence: 0, power: null, more: { Calories: "12" } },
    { distance: 400, seconds: 91, heartRate: { avg: 151 }, speed: "", note: "hard" },
  ];
  expect(leftOfLaps(laps)).toEqual([{ field: "more of the laps", value: "Calories, heartRate" }]);
  expect(leftOfLaps([{ distance: 400, seconds: 90 }])).toEqual([]);
});
