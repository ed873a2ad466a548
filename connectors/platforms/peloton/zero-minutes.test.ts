import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { peloton } from "./table.ts";

const HEADER =
  "Workout Timestamp,Live/On-Demand,Length (minutes),Fitness Discipline,Title,Total Output,Avg. Speed (mph),Distance (mi),Calories Burned,Avg. Heartrate";

// more-platforms 6: a length of 0, None or nothing occurs. Then the duration follows from distance and speed, or it is absent.
test.each([
  ["0", ",,,,", "0 minutes, in which nothing was measured"],
  ["0", "0,0.0,0.00,0,", "0 minutes, in which nothing was measured"],
  ["0", ",12,3.1,100,", 930],
  ["0", ",,3.1,,", undefined],
  ["0", ",,,100,", undefined],
  ["0", ",,,,130.4", 0],
  ["None", ",,,,", undefined],
  ["20", ",,,,", 1200],
])("a row of %s minutes with %j", async (minutes, values, becomes) => {
  const row = `2020-01-30 09:30 (CDT),On Demand,${minutes},Cycling,20 min Ride,${values}`;
  const { readings } = await readAll(peloton, memoryArchive("a", { "w.csv": `${HEADER}\n${row}\n` }));
  const [only] = readings;
  expect(readings).toHaveLength(1);
  expect(only?.kind === "workout" ? only.value.duration : only?.kind === "set-aside" && only.issue.found).toBe(becomes);
});
