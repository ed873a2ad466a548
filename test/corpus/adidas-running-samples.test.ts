/** Parts of a Runtastic export of 2019, from outside this project. The expected values were typed from the files by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { openArchive } from "../../connectors/containers/open.ts";
import { adidasRunning } from "../../connectors/platforms/index.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { readAll } from "../suites/fixture-cases.ts";
import { SAMPLES } from "../support/shared.ts";

const FOLDER = join(SAMPLES, "runtastic-v1-2019");
/** The different times in both files of points. */
const POINTS = 998;
const SHOE = "adidas-running:equipment:5c2dec05afb74519edc02db9";

test("a folder with one activity and its shoes is read, and every other file of it is named", async () => {
  const archive = await openArchive(FOLDER);
  expect((await identifyArchive(archive)).connector).toBe(adidasRunning);
  const { readings, issues } = await readAll(adidasRunning, archive);
  await archive.close();
  expect(readings.map(({ kind, key }) => [kind, key])).toEqual([
    ["equipment", SHOE],
    ["equipment", "adidas-running:equipment:5b2172b47bd9b9e4aae89ca0"],
    ["workout", "adidas-running:workout:fdd2f131-ef65-4e6c-b27e-50b8ecf465d4"],
  ]);
  expect(readings[0]).toMatchObject({
    value: {
      activity: "run",
      modelName: "*18* Rot\u00a0(T600N)",
      notes: "color: red\nwear limit: 500 km\nsize: EU 44 1/2",
    },
  });
  expect(readings[2]).toMatchObject({
    value: {
      activity: "run",
      sport: "running",
      // 1535794114000 with 7200000: the first row of its positions says 2018-09-01 11:28:34 +0200.
      start: { date: "2018-09-01", time: "11:28:34", instant: 1_535_794_114_000, offsetMinutes: 120 },
      notes: "10K de la Brader'Y 2018",
      distance: { unit: "m", value: 10_110 },
      duration: 2983,
      health: { avgHR: 173, maxHR: 188 },
      weather: { temperature: { unit: "C", value: 19 } },
      equipment: ["adidas-running:equipment:5b2172b47bd9b9e4aae89ca0"],
    },
  });
  expect(issues).toMatchObject([
    { rule: "table/unlisted-gear", found: "5b2172b47bd9b9e4aae89ca0" },
    { rule: "adidas-running/other-files", severity: "warning", count: 6 },
  ]);
});

test("in the folders of an export the points are its track, and the account and the pictures are left", async () => {
  const bytes = (name: string) => readFileSync(join(FOLDER, name));
  const id = "fdd2f131-ef65-4e6c-b27e-50b8ecf465d4";
  const archive = memoryArchive("export.zip", {
    [`Sport-sessions/${id}.json`]: bytes("SportSession.json"),
    [`Sport-sessions/GPS-data/${id}.json`]: bytes("GpsData.json"),
    [`Sport-sessions/Heart-rate-data/${id}.json`]: bytes("HeartRateData.json"),
    "Photos/Images-meta-data/5083479.json": bytes("ImagesMetaData.json"),
    [`Photos/Images-meta-data/Sport-session-albums/${id}.json`]: bytes("SportSessionAlbums.json"),
    "User/Shoes/5c2dec05afb74519edc02db9.json": bytes("Shoe.json"),
    "User/user.json": bytes("user.json"),
  });
  const { readings, issues } = await readAll(adidasRunning, archive);
  expect(readings.map(({ kind }) => kind)).toEqual(["equipment", "equipment", "workout"]);
  // The activity was done in shoes that the sample has no file of.
  expect(issues).toMatchObject([{ rule: "table/unlisted-gear", found: "5b2172b47bd9b9e4aae89ca0" }]);
  const [track] = readings.flatMap((each) => (each.kind === "workout" ? [each.value.track] : []));
  expect(track).toMatchObject({
    ...{ entry: `Sport-sessions/GPS-data/${id}.json`, also: [`Sport-sessions/Heart-rate-data/${id}.json`] },
    ...{ format: "tcx", made: "adidas-running" },
  });
  const made = await adidasRunning.trackIn?.(archive, [track?.entry ?? "", ...(track?.also ?? [])], 0);
  const points = Buffer.from(made ?? [])
    .toString()
    .split("<Trackpoint>")
    .slice(1);
  // Each file has a row for each of these; an independent count of their lines says as many.
  expect(points).toHaveLength(POINTS);
  expect(points[1]).toMatch(/2018-09-01T09:28:37.000Z.*50.64865875.*3.07835817.*<DistanceMeters>9<.*>143</s);
});
