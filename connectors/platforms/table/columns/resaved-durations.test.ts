import { expect, test } from "vitest";
import type { Issue } from "../../../../transforms/model/issue.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { runkeeper } from "../../runkeeper/table.ts";

const HEADER =
  "Activity Id,Date,Type,Route Name,Distance (km),Duration,Average Pace,Average Speed (km/h),Calories Burned,Climb (m),Average Heart Rate (bpm),Friend's Tagged,Notes,GPX File";

test.each([
  ["Cycling", "20.00", "45:00:00", 2700, true],
  ["Strength Training", "0.00", "24:30:00", 1470, true],
  // 100 miles, which nobody runs in 27 minutes and a half.
  ["Running", "160.93", "27:30:00", 99_000, false],
  ["Running", "160.93", "27:30:41", 99_041, false],
  ["Running", "5.00", "23:38", 1418, false],
  ["Hiking", "30.00", "12:00:00", 43_200, false],
])("of a list that Excel saved, %s of %s km in %s takes %d seconds", async (type, km, written, seconds, isTold) => {
  const issues: Issue[] = [];
  const context = {
    signal: new AbortController().signal,
    report: (issue: Issue) => issues.push(issue),
    sports: new Map(),
  };
  const list = `${HEADER}\na1,2020-05-01 18:00:00,${type},,${km},${written},,,300,10,140,,,\n`;
  const durations: (number | undefined)[] = [];
  for await (const reading of runkeeper.read(memoryArchive("a", { "cardioActivities.csv": list }), context))
    if (reading.kind === "workout") durations.push(reading.value.duration);
  expect(durations).toEqual([seconds]);
  expect(issues.some(({ rule }) => rule === "table/resaved-duration")).toBe(isTold);
});
