import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { identifyArchive } from "../../registry.ts";
import { runningAhead } from "./table.ts";

test("a log.txt is known by its header, whatever commas its rows have and wherever they end", async () => {
  const header = ["Date", "TimeOfDay", "Type", "SubType", "Distance", "DistanceUnit", "Duration", "Notes", "Course"];
  const names = [...header, "CourseSurface"].join("\t");
  const row = "2012-01-05\t07:06 AM\tRun\t\t6.9\tMile\t0:55:51\teasy, flat, dry";
  const archive = memoryArchive("a", { "log.txt": `${names}\n${row}\n${row.replace("05", "06")}\t\t\t\t\n` });
  expect((await identifyArchive(archive)).connector).toBe(runningAhead);
  const { readings } = await readAll(runningAhead, archive);
  expect(readings).toMatchObject([
    { value: { start: { date: "2012-01-05", time: "07:06:00" }, distance: { unit: "mi", value: 6.9 } } },
    { value: { start: { date: "2012-01-06" }, notes: "easy, flat, dry" } },
  ]);
});

test.each([
  ["Date\tTime\n", []],
  ["Date\tTime\n2010-05-01\t1\n2010-05-02\t2\n", ["table/unread-intervals", "runningahead/other-files"]],
])("a file of intervals %j beside the log counts as not read where it has rows", async (intervals, rules) => {
  const log = `Date\tTimeOfDay\tType\tSubType\tDistance\tDistanceUnit\tDuration\tCourseSurface\n2010-05-01\t\tRun\t\t5\tMile\t0:40:00\t\n`;
  const archive = memoryArchive("a", { "x/log.txt": log, "x/intervals.txt": intervals });
  const { readings, issues } = await readAll(runningAhead, archive);
  expect(readings).toMatchObject([{ kind: "workout", value: { duration: 2400 } }]);
  expect(issues.map(({ rule }) => rule)).toEqual(rules);
  for (const { rule, names } of issues) if (rule.endsWith("/other-files")) expect(names).toEqual(["x/intervals.txt"]);
});
