import { expect, test } from "vitest";
import { toNumbers } from "./activity-types.ts";

/** The activity numbers of a log that lists these names. The first name has the number 1. */
function numbersFor(...names: readonly string[]) {
  return toNumbers(names.map((activityName, index) => ({ activityID: index + 1, activityName }))).activityIDs;
}

test("an activity of the log goes by its name: by ours first, else by the table of sports", () => {
  expect(numbersFor("Treadmill", "Run", "Cycling", "Hiking")).toEqual({ run: 2, bike: 3, hike: 4 });
});

test("of two that the table knows as one sport neither is taken", () => {
  expect(numbersFor("Trail running", "Treadmill", "Swim")).toEqual({ swim: 3 });
  expect(numbersFor("Run", "RUN")).toEqual({});
});

test("other is only what the log calls so: its Golf is not where tennis goes", () => {
  expect(numbersFor("Golf")).toEqual({});
  expect(numbersFor("Golf", "Other", "Cardio")).toEqual({ other: 2 });
});
