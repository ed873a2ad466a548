import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { endurain } from "../index.ts";

const run = (id: number) => ({
  ...{ id, activity_type: 1, start_time: `2024-03-0${id}T05:30:00`, distance: 5900, total_timer_time: 1770 },
  ...{ total_elapsed_time: 1770, timezone: "Europe/Vienna", pace: 0.3 },
});
const lap = (activity_id: number, total_distance: number, total_timer_time: number) => ({
  ...{ activity_id, total_distance, total_timer_time, avg_heart_rate: 145, max_power: null },
});
const GPX = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="48.2" lon="16.37"><time>2024-03-02T04:30:00Z</time></trkpt>
<trkpt lat="48.25" lon="16.37"><time>2024-03-02T04:59:30Z</time></trkpt></trkseg></trk></gpx>`;

test("the laps and the weight of the day reach an activity; of one with a file, the file alone counts", async () => {
  const { readings, issues } = await readAll(
    endurain,
    memoryArchive("e.zip", {
      "data/activities.json": JSON.stringify([run(1), run(2)]),
      "data/activity_laps.json": JSON.stringify([lap(1, 3000, 900), lap(1, 2900, 870), lap(2, 1, 1), lap(2, 2, 2)]),
      "data/activity_sets_000.json": JSON.stringify([{ activity_id: 1 }, { activity_id: 1 }, { activity_id: 2 }]),
      "data/activity_streams.json": JSON.stringify([{ activity_id: 1, stream_type: 1, stream_waypoints: [{ hr: 1 }] }]),
      "data/health_weight.json": JSON.stringify([{ date: "2024-03-01", weight: 70.5, bmi: 21 }]),
      "activity_files/2.gpx": GPX,
    }),
  );
  const [one, two] = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(one?.intervalSet?.intervals).toMatchObject([
    { distance: { unit: "m", value: 3000 }, duration: 900 },
    { distance: { unit: "m", value: 2900 }, duration: 870 },
  ]);
  expect(one?.health).toEqual({ weight: { unit: "kg", value: 70.5 } });
  expect(one?.unsupported).toEqual([
    { field: "more of the laps", value: "avg_heart_rate" },
    { field: "sets", value: "2" },
    { field: "recorded series", value: "1" },
  ]);
  expect(two?.intervalSet).toBeUndefined();
  expect(two?.unsupported).toBeUndefined();
  expect(issues).toEqual([]);
});

test("a list of laps that is cut gives what it has, with a remark that names it", async () => {
  const { readings, issues } = await readAll(
    endurain,
    memoryArchive("e.zip", {
      "data/activities.json": JSON.stringify([run(1)]),
      "data/activity_laps.json": JSON.stringify([lap(1, 3000, 900), lap(1, 2900, 870), lap(1, 10, 3)]).slice(0, -40),
    }),
  );
  expect(readings).toMatchObject([{ kind: "workout", value: { intervalSet: { intervals: [{}, {}] } } }]);
  const entry = "data/activity_laps.json";
  expect(issues).toMatchObject([
    { severity: "warning", origin: { entry } },
    { severity: "warning", rule: "endurain/other-files", names: [entry] },
  ]);
});

test("an activity without a zone is read with its time as it stands, and a remark says whose clock that is", async () => {
  const activities = JSON.stringify([run(1), { ...run(2), timezone: null }, { ...run(3), timezone: "" }]);
  const { readings, issues } = await readAll(endurain, memoryArchive("e", { "data/activities.json": activities }));
  expect(readings).toMatchObject(
    [1, 2, 3].map((day) => ({ value: { start: { date: `2024-03-0${day}`, time: "05:30:00" } } })),
  );
  expect(issues).toMatchObject(
    ["record 2", "record 3"].map((locator) => ({ rule: "endurain/no-zone", severity: "warning", origin: { locator } })),
  );
});
