import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { Refusal } from "../http/refusals.ts";
import { scanInThread } from "../import/decode.ts";
import type { Service } from "../server.ts";
import { type Person, person, service } from "./client.ts";
import { FILE_ID, fitFile, fitTime, session } from "./fit.ts";

let log: Service;
let ann: Person;

beforeAll(async () => {
  log = await service();
  ann = await person(log);
});
afterAll(() => log.close());

const WORKOUTS = "/rest/logs/me/workouts";
const COURSES = "/rest/logs/me/courses";
const FIT = fitFile([FILE_ID, session("2024-03-01T23:30:00Z", 1, 1800, 5000)]);
/** FIT times below 0x10000000 count from the moment the device was switched on, so they give no calendar date. */
const UNDATED = fitFile([FILE_ID, session("1990-01-01T00:30:00Z", 1, 1800, 5000)]);

const point = (minute: number, lat: number) =>
  `<trkpt lat="${lat}" lon="16"><time>2024-07-01T10:0${minute}:00Z</time></trkpt>`;
const gpx = (inside: string, version = "1.1") =>
  `<?xml version="1.0"?><gpx version="${version}" creator="a test" xmlns="http://www.topografix.com/GPX/1/${version.at(-1)}">${inside}</gpx>`;
const TRACK = `<trk><type>cycling</type><trkseg>${point(0, 48)}${point(1, 48.001)}${point(2, 48.002)}</trkseg></trk>`;

const lap = (start: string, seconds: number, metres: number, intensity: string) =>
  `<Lap StartTime="${start}"><TotalTimeSeconds>${seconds}</TotalTimeSeconds><DistanceMeters>${metres}</DistanceMeters>` +
  `<Intensity>${intensity}</Intensity><TriggerMethod>Manual</TriggerMethod></Lap>`;
const TCX = `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
<Activity Sport="Biking"><Id>2024-05-05T05:05:05Z</Id>
${lap("2024-05-05T05:05:05Z", 91.79, 400, "Active")}${lap("2024-05-05T05:06:37Z", 60, 0, "Resting")}
</Activity></Activities></TrainingCenterDatabase>`;

async function imported(who: Person, type: string, body: Uint8Array | string, headers = {}) {
  const answer = await who.send("POST", `${WORKOUTS}/${type}`, { body, headers });
  if (answer.status !== 200) throw new Error(`import was answered ${answer.status} ${answer.text}`);
  expect(answer.json).toEqual({ code: 0, data: { ids: expect.any(Array) } });
  const workouts = [];
  for (const id of answer.json.data.ids) {
    const { id: same, ...workout } = (await who.send("GET", `${WORKOUTS}/${id}`)).json.data.workout;
    expect(same).toBe(id);
    workouts.push(workout);
  }
  return workouts;
}

describe("import", () => {
  test("a FIT file becomes one workout: sport, date and time, metres, timer time, heart rates", async () => {
    expect(await imported(ann, "fit", FIT)).toEqual([
      {
        activityID: 10,
        activityName: "Run",
        date: "2024-03-01",
        timeOfDay: "23:30:00",
        details: { distance: { unit: "m", value: 5000 }, duration: 1800 },
        health: { avgHR: 140, maxHR: 171 },
      },
    ]);
  });

  test.each([
    [2, "2024-03-02", "01:30:00"],
    [-7.5, "2024-03-01", "16:00:00"],
    [5.75, "2024-03-02", "05:15:00"],
  ])("a file's UTC times are shifted by the user's fixed utcOffset of %d hours", async (utcOffset, date, timeOfDay) => {
    const bob = await person(log, { utcOffset });
    expect(await imported(bob, "fit", FIT)).toMatchObject([{ date, timeOfDay }]);
  });

  test("a user without a utcOffset is at UTC", async () => {
    const bob = await person(log, { utcOffset: 9 });
    await bob.send("PUT", "/rest/users/me/preference", { body: {} });
    expect(await imported(bob, "fit", FIT)).toMatchObject([{ date: "2024-03-01", timeOfDay: "23:30:00" }]);
  });

  test("file content is optionally gzip-compressed, with the header and not without", async () => {
    const bob = await person(log);
    expect(await imported(bob, "fit", gzipSync(FIT), { "content-encoding": "gzip" })).toHaveLength(1);
    const answer = await bob.send("POST", `${WORKOUTS}/fit`, { body: gzipSync(FIT) });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain("Content-Encoding: gzip");
  });

  test("each recording of a file is a workout, in the file's order", async () => {
    const file = fitFile([
      FILE_ID,
      session("2024-03-01T08:00:00Z", 5, 900, 750),
      session("2024-03-01T08:20:00Z", 2, 1800, 20000),
      session("2024-03-01T09:00:00Z", 1, 1200, 5000),
    ]);
    const workouts = await imported(ann, "fit", file);
    expect(workouts.map((workout) => [workout.activityName, workout.timeOfDay])).toEqual([
      ["Swim", "08:00:00"],
      ["Bike", "08:20:00"],
      ["Run", "09:00:00"],
    ]);
  });

  test("a lap's intensity that all objects have as a name is a word like any other", async () => {
    const tcx = TCX.replace("<Intensity>Active<", "<Intensity>constructor<");
    const [workout] = await imported(await person(log), "tcx", tcx);
    expect(workout.intervalSet.intervals.map(({ type }: { type: string }) => type)).toEqual(["interval", "rest"]);
  });

  test("a distance or duration past what a save takes is left out, as a heart rate is", async () => {
    const bob = await person(log);
    const tcx = TCX.replaceAll(">400<", ">1e308<").replaceAll(">91.79<", ">1e300<");
    const [workout] = await imported(bob, "tcx", tcx);
    expect(workout.intervalSet.intervals[0]).toEqual({ type: "interval" });
    const [sum] = (await bob.send("GET", WORKOUTS, { query: { dateMode: "year" } })).json.data.entries;
    expect([sum.details.distance.value, sum.details.duration]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  test("an unknown sport is the user's own activity of that name, else a run", async () => {
    const file = gpx(`<trk><type>Nordic-Walking</type><trkseg>${point(0, 48)}${point(1, 48.001)}</trkseg></trk>`);
    expect(await imported(ann, "gpx", file)).toMatchObject([{ activityName: "Run" }]);
    const bob = await person(log, { activities: ["Nordic walking"] });
    expect(await imported(bob, "gpx", file)).toMatchObject([{ activityID: 100, activityName: "Nordic walking" }]);
  });

  test("a GPX track becomes a workout; its sport is its type", async () => {
    const [workout, ...others] = await imported(ann, "gpx", gpx(TRACK));
    expect(others).toEqual([]);
    expect(workout).toMatchObject({ activityName: "Bike", date: "2024-07-01", timeOfDay: "10:00:00" });
    // Two thousandths of a degree of latitude: 2 * 111.19 m on a sphere of 6,371 km.
    expect(workout.details.distance.unit).toBe("m");
    expect(workout.details.distance.value).toBeGreaterThan(221);
    expect(workout.details.distance.value).toBeLessThan(224);
    expect(workout.details.duration).toBe(120);
  });

  test("several laps become intervals, resting ones rests; a single lap doesn't", async () => {
    expect(await imported(ann, "tcx", TCX)).toMatchObject([
      {
        activityName: "Bike",
        date: "2024-05-05",
        timeOfDay: "05:05:05",
        intervalSet: {
          intervals: [
            { type: "interval", distance: { unit: "m", value: 400 }, duration: 91.79 },
            { type: "rest", distance: { unit: "m", value: 0 }, duration: 60 },
          ],
        },
      },
    ]);
    const single = TCX.replace(/<Lap StartTime="2024-05-05T05:06.*?<\/Lap>/, "");
    expect((await imported(ann, "tcx", single))[0]).not.toHaveProperty("intervalSet");
  });

  test.each([
    ["a watch's settings", "fit", fitFile([{ global: 0, fields: [[0, "enum", 2]] }])],
    ["a route", "gpx", gpx('<rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte>')],
    [
      "a track without times",
      "gpx",
      gpx('<trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg></trk>'),
    ],
  ])("a sound file without any recording gives code 0 and no ids: %s", async (_what, type, body) => {
    const answer = await ann.send("POST", `${WORKOUTS}/${type}`, { body });
    expect([answer.status, answer.text]).toEqual([200, '{"code":0,"data":{"ids":[]}}']);
  });

  test("a file cut short gives what it still holds", async () => {
    const file = gpx(TRACK);
    const cut = file.slice(0, file.indexOf("10:02:00"));
    expect(await imported(ann, "gpx", cut)).toMatchObject([{ date: "2024-07-01", details: { duration: 60 } }]);
  });

  test.each([
    ["nothing", "fit", ""],
    ["text", "fit", "no device file"],
    ["a FIT file called gpx", "gpx", FIT],
    ["a GPX file called fit", "fit", gpx(TRACK)],
    ["a document type", "gpx", `<!DOCTYPE gpx [<!ENTITY a "b">]>${gpx(TRACK)}`],
    ["10,000 elements in each other", "gpx", gpx("<a>".repeat(10_000))],
    ["a recording without a date", "fit", UNDATED],
  ])("%s is refused with the reason, and nothing is saved", async (_what, type, body) => {
    const bob = await person(log);
    const answer = await bob.send("POST", `${WORKOUTS}/${type}`, { body });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 5, message: expect.stringMatching(/^body: .{10,}/) });
    expect((await bob.send("GET", WORKOUTS)).json.data.numEntries).toBe(0);
  });

  test("a file is refused whole when one of its recordings has no date", async () => {
    const bob = await person(log);
    const file = fitFile([
      FILE_ID,
      session("2024-03-01T08:00:00Z", 1, 900, 750),
      session("1990-01-01T08:20:00Z", 1, 1800, 20000),
    ]);
    const answer = await bob.send("POST", `${WORKOUTS}/fit`, { body: file });
    expect(answer.json).toEqual({ code: 5, message: "body: recording 2 of 2 has no date" });
    expect((await bob.send("GET", WORKOUTS)).json.data.numEntries).toBe(0);
  });

  longTest("a file may unpack to 64 MiB; a byte more is 413", async () => {
    const cap = 64 * 2 ** 20;
    const sent = async (bytes: number) => {
      const packed = gzipSync(Buffer.alloc(bytes, " "), { level: 1 });
      return ann.send("POST", `${WORKOUTS}/gpx`, { body: packed, headers: { "content-encoding": "gzip" } });
    };
    const [within, over] = [await sent(cap), await sent(cap + 1)];
    expect([within.status, within.json.code]).toEqual([400, 5]);
    expect([over.status, over.json.code]).toEqual([413, 10]);
  });

  test("a big file is read like any other, and refused like any other", async () => {
    const bob = await person(log);
    const big = gpx(`<!--${"x".repeat(2 ** 20)}-->${TRACK}`);
    expect(await imported(bob, "gpx", big)).toMatchObject([{ date: "2024-07-01" }]);
    const broken = await bob.send("POST", `${WORKOUTS}/gpx`, { body: "x".repeat(2 ** 20) });
    expect([broken.status, broken.json.code]).toEqual([400, 5]);
  });

  test("the file is kept with its workouts, and a PUT that corrects one keeps it", async () => {
    const file = fitFile([
      FILE_ID,
      session("2024-03-01T08:00:00Z", 5, 9, 7),
      session("2024-03-01T08:20:00Z", 2, 18, 20),
    ]);
    const { ids } = (await ann.send("POST", `${WORKOUTS}/fit`, { body: file })).json.data;
    const corrected = { activityID: 11, date: "2024-02-29", time: "09:20:00" };
    expect((await ann.send("PUT", `${WORKOUTS}/${ids[1]}`, { body: corrected })).status).toBe(200);
    const track = await log.store.track(ann.userId, ids[1]);
    expect(track).toMatchObject({ format: "fit", recording: 1 });
    expect(gunzipSync(track?.packed ?? new Uint8Array()).equals(file)).toBe(true);
    const bob = await person(log);
    expect(await log.store.track(bob.userId, ids[1])).toBeUndefined();
    const saved = await ann.save(WORKOUTS, corrected);
    expect(await log.store.track(ann.userId, saved)).toBeUndefined();
  });

  test("a file sent twice is two workouts: no duplicate rule is documented", async () => {
    const bob = await person(log);
    await imported(bob, "fit", FIT);
    await imported(bob, "fit", FIT);
    expect((await bob.send("GET", WORKOUTS)).json.data.numEntries).toBe(2);
  });

  test("a lap's own time is FIT's timer too", async () => {
    const laps = [1, 2].map((count) => ({
      global: 19,
      fields: [
        [253, "uint32", fitTime("2024-03-01T08:00:00Z") + 60 * count],
        [2, "uint32", fitTime("2024-03-01T08:00:00Z") + 60 * (count - 1)],
        [7, "uint32", 60_000],
        [8, "uint32", 50_250],
        [9, "uint32", 20_000],
        [23, "enum", count === 1 ? 0 : 1],
      ] as const,
    }));
    const file = fitFile([FILE_ID, ...laps, session("2024-03-01T08:00:00Z", 1, 100, 400)]);
    expect((await imported(ann, "fit", file))[0].intervalSet.intervals).toEqual([
      { type: "interval", distance: { unit: "m", value: 200 }, duration: 50.25 },
      { type: "rest", distance: { unit: "m", value: 200 }, duration: 50.25 },
    ]);
  });
});

describe("course map", () => {
  const put = async (body: Uint8Array | string, headers = {}) => {
    const id = await ann.save(COURSES, { name: "mapped" });
    return { id, answer: await ann.send("POST", `${COURSES}/${id}/gpx`, { body, headers }) };
  };
  const LINE = '<rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte>';

  test.each(["1.0", "1.1"])("GPX version %s is accepted: status code 0, and the file is kept", async (version) => {
    const file = gpx(LINE, version);
    const { id, answer } = await put(file);
    expect([answer.status, answer.text]).toEqual([200, '{"code":0}']);
    const map = await log.store.courseMap(ann.userId, id);
    expect(gunzipSync(map?.packed ?? new Uint8Array()).toString()).toBe(file);
  });

  test("a map may be compressed with gzip; a second one replaces the first", async () => {
    const { id, answer } = await put(gzipSync(gpx(LINE)), { "content-encoding": "gzip" });
    expect(answer.status).toBe(200);
    expect((await ann.send("POST", `${COURSES}/${id}/gpx`, { body: gpx(TRACK) })).status).toBe(200);
    const map = await log.store.courseMap(ann.userId, id);
    expect(gunzipSync(map?.packed ?? new Uint8Array()).toString()).toBe(gpx(TRACK));
  });

  test.each([
    ["another version", gpx(LINE, "2.0")],
    ["no line", gpx("<metadata/>")],
    ["a single point", gpx('<rte><rtept lat="1" lon="2"/></rte>')],
    ["a FIT file", FIT],
    ["nothing", ""],
    ["text", "north, then left"],
  ])("%s is refused with the reason", async (_what, body) => {
    const { id, answer } = await put(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 5, message: expect.stringMatching(/^body: .{10,}/) });
    expect(await log.store.courseMap(ann.userId, id)).toBeUndefined();
  });

  test("only gpx is a type of map", async () => {
    const id = await ann.save(COURSES, { name: "mapped" });
    expect((await ann.send("POST", `${COURSES}/${id}/kml`, { body: gpx(LINE) })).status).toBe(404);
  });
});

test("a file that takes too long is refused, and the next one gets a fresh thread", async () => {
  const big = Buffer.from(gpx(`<!--${"x".repeat(2 ** 20)}-->${TRACK}`));
  await expect(scanInThread(big, 0)).rejects.toThrow(Refusal);
  const [slow, next] = [scanInThread(big, 0), scanInThread(big)];
  await expect(slow).rejects.toThrow("can't be read within");
  expect((await next).recordings).toHaveLength(1);
});
