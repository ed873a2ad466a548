import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Run } from "../journal/run.ts";
import { openSourceFiles } from "./source-files.ts";

const folder = temporaryFolder();
const RUN = `<?xml version="1.0"?><gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${[
  0, 1,
]
  .map((at) => `<trkpt lat="48.2${at}" lon="16.37"><time>2021-05-01T06:1${at}:00Z</time></trkpt>`)
  .join("")}</trkseg></trk></gpx>`;

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
