import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// Platforms keep tracks in formats of their own, and a log takes FIT, GPX and TCX alone. logferry makes a TCX file of each, so that people keep ten
// years of tracks.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

const IMPORT = ["--json", "--settle", "0.3"];

const heart = (values: readonly (number | "NaN")[]) =>
  `{"type":"HEART_RATE","intervalMillis":1000,"values":[${values.join(",")}]}`;

/** Polar's new layout, with a number that is not JSON. Written by hand, as the export of an account has it. */
const NEW = `{"startTime":"2024-05-01T18:00:00","stopTime":"2024-05-01T19:00:00","timezoneOffsetMinutes":120,"name":"Koppeltraining",
"exercises":[
{"startTime":"2024-05-01T18:00:00","stopTime":"2024-05-01T18:30:00","timezoneOffsetMinutes":120,"durationMillis":1800000,"distanceMeters":15000,
 "sport":{"id":"2"},"samples":{"samples":[${heart([120, "NaN", 125, 131])},{"type":"TEMPERATURE","intervalMillis":1000,"values":[21.5]}]},
 "routes":{"route":{"startTime":"2024-05-01T18:00:01","wayPoints":[
  {"longitude":16.37,"latitude":48.2,"altitude":171.5,"elapsedMillis":0},{"longitude":16.38,"latitude":48.21,"altitude":172.5,"elapsedMillis":2000}]}}},
{"startTime":"2024-05-01T18:30:00","stopTime":"2024-05-01T19:00:00","timezoneOffsetMinutes":120,"durationMillis":1800000,"distanceMeters":6000,
 "sport":{"id":"1"},"samples":{"samples":[${heart([151, 152, 153])}]},"routes":{}}]}`;

/** The old layout. The route is on another clock than the rest, and the altitude is 0 from end to end. */
const OLD = JSON.stringify({
  exportVersion: "1.3",
  name: "Laufen",
  startTime: "2017-01-23T18:20:18.000",
  stopTime: "2017-01-23T18:50:18.000",
  timeZoneOffset: 60,
  exercises: [
    {
      startTime: "2017-01-23T18:20:18.000",
      stopTime: "2017-01-23T18:50:18.000",
      timezoneOffset: 60,
      duration: "PT1800S",
      distance: 5000.0,
      sport: "RUNNING",
      samples: {
        heartRate: [
          { dateTime: "2017-01-23T18:20:18.000", value: 95 },
          { dateTime: "2017-01-23T18:20:19.000" },
          { dateTime: "2017-01-23T18:20:20.000", value: 97 },
        ],
        recordedRoute: [
          { dateTime: "2017-01-23T19:40:45.801", longitude: 8.859436, latitude: 53.107227, altitude: 0 },
          { dateTime: "2017-01-23T19:40:47.801", longitude: 8.8601, latitude: 53.1064, altitude: 0 },
        ],
      },
    },
  ],
});

const NIKE = JSON.stringify({
  id: "0a1b2c3d-0000-4000-9000-000000000001",
  type: "run",
  start_epoch_ms: Date.UTC(2021, 4, 10, 6, 0, 0),
  end_epoch_ms: Date.UTC(2021, 4, 10, 6, 30, 0),
  active_duration_ms: 1_800_000,
  summaries: [{ metric: "distance", summary: "total", value: 5 }],
  tags: {},
  metric_types: ["latitude", "longitude", "heart_rate", "distance", "rpe"],
  metrics: [
    ["latitude", [48.2, 48.3]],
    ["longitude", [16.3, 16.4]],
    ["heart_rate", [0, 141]],
    ["distance", [1.25, 1.5]],
  ].map(([type, values]) => ({
    type,
    values: (values as number[]).map((value, at) => ({
      start_epoch_ms: Date.UTC(2021, 4, 10, 6, 0, at * 10),
      end_epoch_ms: Date.UTC(2021, 4, 10, 6, 0, at * 10),
      value,
    })),
  })),
});

function put(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

/** The track of each workout in the log, in the order of the day: each point as the TCX file has it, without the names of elements. */
async function tracks(): Promise<Readonly<Record<string, readonly string[] | undefined>>> {
  const { service, userId } = rehearsal;
  const { entries } = await service.store.workouts(userId, { limit: 100, offset: 0 }, []);
  const found: [string, readonly string[] | undefined][] = [];
  for (const { id, activityID, date, time } of entries) {
    const stored = await service.store.track(userId, id);
    const tcx = stored && gunzipSync(stored.packed).toString();
    const points = tcx?.split("<Trackpoint>").slice(1);
    const textOf = (point: string) =>
      point
        .split("</Trackpoint>")[0]
        ?.replaceAll(/<[^>]*>|\s+/g, " ")
        .trim();
    found.push([`${date} ${time} ${activityID}`, points?.map((point) => textOf(point)?.replaceAll(/ +/g, " ") ?? "")]);
  }
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const POLAR = { "training-session-2017-01-23-1-a.json": OLD, "training-session_2024-05-01T18-00-00_1-b.json": NEW };
const OF_POLAR = {
  "2017-01-23 18:20:18 10": [
    "2017-01-23T17:20:18.000Z 53.107227 8.859436 95",
    "2017-01-23T17:20:20.000Z 53.1064 8.8601 97",
  ],
  "2024-05-01 18:00:00 11": [
    "2024-05-01T16:00:00.000Z 120",
    "2024-05-01T16:00:01.000Z 48.2 16.37 171.5",
    "2024-05-01T16:00:02.000Z 125",
    "2024-05-01T16:00:03.000Z 48.21 16.38 172.5 131",
  ],
  "2024-05-01 18:30:00 10": [
    "2024-05-01T16:30:00.000Z 151",
    "2024-05-01T16:30:01.000Z 152",
    "2024-05-01T16:30:02.000Z 153",
  ],
};

test("the tracks of Polar's sessions are in the log, of each exercise its own, and a second import makes nothing", async () => {
  const folder = put("polar", POLAR);
  const imported = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  expect(await tracks()).toEqual(OF_POLAR);
  expect((await rehearsal.run(["verify"])).code).toBe(0);
  const again = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { created: 0, updated: 0, unchanged: 3 },
  });
  expect(await tracks()).toEqual(OF_POLAR);
});

test("the track of a run of Nike has its positions, heart rates and distances, joined by their times", async () => {
  const folder = put("nike", { "0a1b2c3d-0000-4000-9000-000000000001.json": NIKE });
  const imported = await rehearsal.run(["import", folder, ...IMPORT]);
  expect(imported.code, imported.err + imported.out).toBe(0);
  expect(await tracks()).toEqual({
    "2021-05-10 08:00:00 10": [
      "2021-05-10T06:00:00.000Z 48.2 16.3 1250",
      "2021-05-10T06:00:10.000Z 48.3 16.4 2750 141",
    ],
  });
});

test("inspect says how many tracks logferry makes, and what of the series no track has is counted", async () => {
  const folder = put("polar", POLAR);
  const inspected = await rehearsal.run(["inspect", folder]);
  expect(inspected.out).toContain("3 with a track in the platform's own form, which logferry turns into a TCX file");
  const planned = await rehearsal.run(["plan", folder, "--json"]);
  expect(jsonLines(planned.out)).toContainEqual({
    type: "loss",
    fields: [{ field: "recorded series", count: 1, because: "no field" }],
    values: 1,
  });
});

test("a file that changed after it was planned gives no track of another run", async () => {
  const folder = put("polar", POLAR);
  expect((await rehearsal.run(["plan", folder, "--json"])).code).toBe(0);
  writeFileSync(join(folder, "training-session-2017-01-23-1-a.json"), OLD.replace("8.8601", "9.8601"));
  const applied = await rehearsal.run(["apply", ...IMPORT]);
  expect(applied.out + applied.err).toContain("changed since it was planned");
  expect((await tracks())["2017-01-23 18:20:18 10"]).toBeUndefined();
});

test("a run keeps its track in a later export that lists a newer run before it", async () => {
  const newer = NIKE.replace("0a1b2c3d", "1a1b2c3d").replaceAll("16205", "16206").replaceAll("16206268", "16206269");
  const first = put("then", { "activities.json": `{"activities":[${NIKE}]}` });
  const later = put("now", { "activities.json": `{"activities":[${newer},${NIKE}]}` });
  expect((await rehearsal.run(["import", first, ...IMPORT])).code).toBe(0);
  const again = await rehearsal.run(["import", later, ...IMPORT]);
  expect(again.code, again.err + again.out).toBe(0);
  expect(jsonLines(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { created: 1, updated: 0, unchanged: 1 },
  });
});
