/** Recordings of a Huawei phone, from outside this project: lines without a sport or a total. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { huawei } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

/** Metres between its places, by a script of its own. */
const METRES = 1697;

test.each([
  // From 1551732120 to 1551732589, the times of its first and last place; an independent sum over its 235 places.
  [
    "HiTrack_1551732120000155173259000030001",
    {
      start: { instant: 1_551_732_120_000 },
      duration: 469,
      distance: { unit: "m", value: expect.closeTo(METRES, -1) },
    },
  ],
  // Seventeen heart rates, five seconds apart.
  ["HiTrack_1", { start: { instant: 1_552_679_418_000 }, duration: 80, health: { maxHR: 111 } }],
])("%s is a workout whose sport is asked for, with a track", async (name, expected) => {
  const archive = memoryArchive("phone", { [name]: readFileSync(join(SAMPLES, "huawei", name)) });
  expect((await identifyArchive(archive)).connector).toBe(huawei);
  const { readings, issues } = await readAll(huawei, archive);
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([{ kind: "workout", value: { ...expected, track: { entry: name, made: "huawei" } } }]);
});
