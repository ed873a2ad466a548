import { expect, test } from "vitest";
import { withChosenHeartRate } from "../model/heart-rates.ts";
import { fillBlanks } from "./fill-blanks.ts";
import { besideLog } from "./source-beside-log.ts";

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

test("a heart rate that contradicts the log's own stays out", () => {
  expect(fillBlanks({ health: { avgHR: 140 } }, { health: { maxHR: 139 } }, PATHS)).toEqual({ health: { avgHR: 140 } });
  expect(fillBlanks({ health: { maxHR: 139 } }, { health: { avgHR: 140 } }, PATHS)).toEqual({ health: { maxHR: 139 } });
  // Where the log lacks it for good, it has another value: nothing can bring it in.
  const options = { hasNotes: true, written: new Set<string>() };
  expect(besideLog({ health: { maxHR: 139 } }, { health: { avgHR: 140 } }, options, Object.is)).toEqual({
    lacking: [],
    differing: ["maximum heart rate"],
  });
});

test("of two heart rates that a person chose between, the chosen one stays and the other one is counted", () => {
  const value = { start: {}, health: { avgHR: 140, maxHR: 139, restHR: 50 } };
  expect(withChosenHeartRate(value, "health.avgHR")).toEqual({
    start: {},
    health: { avgHR: 140, restHR: 50 },
    unsupported: [{ field: "maxHR", value: "139 a minute" }],
  });
  expect(withChosenHeartRate(value, "health.maxHR").health).toEqual({ maxHR: 139, restHR: 50 });
  expect(withChosenHeartRate(value, "notes")).toEqual(value);
});

test("only the named fields are filled", () => {
  expect(fillBlanks({ notes: "" }, { notes: "a", time: "07:00:00" }, ["notes"])).toEqual({ notes: "a" });
});
