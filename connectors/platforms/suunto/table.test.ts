import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { decodeDeviceFile } from "../../formats/device-file.ts";
import { suunto } from "./table.ts";

async function read(log: object) {
  const bytes = Buffer.from(JSON.stringify(log));
  const { readings } = await readAll(suunto, memoryArchive("s", { "log.json": bytes }));
  return readings.map((each) => (each.kind === "workout" ? each.value : each.kind));
}

test("a log full of nulls is a workout with what is left", async () => {
  const Header = {
    DateTime: "2018-03-13T17:57:02+01:00",
    Duration: 60,
    PauseDuration: null,
    Distance: null,
    ActivityType: 3,
  };
  expect(await read({ DeviceLog: { Header, Windows: null, Samples: null, "R-R": null, Device: null } })).toMatchObject([
    { activity: "run", duration: 60, start: { time: "17:57:02", offsetMinutes: 60 } },
  ]);
});

test("pauses as long as the workout don't make its time zero", async () => {
  const Header = { DateTime: "2018-03-13T17:57:02+01:00", Duration: 60, PauseDuration: 60 };
  expect(await read({ DeviceLog: { Header } })).toMatchObject([{ duration: 60 }]);
});

test("a log without a head waits", async () => {
  expect(await read({ DeviceLog: { Windows: [] } })).toEqual(["set-aside"]);
});

test("two SML logs at one wall clock of the night when the clocks go back are two", async () => {
  const log = (utc: string, metres: number) =>
    `<sml><DeviceLog><Header><Duration>1800</Duration><Distance>${metres}</Distance><ActivityType>3</ActivityType>` +
    `<DateTime>2014-10-26T02:30:00</DateTime></Header><Samples><Sample><UTC>${utc}</UTC><Time>0</Time></Sample></Samples></DeviceLog></sml>`;
  const files = { "a.sml": log("2014-10-26T00:30:00Z", 5000), "b.sml": log("2014-10-26T01:30:00Z", 5600) };
  const { readings } = await readAll(suunto, memoryArchive("s", files));
  expect(readings.map((each) => (each.kind === "workout" ? each.value.start.offsetMinutes : each.kind))).toEqual([
    120, 60,
  ]);
});

/** A summary of the app. Its samples begin at the same second. */
const summary = (key: string) =>
  JSON.stringify({ workoutKey: key, activityId: 1, startTime: Date.UTC(2020, 6, 1, 22), totalTime: 1800 });

const sample = (second: string, sml: object, isText = false) => {
  const Attributes = { "suunto/sml": sml };
  return { TimeISO8601: `2020-07-01T${second}+00:00`, Attributes: isText ? JSON.stringify(Attributes) : Attributes };
};

const samples = (isText: boolean, hertz: number) =>
  JSON.stringify({
    Samples: [
      sample("22:00:00.000", { Sample: { Latitude: Math.PI / 4, Longitude: -Math.PI / 6 } }, isText),
      sample("22:00:00.100", { Sample: { HR: hertz, Distance: 0 } }, isText),
      sample("22:00:01.000", { "R-R": { Data: "420,424" } }, isText),
      sample("22:29:59.000", { Sample: { HR: hertz, Distance: 5000.5, Temperature: 298.15 } }, isText),
    ],
  });

test("samples of the app are the track of the summary beside them, and without one they are not read", async () => {
  const archive = memoryArchive("s", {
    "entry_1.zip!/summary.json": summary("a"),
    "entry_1.zip!/samples.json": samples(true, 2.5),
    "entry_2.zip!/summary.json": summary("b"),
    "entry_2.zip!/samples.json": samples(false, 2),
    "lost/samples.json": samples(false, 1),
  });
  const { readings, issues } = await readAll(suunto, archive);
  const workouts = readings.flatMap((each) => (each.kind === "workout" ? [each.value] : []));
  expect(workouts.map(({ health, distance }) => [health?.avgHR, distance?.value])).toEqual([
    [150, 5000.5],
    [120, 5000.5],
  ]);
  expect(workouts[0]?.unsupported).toContainEqual({ field: "recorded series", value: "R-R, Temperature" });
  expect(issues).toMatchObject([{ rule: "suunto/other-files", names: ["lost/samples.json"] }]);
  const tcx = await suunto.trackIn?.(archive, ["entry_1.zip!/samples.json"], 0);
  const { recordings } = decodeDeviceFile(tcx ?? new Uint8Array(), "decode");
  expect(recordings[0]?.points).toMatchObject([
    { instant: Date.UTC(2020, 6, 1, 22), position: { lat: 45, lon: -30 }, heartRate: 150 },
    { instant: Date.UTC(2020, 6, 1, 22, 29, 59), heartRate: 150, distance: { unit: "m", value: 5000.5 } },
  ]);
});

test("samples that break off give their beginning, and the file is named", async () => {
  const files = { "summary.json": summary("a"), "samples.json": samples(true, 2.5).slice(0, -2) };
  const { readings, issues } = await readAll(suunto, memoryArchive("s", files));
  expect(readings).toMatchObject([{ value: { track: { entry: "samples.json" }, lostFile: { because: "cut" } } }]);
  expect(issues).toMatchObject([{ rule: "json/cut", origin: { entry: "samples.json" } }]);
});

test.each([
  ["no number that names a sport", "99", "25", "swim"],
  ["the number for a sport that was not specified", "1", "33.3", "swim"],
  ["the number of a run", "3", "25", "run"],
  ["no pool", "99", "0", undefined],
])("an SML log with %s is a swim only if it has the length of a pool", async (_, number, pool, activity) => {
  const head = `<Duration>1500</Duration><Distance>1000</Distance><ActivityType>${number}</ActivityType><PoolLength>${pool}</PoolLength><DateTime>2014-05-07T18:00:00</DateTime>`;
  const log = `<sml xmlns="http://www.suunto.com/schemas/sml"><DeviceLog><Header>${head}</Header></DeviceLog></sml>`;
  const { readings } = await readAll(suunto, memoryArchive("s", { "a.sml": log }));
  expect(readings.map((each) => each.kind === "workout" && each.value.activity)).toEqual([activity]);
});
