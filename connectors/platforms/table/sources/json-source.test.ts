import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { json } from "./json-source.ts";
import { FILE_NAME } from "./record-source.ts";

const pieces = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: json({ files: /\.json$/, knownBy: ["at", "sport"], lists: [], merges: true, skips: ["points"] }),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ["sport", "activity"],
        ["at", "datetime"],
        ["tags/name", "notes"],
        ["points", "ignore"],
      ],
    },
  ],
  leaves: {},
});

async function read(text: string): Promise<readonly Reading[]> {
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const archive = memoryArchive("a.zip", { "a.json": Buffer.from(text) });
  const readings: Reading[] = [];
  for await (const reading of pieces.read(archive, context)) readings.push(reading);
  return readings;
}

test("a file in pieces is one row, and so are the lists inside it", async () => {
  const text = `[{"sport": "run"}, {"at": "2024-07-01 10:00:00.0", "__proto__": 1}, {"points": [[{"x": 1}]]},
    {"tags": [[{"name": "river"}], [{"name": "easy"}]]}]`;
  expect(await read(text)).toMatchObject([
    { kind: "workout", value: { activity: "run", notes: "river, easy", start: { instant: Date.UTC(2024, 6, 1, 10) } } },
  ]);
});

test("a file in pieces that breaks off is rejected, and one of another kind is passed over", async () => {
  expect(await read('[{"sport": "run"}, {"at": "2024-07')).toMatchObject([{ issue: { rule: "json/cut" } }]);
  expect(await read('{"sport": "run", "at": "2024-07-01 10:00:00"}')).toEqual([]);
});

test("a record that is no JSON, or too deep, takes none of those behind it along", async () => {
  const listed = platform({
    name: "example",
    title: "Example export",
    howToGet: "Ask.",
    workouts: [
      {
        from: json({ files: /\.json$/, knownBy: ["at"], lists: [["all", "*"]] }),
        dates: { order: "iso", zone: "utc" },
        columns: [["at", "datetime"]],
        sport: "run",
      },
    ],
    leaves: {},
  });
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  const rows = ['"x": 1', '"x": NaN', `"x": ${deep}`, '"x": "]"'].map(
    (rest, day) => `{"at": "2024-07-0${day + 1}", ${rest}}`,
  );
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const archive = memoryArchive("a.zip", { "a.json": Buffer.from(`{"all": [${rows.join(",\n")}]}`) });
  const found: unknown[] = [];
  for await (const reading of listed.read(archive, context))
    found.push(
      reading.kind === "set-aside" ? [reading.issue.rule, reading.issue.found, reading.origin.locator] : reading.kind,
    );
  expect(found).toEqual([
    "workout",
    ["json/malformed", "line 2", "record 2"],
    ["json/too-deep", "line 3", "record 3"],
    "workout",
  ]);
});

test("a platform may write a value into the name of a file alone", async () => {
  const named = platform({
    name: "example",
    title: "Example export",
    howToGet: "Ask.",
    workouts: [
      {
        from: json({ files: /\.json$/, knownBy: ["at"], lists: [["*"]] }),
        dates: { order: "iso", zone: "utc" },
        columns: [
          ["at", "datetime"],
          [FILE_NAME, "notes"],
        ],
        sport: "run",
      },
    ],
    leaves: {},
  });
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const archive = memoryArchive("a.zip", { "x/a+01_00.json": Buffer.from('[{"at": "2024-07-01 10:00:00"}]') });
  const notes: unknown[] = [];
  for await (const reading of named.read(archive, context))
    if (reading.kind === "workout") notes.push(reading.value.notes);
  expect(notes).toEqual(["a+01_00.json"]);
});

test("a file that gzip packed is read like the file in it, and a damaged one is rejected", async () => {
  const packed = platform({
    name: "example",
    title: "Example export",
    howToGet: "Ask.",
    workouts: [
      {
        from: json({ files: /\.json$/, knownBy: ["at"], lists: [["*"]] }),
        dates: { order: "iso", zone: "utc" },
        columns: [["at", "datetime"]],
        sport: "run",
      },
    ],
    leaves: {},
  });
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const found = async (bytes: Uint8Array) => {
    const kinds: unknown[] = [];
    for await (const reading of packed.read(memoryArchive("a.zip", { "a.json.gz": Buffer.from(bytes) }), context))
      kinds.push(reading.kind === "set-aside" ? reading.issue.rule : reading.kind);
    return kinds;
  };
  const rows = Array.from({ length: 400 }, (_, day) => ({ at: `2024-07-01 10:00:${day % 60}`, n: Math.sin(day) }));
  const bytes = gzipSync(JSON.stringify([{ at: "2024-07-01 10:00:00" }, { at: "2024-07-02 10:00:00" }]));
  expect(await found(bytes)).toEqual(["workout", "workout"]);
  const cut = await found(gzipSync(JSON.stringify(rows)).subarray(0, 2000));
  expect(cut.at(-1)).toMatch(/^(gzip|archive|json)\//);
});

test("a member with an empty list is there: a workout without splits is known by them", async () => {
  const splits = platform({
    name: "example",
    title: "Example export",
    howToGet: "Ask.",
    workouts: [
      {
        from: json({ files: /\.json$/, knownBy: ["at", "splits"], lists: [] }),
        dates: { order: "iso", zone: "local" },
        sport: "run",
        columns: [
          ["at", "datetime"],
          ["splits", "laps", { laps: () => [] }],
        ],
      },
    ],
    leaves: {},
  });
  const archive = memoryArchive("a.zip", {
    "a.json": '{"at": "2024-07-01 10:00:00", "splits": []}',
    "b.json": '{"splits": [], "at": "2024-07-02 10:00:00"}',
    "c.json": '{"at": "2024-07-03 10:00:00"}',
  });
  const { readings, issues } = await readAll(splits, archive);
  expect(readings).toMatchObject([
    { value: { start: { date: "2024-07-01" } } },
    { value: { start: { date: "2024-07-02" } } },
  ]);
  expect(issues).toMatchObject([{ rule: "example/other-files", found: "c.json" }]);
});

test("what a lap holds and no column reads is named once, where the table has a column for what laps are read from", async () => {
  const lapped = (...inside: readonly (readonly [string | readonly string[], "ignore"])[]) =>
    platform({
      name: "example",
      title: "Example export",
      howToGet: "Ask.",
      workouts: [
        {
          from: json({ files: /\.json$/, knownBy: ["at"], lists: [["*"]] }),
          dates: { order: "iso", zone: "local" },
          sport: "run",
          columns: [["at", "datetime"], ["splits", "laps", { laps: () => [] }], ...inside],
        },
      ],
      leaves: {},
    });
  const split = { metres: 400, seconds: 90, avgHeartRate: 151, start: { lat: 48.2 } };
  const rows = [1, 2].map((day) => ({
    at: `2024-07-0${day} 10:00:00`,
    splits: [split, { ...split, feeling: "good" }],
  }));
  const archive = memoryArchive("a.zip", { "a.json": JSON.stringify(rows) });
  expect((await readAll(lapped(), archive)).issues).toEqual([]);
  const { issues } = await readAll(lapped([["splits/metres", "splits/seconds"], "ignore"]), archive);
  expect(issues.map(({ rule, field }) => [rule, field])).toEqual([
    ["table/unknown-column", "splits/avgHeartRate"],
    ["table/unknown-column", "splits/feeling"],
    ["table/unknown-column", "splits/start"],
  ]);
});

test("values of members without a column are counted in each row, and named at the first file that has them", async () => {
  const list = platform({
    name: "example",
    title: "Example export",
    howToGet: "Ask.",
    workouts: [
      {
        from: json({ files: /\.json$/, knownBy: ["at"], lists: [["*"]] }),
        dates: { order: "iso", zone: "local" },
        sport: "run",
        columns: [
          ["at", "datetime"],
          ["place/name", "ignore"],
        ],
      },
    ],
    leaves: {},
  });
  const more = { mood: " fine ", score: 0, gone: null, none: [], few: [1, 2], many: Array(201).fill(7) };
  const archive = memoryArchive("a.zip", {
    "a.json": JSON.stringify([{ at: "2024-07-01 10:00:00" }]),
    "b.json": JSON.stringify([{ at: "2024-07-02 10:00:00", ...more, place: [{ mayor: "A" }, { mayor: "B" }] }]),
  });
  const { readings, issues } = await readAll(list, archive);
  expect(readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value.unsupported] : []))).toEqual([
    undefined,
    [
      { field: "mood", value: "fine" },
      { field: "score", value: "0" },
      { field: "few", value: "[1,2]" },
      { field: "many", value: "201 values" },
      { field: "place/mayor", value: "2 values" },
    ],
  ]);
  expect(issues.map(({ field, origin }) => [field, origin?.entry])).toEqual(
    ["few", "gone", "many", "mood", "none", "place/mayor", "score"].map((name) => [name, "b.json"]),
  );
});
