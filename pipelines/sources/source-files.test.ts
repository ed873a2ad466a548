import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { zipBytes } from "../../test/support/zip-bytes.ts";
import type { Reading } from "../../transforms/model/item.ts";
import type { Run } from "../journal/run.ts";
import { readSource } from "./read-source.ts";
import { openSourceFiles } from "./source-files.ts";
import { closeSources, type OpenedSource, openSources } from "./sources.ts";

const folder = temporaryFolder();
const RUN = `<?xml version="1.0"?><gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${[
  0, 1,
]
  .map((at) => `<trkpt lat="48.2${at}" lon="16.37"><time>2021-05-01T06:1${at}:00Z</time></trkpt>`)
  .join("")}</trkseg></trk></gpx>`;

const WORKOUTS = `"Title","WorkoutType","WorkoutDay","TimeTotalInHours","DistanceInMeters"\n"Hills","Run","2022-05-01","0.5","6000"\n`;
const METRICS = `"Timestamp","Type","Value"\n"2022-05-01 07:00:00","Pulse","48"\n`;

test.each([
  [["WorkoutExport-20220601.zip", "MetricsExport-20220601.zip"]],
  [["MetricsExport-20220601.zip", "WorkoutExport-20220601.zip"]],
])("TrainingPeaks' zip of metrics joins that of its workouts, named as %j", async (names) => {
  const paths = names.map((name) => {
    const [inner, content] = name.startsWith("M") ? ["metrics.csv", METRICS] : ["workouts.csv", WORKOUTS];
    writeFileSync(join(folder, name), zipBytes([{ name: inner, content }]));
    return join(folder, name);
  });
  const sources = await openSources(paths, undefined);
  expect(sources.map(({ path, connector }) => [basename(path), connector.name])).toEqual([
    ["WorkoutExport-20220601.zip", "trainingpeaks"],
  ]);
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const records: Reading[] = [];
  for await (const record of readSource(sources[0] as OpenedSource, context)) records.push(record);
  expect(records).toMatchObject([{ value: { name: "Hills", health: { restHR: 48 } } }]);
  await closeSources(sources);
});

test("in a folder of TrainingPeaks' three zips, the metrics join the workouts, and the files are a source of their own", async () => {
  const home = join(folder, "downloads");
  mkdirSync(home);
  const zips = {
    "MetricsExport-20220601.zip": { name: "metrics.csv", content: METRICS },
    "WorkoutExport-20220601.zip": { name: "workouts.csv", content: WORKOUTS },
    "WorkoutFileExport-20220601.zip": { name: "2022-05-03.gpx", content: RUN },
  };
  for (const [name, inside] of Object.entries(zips)) writeFileSync(join(home, name), zipBytes([inside]));
  const sources = await openSources([home], undefined);
  expect(sources.map(({ within }) => within)).toEqual(["WorkoutExport-20220601.zip", "."]);
  const context = { signal: new AbortController().signal, report: () => {}, sports: new Map() };
  const records: Reading[] = [];
  for await (const record of readSource(sources[0] as OpenedSource, context)) records.push(record);
  expect(records).toMatchObject([{ value: { name: "Hills", health: { restHR: 48 } } }]);
  await closeSources(sources);
});

/** A run with a folder of one file, planned by a version. */
function runOf(version: string | undefined): Run {
  mkdirSync(join(folder, "all"), { recursive: true });
  writeFileSync(join(folder, "all", "run.gpx"), RUN);
  const source = { path: join(folder, "all"), name: "all", connector: "nike", saw: "run.gpx" };
  const options = { tracks: true, activityIDs: {}, workoutIDs: {}, ...(version !== undefined && { version }) };
  return { id: 1, sources: [source], options } as unknown as Run;
}

const track = { entry: "run.gpx", format: "gpx", recording: 0, recordings: 1, sha256: "0".repeat(64) } as const;

test.each([
  ["0.3.0", "it changed since it was planned"],
  ["0.2.0", "version 0.2.0 of logferry planned it, and version 0.3.0 makes another file of it, or its source changed"],
  [
    undefined,
    "an earlier version of logferry planned it, and version 0.3.0 makes another file of it, or its source changed",
  ],
])("a track that version %s planned, and that is made otherwise, is told of as such", async (planned, why) => {
  const files = openSourceFiles(runOf(planned), {}, "0.3.0");
  await expect(files.leg(0, { ...track, made: "nike" })).rejects.toThrow(`Cannot load run.gpx: ${why}. Plan again`);
  // The bytes of a device file are the same to each version.
  await expect(files.track(0, track)).rejects.toThrow(
    "Cannot load run.gpx: it changed since it was planned. Plan again",
  );
  await files.close();
});
