import { expect, test } from "vitest";
import { printablePath } from "./printable-path.ts";

test.each([
  ["Takeout/Fit/a.json", 60, "Takeout/Fit/a.json"],
  [
    "Takeout/Google Health/Physical Activity_GoogleData/steps_2024-05-04.csv",
    60,
    "…/Physical Activity_GoogleData/steps_2024-05-04.csv",
  ],
  ["a/b/c/d.csv", 8, "…/d.csv"],
  ["folder/a-very-long-name.csv", 10, "a-very-lo…"],
  ["a\u001b[31m/x.csv", 60, "a\\x1b[31m/x.csv"],
])("of the path %j, %i columns are %s", (path, width, shown) => {
  expect(printablePath(path, width)).toBe(shown);
});
