/** A file of a TomTom watch, from outside this project. The expected values were read from its bytes by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { tomtom } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const NAME = "Running_06-27-50.ttbin";
const bytes = readFileSync(join(SAMPLES, "tomtom", NAME));

test("a file of version 5 is a run of two minutes, with its heart rates and its track", async () => {
  const archive = memoryArchive("tomtom", { [NAME]: bytes });
  expect((await identifyArchive(archive)).connector).toBe(tomtom);
  const { readings, issues } = await readAll(tomtom, archive);
  expect(issues).toEqual([]);
  expect(readings.map((reading) => reading.kind === "workout" && reading.value)).toEqual([
    {
      activity: "run",
      sport: "Running",
      recorder: "file of the watch",
      // 1401776869 on the watch, 25,140 seconds behind UTC: seven hours, and a clock that is a minute fast.
      start: {
        ...{ date: "2014-06-03", time: "06:26:49", instant: 1_401_802_009_000, offsetMinutes: -420 },
        position: { lat: 53.5553439, lon: 9.9638379 },
      },
      // The summary says 8 and 123.
      distance: { unit: "m", value: 8 },
      duration: 123,
      health: { avgHR: 93, maxHR: 101 },
      track: {
        ...{ entry: NAME, format: "tcx", made: "tomtom", alone: true, recording: 0, recordings: 1 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  ]);
});

test("a file without its last byte is rejected, because its summary is cut", async () => {
  const { readings } = await readAll(tomtom, memoryArchive("tomtom", { [NAME]: bytes.subarray(0, -1) }));
  expect(readings).toMatchObject([{ as: "quarantined", issue: { rule: "tomtom/cut" } }]);
});
