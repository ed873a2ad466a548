/** A table of points that OpenTracks' own tests use. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { opentracks } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const text = readFileSync(join(SAMPLES, "opentracks", "csv_export.csv"), "utf8");

test("a table with two starts is rejected, because nothing says whether they are two tracks or a pause", async () => {
  const archive = memoryArchive("tracks.zip", { "csv_export.csv": text });
  expect((await identifyArchive(archive)).connector).toBe(opentracks);
  const { readings, issues } = await readAll(opentracks, archive);
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    {
      as: "quarantined",
      issue: { rule: "opentracks/several-starts", found: "2 starts" },
      origin: { entry: "csv_export.csv" },
    },
  ]);
});

test("its first track alone is a workout of 16 seconds, with the heart rates of its points", async () => {
  const first = text.slice(0, text.indexOf('"2020-02-02T03:03:20'));
  const { readings, issues } = await readAll(opentracks, memoryArchive("track.csv", { "track.csv": first }));
  expect(issues).toEqual([]);
  expect(readings.map((reading) => reading.kind === "workout" && reading.value)).toEqual([
    {
      // 03:02:02+01:00 to 03:02:18+01:00. The two positions are one place.
      start: {
        ...{ date: "2020-02-02", time: "03:02:02", instant: Date.UTC(2020, 1, 2, 2, 2, 2), offsetMinutes: 60 },
        position: { lat: 3.123456, lon: 14.001456 },
      },
      duration: 16,
      health: { avgHR: 68, maxHR: 69 },
      unsupported: [
        { field: "elevation gain", value: "2 m" },
        { field: "elevation loss", value: "2 m" },
      ],
      // logferry makes a TCX file of its lines.
      track: {
        ...{ entry: "track.csv", format: "tcx", made: "opentracks", alone: true, recording: 0, recordings: 1 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  ]);
});
