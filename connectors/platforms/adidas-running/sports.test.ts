import { expect, test } from "vitest";
import { activityNamed } from "../../../transforms/activities.ts";
import { sportOf } from "./sports.ts";

test("every number of the table has a name that leads to an activity, but for those that are asked for", () => {
  const named = Array.from({ length: 120 }, (_, number) => sportOf(String(number))).filter((name) => !/\d/.test(name));
  expect(named).toHaveLength(103);
  // The table of adidas Running itself says the activity for an ergometer, a ride and virtual cycling.
  expect(named.filter((name) => activityNamed(name) === undefined)).toEqual([
    "other",
    "ergometer",
    "riding",
    "scooter",
    "cheerleading or e-sports",
    "beach volleyball or virtual running",
    "virtual cycling",
  ]);
});

test.each(["999", "115", "", "constructor"])("the number %j is nobody else's sport", (number) => {
  expect(sportOf(number)).toBe(`adidas Running sport ${number}`);
  expect(activityNamed(sportOf(number))).toBeUndefined();
});
