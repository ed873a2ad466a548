import { expect, test } from "vitest";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";
import { json } from "../sources/json-source.ts";
import { isoOfMillis, isoOfSeconds, offsetOfMillis, utcOf } from "./instants.ts";

test.each([
  ["7200000", "+02:00"],
  ["-12600000", "-03:30"],
  ["0", "+00:00"],
  ["x", "x"],
  ["", ""],
])("%j milliseconds from UTC are %j", (millis, offset) => expect(offsetOfMillis(millis)).toBe(offset));

test("only a number of milliseconds becomes an instant", () => {
  expect(isoOfMillis("1618093345856")).toBe("2021-04-10T22:22:25.856Z");
  expect(isoOfMillis("soon")).toBe("soon");
});

test("only a number of seconds becomes an instant", () => {
  expect(isoOfSeconds("1730000000")).toBe("2024-10-27T03:33:20.000Z");
  expect(isoOfSeconds("1e300")).toBe("1e300");
});

test.each([
  ["2022-08-05 02:18:07+0000", "2022-08-05T02:18:07.000Z"],
  ["2024-05-01 06:30:00.25+00:00", "2024-05-01T06:30:00.250Z"],
  ["2024-09-02 13:52:08 -0700", "2024-09-02T20:52:08.000Z"],
  ["2021-05-01T08:00Z", "2021-05-01T08:00:00.000Z"],
  ["2021-05-01 08:00:00", "2021-05-01 08:00:00"],
  ["2021-13-01T08:00:00Z", "2021-13-01T08:00:00Z"],
])("%j is %j in UTC", (text, instant) => expect(utcOf(text)).toBe(instant));

async function read(connector: ReturnType<typeof platform>, files: Readonly<Record<string, string>>) {
  const [readings, issues]: [Reading[], Issue[]] = [[], []];
  const report = (issue: Issue) => issues.push(issue);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  const bytes = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  for await (const reading of connector.read(memoryArchive("a.zip", Object.fromEntries(bytes)), context))
    readings.push(reading);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  return { workouts, readings, issues };
}

const zoned = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Begin", "Off"]),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ["Begin", "datetime", { expected: "a moment" }],
        ["Off", "offset"],
        ["Zone", "zone"],
      ],
      sport: "run",
    },
  ],
  leaves: {},
});

test("an instant with its distance from UTC gives what the clock showed, and a zone by name goes first", async () => {
  const rows = ["23:50:00Z,+05:30,", "23:50:00Z,-0800,", "23:50:00Z,+05:30,Europe/Vienna"].map(
    (row) => `2024-07-01 ${row}`,
  );
  const { workouts, issues } = await read(zoned, { "log.csv": ["Begin,Off,Zone", ...rows].join("\n") });
  const instant = Date.UTC(2024, 6, 1, 23, 50);
  expect(issues).toEqual([]);
  expect(workouts.map(({ start }) => start)).toEqual([
    { date: "2024-07-02", time: "05:20:00", instant, offsetMinutes: 330 },
    { date: "2024-07-01", time: "15:50:00", instant, offsetMinutes: -480 },
    { date: "2024-07-02", time: "01:50:00", instant, offsetMinutes: 120 },
  ]);
});

test("a distance from UTC that a spreadsheet program took for a time of day is read", async () => {
  const rows = ["5:30", "05:30:00", "+05:30", "0:00"].map((offset) => `2024-07-01 23:50:00Z,${offset}`);
  const { workouts, issues } = await read(zoned, { "log.csv": ["Begin,Off", ...rows].join("\n") });
  expect(issues).toEqual([]);
  expect(workouts.map(({ start }) => start.offsetMinutes)).toEqual([330, 330, 330, 0]);
});

test("a distance from UTC that no clock has is reported, and the instant stands", async () => {
  const { workouts, issues } = await read(zoned, { "log.csv": "Begin,Off\n2024-07-01 23:50:00Z,+23:00" });
  expect(workouts).toEqual([{ activity: "run", start: { instant: Date.UTC(2024, 6, 1, 23, 50) } }]);
  expect(issues).toMatchObject([{ rule: "table/unknown-zone", field: "Off", found: "+23:00" }]);
});

test("a date that can't be read says what its column expects", async () => {
  const { readings } = await read(zoned, { "log.csv": "Begin,Off\nyesterday,+01:00" });
  expect(readings).toMatchObject([{ as: "quarantined", issue: { rule: "table/bad-date", expected: "a moment" } }]);
});

const twice = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Local", "UTC"]),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["Local", "datetime"],
        ["UTC", "instant"],
      ],
    },
  ],
  leaves: {},
});

test.each([
  ["14 h", "2022-03-15 00:00:00", { date: "2022-03-15", time: "00:00:00", offsetMinutes: 840 }, undefined],
  ["50 h", "2022-03-16 12:00:00", {}, "table/unknown-zone"],
  ["-13 h", "2022-03-13 21:00:00", {}, "table/unknown-zone"],
])("a local time %s from UTC counts only where a clock shows it", async (_, local, start, rule) => {
  const { workouts, issues } = await read(twice, { "log.csv": `Local,UTC\n${local},2022-03-14T10:00:00Z` });
  expect(workouts[0]?.start).toEqual({ instant: Date.UTC(2022, 2, 14, 10), ...start });
  expect(issues.map((issue) => issue.rule)).toEqual(rule === undefined ? [] : [rule]);
});

test("an instant of 1970 takes no local time away", async () => {
  const { workouts } = await read(twice, { "log.csv": "Local,UTC\n2022-03-14 10:00:00,1970-01-20T01:35:26Z" });
  expect(workouts[0]?.start).toEqual({ date: "2022-03-14", time: "10:00:00" });
});

const shod = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: json({ files: /(^|\/)runs\/[^/]*\.json$/, knownBy: ["at"], lists: [] }),
      dates: { order: "iso", zone: "utc" },
      columns: [
        ["id", "id"],
        ["at", "datetime"],
        ["shoe", "equipment"],
      ],
      filesByName: true,
      sport: "run",
    },
  ],
  gear: {
    from: json({ files: /shoe\.json$/, knownBy: ["runs"], lists: [] }),
    columns: [
      ["id", "id"],
      ["name", "modelName"],
      ["runs", "workout"],
    ],
    kinds: {},
  },
  recordings: /\.gpx$/,
  leaves: {},
});

test("a shoe that names its runs, and a run that names its shoe, are the same use once", async () => {
  const { workouts, readings } = await read(shod, {
    "runs/a.json": '{"id":"1","at":"2024-07-01T10:00:00Z","shoe":"S"}',
    "runs/b.json": '{"id":"2","at":"2024-07-02T10:00:00Z"}',
    "runs/c.json": '{"id":"3","at":"2024-07-03T10:00:00Z"}',
    "shoe.json": '{"id":"S","name":"Blue","runs":["1","3","9"]}',
  });
  expect(readings[0]).toMatchObject({ kind: "equipment", value: { activity: "run", modelName: "Blue" } });
  expect(workouts.map(({ equipment }) => equipment)).toEqual([
    ["example:equipment:s"],
    undefined,
    ["example:equipment:s"],
  ]);
});

test("a device file belongs to the row whose own file has its name, and any other is read by itself", async () => {
  const gpx = (start: string) =>
    `<gpx version="1.1" creator="x"><trk><trkseg><trkpt lat="48" lon="16"><time>${start}</time></trkpt><trkpt lat="48.01" lon="16"><time>${start.replace("00:00Z", "10:00Z")}</time></trkpt></trkseg></trk></gpx>`;
  const { workouts } = await read(shod, {
    "runs/2024 a.0.json": '{"id":"1","at":"2024-07-01T10:00:00Z"}',
    "tracks/2024 a.0.gpx": gpx("2024-07-01T10:00:00Z"),
    "tracks/other.gpx": gpx("2024-08-01T10:00:00Z"),
  });
  expect(workouts.map(({ track }) => track?.entry)).toEqual(["tracks/2024 a.0.gpx", "tracks/other.gpx"]);
});
