import { expect, test } from "vitest";
import { writeFit, writeFitSettings } from "../../../../fixtures/make/fit.ts";
import { randomFrom } from "../../../../fixtures/make/random.ts";
import { record } from "../../../../fixtures/make/recording.ts";
import { type SportName, sportNamed } from "../../../../fixtures/make/sports.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { isoOfMillis } from "../cells/instants.ts";
import { platform } from "../platform.ts";
import { csv } from "../sources/csv-source.ts";

const example = platform({
  name: "example",
  title: "Example export",
  howToGet: "Ask.",
  workouts: [
    {
      from: csv("log.csv", ["Id", "Epoch"]),
      dates: { order: "iso", zone: "local" },
      columns: [
        ["Id", "id"],
        ["When", "datetime"],
        ["Epoch", "instant", { read: isoOfMillis }],
        ["Sport", "activity"],
        ["Seconds", "duration", { format: ["seconds"] }],
      ],
    },
  ],
  recordings: /\.fit$/,
  filesByStart: true,
  leaves: {},
});

/** Noon of 1 May 2024 in UTC. The local times of the rows are two hours ahead. */
const NOON = Date.UTC(2024, 4, 1, 12);
const DEVICE = { manufacturer: 1, product: 2431, serial: 77, software: 1320 };

/** A recording that began this many seconds after noon. */
function recordingAt(seconds: number, timer: number, sport: SportName = "run") {
  const wish = { sport: sportNamed(sport), start: NOON + seconds * 1000, timer, metres: timer * 3, every: 60 };
  return record({ ...wish, heartRate: false }, randomFrom(`${seconds} ${timer}`));
}

function fileOf(...recordings: readonly ReturnType<typeof recordingAt>[]) {
  return writeFit(recordings, { device: { ...DEVICE, serial: 77 + recordings.length } });
}

const HEADER = "Id,When,Epoch,Sport,Seconds";

async function read(rows: readonly string[], files: Readonly<Record<string, Uint8Array>>) {
  const archive = memoryArchive("a.zip", { "log.csv": Buffer.from([HEADER, ...rows, ""].join("\n")), ...files });
  const [readings, issues]: [Reading[], Issue[]] = [[], []];
  const report = (issue: Issue) => issues.push(issue);
  const context = { signal: new AbortController().signal, report, sports: new Map() };
  for await (const reading of example.read(archive, context)) readings.push(reading);
  const tracks = readings.map((reading) =>
    reading.kind === "workout"
      ? [reading.key.replace(/^example:workout:/, ""), reading.value.track?.entry, reading.value.track?.recording]
      : [reading.kind === "set-aside" ? reading.issue.rule : reading.kind],
  );
  return { readings, issues, tracks };
}

test("a row gets the file that began with it and lasted as long, whatever the file is called, and each file one row", async () => {
  const { tracks, issues } = await read(
    [
      `1,2024-05-01 14:00:02,${NOON + 2000},run,600`,
      `2,2024-05-01 14:00:00,${NOON},run,1800`,
      `3,2024-05-01 14:00:01,${NOON + 1000},run,1800`,
      `4,,${NOON + 86_400_000},run,1800`,
    ],
    {
      "up/10.fit": fileOf(recordingAt(0, 1800)),
      "up/11.fit": fileOf(recordingAt(3, 600)),
      "up/12.fit": writeFitSettings(DEVICE, NOON),
    },
  );
  expect(tracks).toEqual([
    ["1", "up/11.fit", 0],
    ["2", "up/10.fit", 0],
    ["3", undefined, undefined],
    ["4", undefined, undefined],
  ]);
  // A watch sends its settings too. They are counted, and don't become records of the archive.
  expect(issues.map(({ rule, found, count }) => [rule, found, count])).toEqual([
    ["table/no-recording", "up/12.fit", 1],
  ]);
});

test("a row that was cut short has the file that began with it where no other one does, and one of another minute never", async () => {
  const { tracks } = await read(
    [`1,2024-05-01 14:00:00,${NOON},run,900`, `2,2024-05-01 14:30:00,${NOON + 1_800_000},run,900`],
    { "a.fit": fileOf(recordingAt(4, 1800)), "b.fit": fileOf(recordingAt(1860, 900)) },
  );
  expect(tracks.slice(0, 2)).toEqual([
    ["1", "a.fit", 0],
    ["2", undefined, undefined],
  ]);
  expect(tracks.slice(2).map(([, entry]) => entry)).toEqual(["b.fit"]);
});

test("each leg of a file goes to the row of its own start; a leg without a row is read by itself", async () => {
  const legs = [recordingAt(0, 600, "swim"), recordingAt(700, 1800, "ride"), recordingAt(2600, 900, "run")];
  const rows = [`1,2024-05-01 14:43:20,${NOON + 2_600_000},run,900`, `2,2024-05-01 14:00:00,${NOON},swimming,600`];
  const { readings, tracks, issues } = await read(rows, { "tri.fit": fileOf(...legs) });
  expect(tracks.slice(0, 2)).toEqual([
    ["1", "tri.fit", 2],
    ["2", "tri.fit", 0],
  ]);
  expect(tracks.slice(2)).toEqual([[expect.stringMatching(/:1$/), "tri.fit", 1]]);
  expect(readings[2]).toMatchObject({ kind: "workout", value: { activity: "bike" } });
  expect(issues).toEqual([]);
});

test("a row with a local time alone has the file whose start is whole quarters of an hour away and that lasted as long", async () => {
  const { readings, tracks } = await read(["1,2024-05-01 17:45:00,,run,1800", "2,2024-05-01 17:45:00,,run,1500"], {
    "a.fit": fileOf(recordingAt(0, 1800)),
  });
  expect(tracks).toEqual([
    ["1", "a.fit", 0],
    ["2", undefined, undefined],
  ]);
  expect(readings[0]).toMatchObject({ value: { start: { instant: NOON, offsetMinutes: 345 } } });
});

test("a file that can't be read, and a copy of a row's file, are set aside", async () => {
  const { tracks } = await read([`1,2024-05-01 14:00:00,${NOON},run,1800`], {
    "a.fit": fileOf(recordingAt(0, 1800)),
    "b.fit": fileOf(recordingAt(0, 1800)),
    "c.fit": Buffer.from("not a recording at all"),
  });
  expect(tracks[0]).toEqual(["1", "a.fit", 0]);
  expect(tracks.slice(1).map(([rule]) => rule)).toEqual(["device-files/same-recording", expect.any(String)]);
});
