import { expect, test } from "vitest";
import type { Issue } from "../../../../transforms/model/issue.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";

const log = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Day", "Sport"]),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["Day", "date"],
        ["Sport", "activity"],
        ["Metres", "distance", { unit: "m" }],
        ["Pulse", "avgHR"],
        ["Pace", "ignore", { why: "follows" }],
      ],
      skips: (cellOf) => (cellOf("Sport") === "rest" ? "a day of rest" : undefined),
    },
  ],
  leaves: {},
});

const HEADER = "Day,Sport,Metres,Pulse,Pace";
const FULL = ["2024-07-01,run,5000,150,5:00", "2024-07-02,run,6000,,", "2024-07-03,run,,,", "2024-07-04,run,8000,140,"];

async function remarksOn(rows: readonly string[]) {
  const issues: Issue[] = [];
  const context = {
    signal: new AbortController().signal,
    report: (issue: Issue) => issues.push(issue),
    sports: new Map(),
  };
  const archive = memoryArchive("a.zip", { "log.csv": Buffer.from(`${[HEADER, ...rows].join("\n")}\n`) });
  let workouts = 0;
  for await (const { kind } of log.read(archive, context)) if (kind === "workout") workouts++;
  return { workouts, issues };
}

test("a row in the middle that ends before columns that are read is loaded, and its columns are named", async () => {
  const { workouts, issues } = await remarksOn([...FULL, "2024-07-05,run", ...FULL]);
  expect(workouts).toBe(9);
  expect(issues).toMatchObject([
    {
      severity: "warning",
      rule: "table/short-row",
      found: "the row ends before Metres, Pulse",
      expected: "all cells, as in nearly all rows",
      origin: { entry: "log.csv", locator: "line 6" },
    },
  ]);
});

test.each([
  ["rows that lack only a column that isn't read", [...FULL, "2024-07-05,run,5000,150"]],
  ["rows that a rule skips", [...FULL, "2024-07-05,rest"]],
  [
    "a table that leaves off empty cells at the end of its rows",
    ["2024-07-01,run,5000,150,5:00", "2024-07-02,run,6000", "2024-07-03,run"],
  ],
])("of %s nothing is said", async (_, rows) => {
  expect((await remarksOn(rows)).issues).toEqual([]);
});
