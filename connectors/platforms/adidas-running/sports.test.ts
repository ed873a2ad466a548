import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { activityNamed } from "../../../transforms/activities.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { sportOf } from "./sports.ts";
import { adidasRunning } from "./table.ts";

test("every number of the table has a name that leads to an activity, but for those that are asked for", () => {
  const named = Array.from({ length: 120 }, (_, number) => sportOf(String(number))).filter((name) => !/\d/.test(name));
  expect(named).toHaveLength(103);
  // The table of adidas Running itself says the activity of some of these: the next test has them.
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

test("an ergometer is a bicycle and a ride is on a horse here, and a number with two sports of other kinds is no question", async () => {
  const expected = { 15: "bike", 20: "other", 111: "other", 116: "bike", 114: undefined, 87: undefined, 5: undefined };
  const files = Object.keys(expected).map((number, index): [string, string] => {
    const start = 1_500_000_000_000 + index * 86_400_000;
    const times = {
      start_time: start,
      start_time_timezone_offset: 0,
      end_time: start + 1_800_000,
      duration: 1_800_000,
      pause_duration: 0,
    };
    return [`Sport-sessions/${number}.json`, JSON.stringify({ id: number, sport_type_id: number, ...times })];
  });
  const { readings } = await readAll(adidasRunning, memoryArchive("a", Object.fromEntries(files)));
  const read = readings.map(
    (one) => one.kind === "workout" && [one.origin.entry.replace(/\D/g, ""), one.value.activity],
  );
  expect(Object.fromEntries(read.filter((pair) => pair !== false))).toEqual(expected);
});

test.each(["999", "115", "", "constructor"])("the number %j is nobody else's sport", (number) => {
  expect(sportOf(number)).toBe(`adidas Running sport ${number}`);
  expect(activityNamed(sportOf(number))).toBeUndefined();
});
