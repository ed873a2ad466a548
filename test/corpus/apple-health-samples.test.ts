/** Apple Health exports from outside this project, read whole. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import { appleHealth } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const FOLDER = join(SAMPLES, "apple-health");

async function readAs(file: string, name = file) {
  const archive = memoryArchive("apple", { [name]: readFileSync(join(FOLDER, file)) });
  expect((await identifyArchive(archive)).connector).toBe(appleHealth);
  return readAll(appleHealth, archive);
}

test("an unpacked export of 2019 gives its run, with its route and the weather of the day", async () => {
  const archive = await openArchive(join(FOLDER, "zip_contents"));
  expect((await identifyArchive(archive)).connector).toBe(appleHealth);
  const { readings, issues } = await readAll(appleHealth, archive);
  await archive.close();
  expect(issues).toEqual([]);
  expect(readings).toHaveLength(1);
  expect(readings[0]).toMatchObject({
    kind: "workout",
    value: {
      activity: "run",
      distance: { unit: "mi", value: 0.4971749504535062 },
      duration: 311.647,
      // Written as 07:25:41 -0700, the offset of the summer it was exported in. In November it was 06:25:41 in Los Angeles.
      start: { date: "2016-11-14", time: "06:25:41", offsetMinutes: -480 },
      weather: { temperature: { unit: "F", value: 56 } },
      track: { format: "gpx" },
    },
  });
});

test("a route inside the table is counted, not read", async () => {
  const { readings, issues } = await readAs("export.xml");
  expect(issues).toEqual([]);
  expect(readings[0]).toMatchObject({
    value: { unsupported: expect.arrayContaining([{ field: "route inside the table", value: "left out" }]) },
  });
});

test("an export with its document type gives its workout, of a sport that is asked for", async () => {
  const { readings, issues } = await readAs("export6s3sample.xml");
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    { value: { sport: "Other", duration: 1904.208, start: { instant: Date.UTC(2016, 3, 2, 9, 40, 38) } } },
  ]);
});

test("an export without a workout is known, and nothing of it is missed", async () => {
  const { readings, issues } = await readAs("alxdrcirilo-export.xml");
  expect([readings, issues]).toEqual([[], []]);
});

test("a table that an old tool made of it is read", async () => {
  const { readings, issues } = await readAs("Workout.csv");
  expect(issues).toEqual([]);
  expect(readings).toMatchObject([
    { value: { sport: "Other", duration: 1904.208, start: { instant: Date.UTC(2016, 3, 2, 9, 40, 38) } } },
  ]);
});
