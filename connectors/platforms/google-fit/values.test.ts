import { expect, test } from "vitest";
import { activityNamed } from "../../../transforms/activities.ts";
import { offsetOf, SPORTS, secondsOf, skips } from "./values.ts";

test.each([
  ["2014-10-22T19_46_33.073+02_00_WALKING.json", "+02:00"],
  ["2021-07-01T23_15_00-02_30_BIKING.MOUNTAIN.json", "-02:30"],
  ["2021-07-03T08_00_00Z_YOGA.json", undefined],
  ["session.json", undefined],
])("%s has the distance from UTC %j", (name, offset) => expect(offsetOf(name)).toBe(offset));

test("a duration loses its letter", () => expect(secondsOf("674.186s")).toBe("674.186"));

test("sleep and drives are no workouts, and a walk is one", () => {
  expect(["sleep", "sleep.light", "in_vehicle", "still", "unknown"].map((name) => skips(name) === undefined)).toEqual(
    Array(5).fill(false),
  );
  expect(["walking", "sleepwalking", "constructor"].map(skips)).toEqual([undefined, undefined, undefined]);
});

test("no name here contradicts the table of all platforms", () => {
  const contradicts = Object.entries(SPORTS).filter(
    ([name, activity]) => (activityNamed(name) ?? activity) !== activity,
  );
  expect(contradicts).toEqual([]);
});
