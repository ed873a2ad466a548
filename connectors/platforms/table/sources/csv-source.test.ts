import { expect, test } from "vitest";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csvEach } from "./csv-source.ts";

const split = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csvEach(/(^|\/)log_[^/]*\.csv$/, ["id", "begin"]),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["id", "id"],
        ["begin", "datetime"],
        ["end", "end"],
        ["sport", "activity"],
      ],
    },
  ],
  leaves: {},
});

async function read(files: Readonly<Record<string, string>>) {
  const [readings, issues]: [Reading[], Issue[]] = [[], []];
  const report = (issue: Issue) => issues.push(issue);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  const bytes = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  const archive = memoryArchive("a.zip", Object.fromEntries(bytes));
  for await (const reading of split.read(archive, context)) readings.push(reading);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading] : []));
  return { known: await split.identify(archive), workouts, readings, issues };
}

test("each file is read by its own header, and what is no such table is named", async () => {
  const { known, workouts, issues } = await read({
    "x/log_1.csv": "id,begin,end,sport\n",
    "x/log_2.csv": "sport,mood,end,begin,id\nrun,fine,2024-07-01 10:30:05,2024-07-01 10:00:00,7\n",
    "x/log_3.csv": "id,begin\n8,2024-07-02 10:00:00\n",
    "x/log_4.csv": "a,b\n1,2\n",
    "x/log_5.csv": "",
  });
  expect(known).toEqual({ saw: "x/log_1.csv with 4 columns", strength: "exact" });
  expect(workouts.map(({ key, origin, value }) => [key, origin.entry, origin.locator, value.duration])).toEqual([
    ["example:workout:7", "x/log_2.csv", "line 2", 1805],
    ["example:workout:8", "x/log_3.csv", "line 2", undefined],
  ]);
  expect(workouts.map(({ value }) => value.unsupported)).toEqual([[{ field: "mood", value: "fine" }], undefined]);
  expect(issues[0]?.origin?.entry).toBe("x/log_2.csv");
  expect(issues.map(({ rule, field, found }) => [rule, field ?? found])).toEqual([
    ["table/unknown-column", "mood"],
    ["example/other-files", "x/log_4.csv"],
    ["example/other-files", "x/log_5.csv"],
  ]);
  expect(issues.at(-1)?.expected).toBe("files with content: these have 0 bytes");
});

test("a second column that nobody here knows loses a value where it says something else", async () => {
  const { workouts } = await read({
    "log_1.csv": "id,begin,id,begin\n7,2024-07-01 10:00:00,7,\n8,2024-07-02 10:00:00,old 8,2024-07-02 10:00:00\n",
  });
  expect(workouts.map(({ value }) => value.unsupported)).toEqual([undefined, [{ field: "id", value: "old 8" }]]);
});

test("an end that is before the start, or that can't be read, gives no duration", async () => {
  const { workouts, issues } = await read({
    "log_1.csv": "id,begin,end\n1,2024-07-01 10:00:00,2024-07-01 09:00:00\n2,2024-07-01 10:00:00,soon\n",
  });
  expect(workouts.map(({ value }) => value.duration)).toEqual([undefined, undefined]);
  expect(issues).toMatchObject([
    { rule: "table/end-before-start", field: "end", found: "2024-07-01 09:00:00" },
    { rule: "table/bad-date", field: "end", found: "soon" },
  ]);
});

test("an archive without such a table is another platform's", async () => {
  const archive = memoryArchive("a.zip", {
    "log_1.csv": Buffer.from("a,b\n1,2\n"),
    "log.csv": Buffer.from("id,begin\n"),
  });
  expect(await split.identify(archive)).toBeUndefined();
});

test("a function may know the headers, and a delimiter at the end of a header is no column", async () => {
  const source = csvEach(/\.csv$/, ([first, second]) => first === "id" && /^(begin|Beginn)$/.test(second ?? ""));
  const archive = memoryArchive("a.zip", { "a.csv": "id,Beginn,\n7,2024-07-01,\n", "b.csv": "id,end\n8,2024-07-01\n" });
  const found = await source.find(archive, [[["begin", "Beginn"], "datetime"]]);
  expect(found?.saw).toBe("a.csv with 3 columns");
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const connector = platform({
    ...{ name: "example", title: "Example export", howToGet: "Ask.", leaves: {} },
    workouts: [
      {
        from: source,
        dates: { order: "iso", zone: "local" },
        columns: [
          ["id", "id"],
          [["begin", "Beginn"], "datetime"],
        ],
      },
    ],
  });
  const issues: Issue[] = [];
  const readings: Reading[] = [];
  for await (const reading of connector.read(archive, { ...context, report: (issue) => issues.push(issue) }))
    readings.push(reading);
  expect(readings).toMatchObject([{ key: "example:workout:7", value: { start: { date: "2024-07-01" } } }]);
  expect(issues).toMatchObject([{ rule: "example/other-files", found: "b.csv" }]);
});
