import { expect, test } from "vitest";
import { ACTIVITIES, activityNamed, activityOfFit, foldSport } from "./activities.ts";

test.each([
  ["Run", "run"],
  ["TrailRun", "run"],
  ["Stair-Stepper", "elliptical"],
  ["Football (Soccer)", "other"],
  ["rowing_v2", "row"],
  ["E-Mountain Bike Ride", "bike"],
  ["Course à pied", "run"],
  ["Radfahrt", "bike"],
  ["Virtuele fietsrit", "bike"],
  ["Krafttraining", "weight"],
  ["Biking", "bike"],
  ["9", "run"],
  ["brunch", undefined],
  ["strides", undefined],
  ["Workout", "other"],
  ["Other", undefined],
  ["", undefined],
  ["__proto__", undefined],
])("a source's %j is %s", (name, activity) => {
  expect(activityNamed(name)).toBe(activity);
});

test.each([
  [1, 1, "run"],
  [1, undefined, "run"],
  [4, 15, "elliptical"],
  [4, 14, "row"],
  [4, 6, "bike"],
  [4, 0, undefined],
  [10, 20, "weight"],
  [10, 43, "yoga"],
  [10, 0, undefined],
  [0, 0, undefined],
  [3, 0, undefined],
  [254, 0, undefined],
] as const)("FIT sport %d with sub sport %s is %s", (sport, subSport, activity) => {
  expect(activityOfFit(sport, subSport)).toBe(activity);
});

test("no name and no FIT number stands in two rows", () => {
  const seen = new Map<string, string>();
  for (const row of ACTIVITIES) {
    for (const key of new Set([...row.names.map(foldSport), ...row.fit.map((pair) => `fit ${pair.join(",")}`)])) {
      expect(seen.get(key), `${key} is in ${row.activity} and ${seen.get(key)}`).toBeUndefined();
      seen.set(key, row.activity);
    }
  }
});
