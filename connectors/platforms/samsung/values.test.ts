import { expect, test } from "vitest";
import { sportIn } from "./values.ts";

test.each([
  ["1002", "Park", "running"],
  ["0", "Parkour", "Parkour"],
  ["0.0", "Parkour", "Parkour"],
  ["0", "", "custom exercise"],
  ["15007", "x", "Samsung exercise 15007"],
  ["OPEN_WATER_SWIMMING", "x", "OPEN_WATER_SWIMMING"],
])("an exercise of the type %j with the title %j is %s", (type, title, sport) => {
  expect(sportIn(type, title)).toBe(sport);
});
