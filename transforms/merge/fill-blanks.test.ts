import { expect, test } from "vitest";
import { fillBlanks } from "./fill-blanks.ts";

const PATHS = ["notes", "details.distance", "health.avgHR", "health.maxHR", "ratings.effort"];

test("blank fields get our values, also in a group that has others", () => {
  const theirs = { date: "2024-05-04", notes: " ", health: { maxHR: 170 } };
  const ours = { date: "2024-05-05", notes: "Along the river", health: { avgHR: 141, maxHR: 171 } };
  expect(fillBlanks(theirs, ours, PATHS)).toEqual({
    date: "2024-05-04",
    notes: "Along the river",
    health: { maxHR: 170, avgHR: 141 },
  });
});

test("a field that has a value keeps it, and 0 is a value", () => {
  const theirs = { notes: "mine", details: { distance: { unit: "km", value: 5 } }, ratings: { effort: 0 } };
  const ours = { notes: "theirs", details: { distance: { unit: "km", value: 6 } }, ratings: { effort: 7 } };
  expect(fillBlanks(theirs, ours, PATHS)).toEqual(theirs);
});

test("only the named fields are filled", () => {
  expect(fillBlanks({ notes: "" }, { notes: "a", time: "07:00:00" }, ["notes"])).toEqual({ notes: "a" });
});
