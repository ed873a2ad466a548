import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { runningAhead } from "../../index.ts";

const course = (name: string, length: string) =>
  `<Course id="${name}"><Name>${name}</Name>${length}<Notes>flat</Notes></Course>`;

test("a course whose length can't be read is there without it, and the length is named with its file, place and field", async () => {
  const courses = [
    course("Lake", '<DefaultDistance unit="km">10.2</DefaultDistance>'),
    course("River", '<DefaultDistance unit="mi">6,2 or so</DefaultDistance>'),
    course("Park", '<DefaultDistance unit="furlong">8</DefaultDistance>'),
    course("Hill", '<DefaultDistance unit="km">-3</DefaultDistance>'),
    course("Wood", '<DefaultDistance unit="km">0</DefaultDistance>'),
    course("Field", ""),
  ];
  const log = `<RunningAHEADLog><EventCollection><Event id="e1" time="2011-05-04T06:30:00Z" typeName="Run"><Distance unit="km">5</Distance></Event></EventCollection><CourseCollection>${courses.join("")}</CourseCollection></RunningAHEADLog>`;
  const { readings, issues } = await readAll(runningAhead, memoryArchive("log.zip", { "log.xml": log }));
  const found = readings.flatMap((reading) => (reading.kind === "course" ? [reading.value] : []));
  expect(found.map(({ name, distance }) => [name, distance])).toEqual([
    ["Lake", { unit: "km", value: 10.2 }],
    ["River", undefined],
    ["Park", undefined],
    ["Hill", undefined],
    ["Wood", undefined],
    ["Field", undefined],
  ]);
  const field = "DefaultDistance/text()";
  const remarks = issues.filter((issue) => issue.field === field);
  expect(remarks).toEqual(
    [
      { found: "6,2 or so mi", expected: "a number of mi", locator: "record 2" },
      { found: "8 furlong", expected: "a number with a unit of length", locator: "record 3" },
      { found: "-3 km", expected: "a number of km", locator: "record 4" },
    ].map(({ locator, ...each }) => ({
      ...{ severity: "warning", rule: "table/bad-number", field },
      ...each,
      origin: { connector: "runningahead", archive: "log.zip", entry: "log.xml", locator },
    })),
  );
});
