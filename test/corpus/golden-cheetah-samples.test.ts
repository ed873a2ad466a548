/** Two rides of Golden Cheetah's own tests, from outside this project. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { goldenCheetah } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

/** A track that logferry makes from the samples of a file. */
const trackOf = (entry: string | undefined) => ({
  ...{
    entry,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    format: "tcx",
    made: "golden-cheetah",
    alone: true,
    recording: 0,
    recordings: 1,
  },
});

test("two rides of 2010 and 2013 are read without a remark, each tag of them mapped or knowingly left", async () => {
  const names = ["2010_08_15_10_53_30.json", "2013_05_27_08_56_35.json"];
  const bytes = names.map((name) => [name, readFileSync(join(SAMPLES, "goldencheetah", name))]);
  const archive = memoryArchive("activities", Object.fromEntries(bytes));
  expect((await identifyArchive(archive)).connector).toBe(goldenCheetah);
  const { readings, issues } = await readAll(goldenCheetah, archive);
  expect(issues).toEqual([]);
  expect(readings.map((each) => each.kind === "workout" && each.value)).toEqual([
    {
      activity: "bike",
      sport: "Bike",
      // 00:53:30 UTC. The file's name says 10:53:30.
      start: { date: "2010-08-15", time: "10:53:30", instant: Date.UTC(2010, 7, 15, 0, 53, 30), offsetMinutes: 600 },
      distance: { unit: "km", value: 0.0248611 },
      // Two samples five seconds apart, each of five seconds.
      duration: 10,
      health: { avgHR: 172, maxHR: 172 },
      unsupported: [
        { field: "average power while pedalling", value: "273 W" },
        { field: "max power", value: "273 W" },
        { field: "recorded series", value: "LRBALANCE" },
      ],
      track: trackOf(names[0]),
    },
    {
      activity: "bike",
      sport: "Bike",
      start: { date: "2013-05-27", time: "08:56:35", instant: Date.UTC(2013, 4, 27, 7, 56, 35), offsetMinutes: 60 },
      notes: "An incredibly short ride to test bugs in array offset processing in GC\nObjective: Test Bugs in GC",
      distance: { unit: "km", value: 0.0809444 },
      duration: 13.003,
      // 143, 144, 143, 144, 145, 145, 144, 143, 144, 145, 145, 144: 1729 in twelve.
      health: { avgHR: 144, maxHR: 145 },
      unsupported: [
        { field: "workout type", value: "Short" },
        // 818 W in twelve.
        { field: "average power while pedalling", value: "68.16666666666667 W" },
        { field: "max power", value: "95 W" },
      ],
      track: trackOf(names[1]),
    },
  ]);
});
