/** A training session of Polar Flow, from outside this project. The expected values were typed from the file by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { polar } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

test("a session of 2017 in the old layout is read, each member of it mapped or knowingly left", async () => {
  const name = "training-session-old-format.json";
  const archive = memoryArchive("polar.zip", { [name]: readFileSync(join(SAMPLES, "polar", name)) });
  expect((await identifyArchive(archive)).connector).toBe(polar);
  const { readings, issues } = await readAll(polar, archive);
  expect(issues).toEqual([]);
  expect(readings).toEqual([
    {
      kind: "workout",
      key: expect.stringMatching(/^polar:workout:[0-9a-f]{32}$/),
      origin: expect.objectContaining({ entry: name }),
      value: {
        activity: "run",
        sport: "RUNNING",
        name: "Laufen",
        // 18:20:18 on a clock that is 60 minutes ahead of UTC.
        start: {
          date: "2017-01-23",
          time: "18:20:18",
          instant: Date.UTC(2017, 0, 23, 17, 20, 18),
          offsetMinutes: 60,
          position: { lat: 53.107227, lon: 8.85943633 },
        },
        distance: { unit: "m", value: 6595 },
        // The exercise says PT2754.128S, and the session PT2753.875S.
        duration: 2754.128,
        health: { avgHR: 138, maxHR: 164 },
        unsupported: [
          { field: "lowest heart rate", value: "95 a minute" },
          { field: "calories", value: "498 kcal" },
          { field: "max speed", value: "18.599998474121094 km/h" },
          { field: "average cadence", value: "88 a minute" },
          { field: "max cadence", value: "125 a minute" },
        ],
        // Its entry is no file of a device. logferry makes a TCX file of its 60 heart rates and 60 positions.
        track: {
          ...{ entry: "training-session-old-format.json", format: "tcx", made: "polar", alone: true },
          ...{
            recording: 0,
            recordings: 1,
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        },
      },
    },
  ]);
});
