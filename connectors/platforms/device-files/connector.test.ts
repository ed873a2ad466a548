import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { writeFit } from "../../../fixtures/make/fit.ts";
import { randomFrom } from "../../../fixtures/make/random.ts";
import { record } from "../../../fixtures/make/recording.ts";
import { sportNamed } from "../../../fixtures/make/sports.ts";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { healthOf, intervalsOf } from "../from-recording.ts";
import { deviceFiles } from "./connector.ts";

const FILES = join(import.meta.dirname, "../../../fixtures/device-files");
const run = readFileSync(join(FILES, "fit/archive/2019-05-04-07-10-05.fit"));
const ride = readFileSync(join(FILES, "fit/archive/2019-05-05-09-30-00.fit"));

const read = (files: Readonly<Record<string, Uint8Array | string>>) =>
  readAll(deviceFiles, memoryArchive("watch", files));

test("a file is what its bytes say, whatever it is called, and packed or not", async () => {
  const { readings } = await read({ "a.tcx": run, "b.bin.gz": gzipSync(ride) });
  expect(readings).toMatchObject([
    { kind: "workout", value: { activity: "run", track: { entry: "a.tcx", format: "fit" } } },
    { kind: "workout", value: { activity: "bike", track: { entry: "b.bin.gz", format: "fit" } } },
  ]);
});

test("packing or renaming a file changes no key", async () => {
  const [plain] = (await read({ "a.fit": run })).readings;
  const [packed] = (await read({ "deep/folder/b.fit.gz": gzipSync(run) })).readings;
  expect(packed?.key).toBe(plain?.key);
});

test("a copy is rejected and names the one that was taken", async () => {
  const { readings } = await read({ "a.fit": run, "b.fit": run, "c.fit.gz": gzipSync(run) });
  expect(readings).toMatchObject([
    { kind: "workout" },
    { as: "skipped", issue: { rule: "device-files/same-recording", found: "the same recording as a.fit" } },
    { as: "skipped", issue: { rule: "device-files/same-recording" } },
  ]);
});

test("of a file with several recordings only those are rejected that are there already, whichever file comes first", async () => {
  const chained = readFileSync(join(FILES, "fit-chained/archive/three days.fit"));
  // The first of the three recordings gives the chained file its name. The same watch recorded it at the same moment as `run`.
  const alone = { readings: (await read({ "three.fit": chained })).readings };
  expect(alone.readings.map(({ kind }) => kind)).toEqual(["workout", "workout", "workout"]);
  for (const [first, second] of [
    ["a.fit", "b.fit"],
    ["b.fit", "a.fit"],
  ] as const) {
    const { readings } = await read({ [first]: run, [second]: chained });
    const workouts = readings.filter((reading) => "kind" in reading && reading.kind === "workout");
    expect(workouts).toHaveLength(3);
    expect(readings.filter((reading) => "as" in reading)).toMatchObject([
      { as: "skipped", issue: { rule: "device-files/same-recording", found: "the same recording as a.fit" } },
    ]);
  }
});

test("of Zwift's ride and its copy while it went on the ride is read, in any order, and the maker is named", async () => {
  const zwift = { manufacturer: 260, product: 0, serial: 0, software: 100 };
  const wish = { sport: sportNamed("ride"), start: Date.UTC(2022, 0, 9, 17), timer: 1800, metres: 15_000, every: 60 };
  const whole = record(wish, randomFrom("zwift"));
  const part = record({ ...wish, timer: 1200, metres: 10_000 }, randomFrom("zwift"));
  const files = {
    "Zwift/Activities/inProgressActivity.fit": writeFit([part], { device: zwift }),
    "Zwift/Activities/2022-01-09-18-00-00.fit": writeFit([whole], { device: zwift }),
  };
  const { readings } = await read(files);
  expect(readings).toMatchObject([
    { kind: "workout", value: { activity: "bike", duration: 1800 } },
    {
      as: "skipped",
      issue: { rule: "device-files/same-recording" },
      origin: { entry: "Zwift/Activities/inProgressActivity.fit" },
    },
  ]);
  expect((await deviceFiles.identify(memoryArchive("Zwift", files)))?.saw).toBe(
    "2 files of FIT, GPX, TCX or KML, the first one by Zwift",
  );
});

test("files of other kinds are counted in one line", async () => {
  const { readings, issues } = await read({ "a.fit": run, "readme.txt": "x", "c.jpg": "y", LICENSE: "z" });
  expect(readings).toHaveLength(1);
  expect(issues).toMatchObject([{ rule: "device-files/other-files", count: 3, origin: { entry: "watch" } }]);
});

test("a file that can't be read is rejected for a person to look at", async () => {
  const { readings } = await read({
    "a.fit": "not a fit file at all",
    "b.gpx": "",
    "c.tcx.gz": new Uint8Array([31, 139, 8, 0]),
  });
  expect(readings).toMatchObject(Array(3).fill({ as: "quarantined" }));
});

test("an intensity becomes the log's word for an interval, or stays", () => {
  const laps = ["active", "Resting", "warmup", "recovery", "interval", undefined].map((intensity) => ({
    timer: 60,
    ...(intensity !== undefined && { intensity }),
  }));
  expect(intervalsOf(laps)?.intervals.map(({ type }) => type)).toEqual([
    "interval",
    "rest",
    "warmup",
    "recovery",
    "interval",
    "interval",
  ]);
});

test("one lap is the workout itself, and laps of nothing are none", () => {
  const lap = { timer: 300, distance: { unit: "m", value: 1000 } } as const;
  expect(intervalsOf([lap])).toBeUndefined();
  expect(intervalsOf([lap, { timer: 0.4, distance: { unit: "m", value: 0 } }])).toBeUndefined();
  expect(intervalsOf([lap, lap])?.intervals).toHaveLength(2);
});

test("hearts are whole beats, and 0 is not measured", () => {
  expect(healthOf({ avgHR: 138.74, maxHR: 0 })).toEqual({ avgHR: 139 });
  expect(healthOf({ avgHR: 0 })).toBeUndefined();
});
