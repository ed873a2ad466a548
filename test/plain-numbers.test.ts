/**
 * Numbers as they reach the log and as people read them. The noise of adding and converting must not reach either of them. The real command line
 * imports them into a real log, and the test reads them back over HTTP.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

/** Three laps that add up to 3922.99 s, and in doubles to 3922.9900000000002. */
const LAPS = [1000, 1350.51, 1572.48];
const TCX = `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running">
<Id>2020-09-16T12:00:00Z</Id>${LAPS.map(
  (seconds, index) => `<Lap StartTime="2020-09-16T12:${20 * index}:00Z"><TotalTimeSeconds>${seconds}</TotalTimeSeconds>
<DistanceMeters>4000.1</DistanceMeters></Lap>`,
).join("")}</Activity></Activities></TrainingCenterDatabase>`;

const GPX = `<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><type>running</type><trkseg>
${[0, 1, 2, 3].map((index) => `<trkpt lat="47.${index + 1}123" lon="9.1"><time>2020-09-17T1${index}:00:00Z</time></trkpt>`).join("")}
</trkseg></trk></gpx>`;

let rehearsal: Rehearsal;
let source: string;
beforeAll(async () => {
  rehearsal = await rehearse();
  source = join(rehearsal.folder, "files");
  mkdirSync(source);
  writeFileSync(join(source, "laps.tcx"), TCX);
});
afterAll(() => rehearsal.close());

async function workoutOn(day: string): Promise<Record<string, unknown>> {
  const found = (await rehearsal.listed("/rest/logs/me/workouts")).find(({ date }) => date === day);
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${found?.id}`);
  return workout as Record<string, unknown>;
}

test("a sum of laps reaches the log to the millisecond", async () => {
  expect(await rehearsal.run(["import", source])).toMatchObject({ code: 0 });
  expect(await workoutOn("2020-09-16")).toMatchObject({
    details: { duration: 3922.99, distance: { unit: "km", value: 12 } },
    intervalSet: { intervals: LAPS.map((duration) => ({ duration })) },
  });
});

test("the service keeps what it computes of a file to the centimetre and the millisecond", async () => {
  for (const [type, body] of [
    ["gpx", GPX],
    ["tcx", TCX.replaceAll("2020-09-16", "2020-09-18")],
  ] as const) {
    const url = `${rehearsal.service.url}/rest/logs/me/workouts/${type}?access_token=${rehearsal.token}`;
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  }
  // 0.3 degrees of latitude are 33.36 km.
  const { details } = await workoutOn("2020-09-17");
  const { distance } = details as { distance: { unit: string; value: number } };
  expect(distance.unit).toBe("m");
  expect(distance.value).toBeGreaterThan(33_000);
  expect(String(distance.value)).toMatch(/^\d+(\.\d{1,2})?$/);
  expect(await workoutOn("2020-09-18")).toMatchObject({
    details: { duration: 3922.99, distance: { unit: "m", value: 12_000.3 } },
  });
});

test("a difference is told with at most three decimals, and a record that is gone is told as gone", async () => {
  const { id, ...workout } = await workoutOn("2020-09-16");
  const url = `${rehearsal.service.url}/rest/logs/me/workouts/${id}?access_token=${rehearsal.token}`;
  const { activityID, date } = workout;
  const details = { distance: { unit: "m", value: 6643.906043953732 }, duration: 60.123456789 };
  const edited = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ activityID, date, details }),
  });
  expect(edited.status).toBe(200);
  const differs = await rehearsal.run(["verify", "--report", join(rehearsal.folder, "differs.html")]);
  expect(differs.code).toBe(7);
  expect(differs.err).toContain(
    "details.distance is 6643.906 m, planned 12 km; details.duration is 60.123, planned 3922.99",
  );
  expect(differs.err).toContain("time is nothing, planned");
  expect(differs.err).not.toMatch(/undefined|\.\d{4}/);
  const explained = await rehearsal.run(["explain", "laps.tcx", "--check"]);
  expect(explained.out).toMatch(/details\.distance is 6643\.906 m, sent was 12 km/);
  expect(explained.out).toContain("duration: 3922.99 s");
  expect(explained.out).not.toMatch(/\.\d{4} ?(m|km|s)\b/);

  deleteWorkout(join(rehearsal.folder, "service.db"), String(id));
  const gone = await rehearsal.run(["verify"]);
  expect(gone.code).toBe(7);
  expect(gone.err).toContain(`(workout ${id}): it is no longer in the log`);
  expect(gone.err).not.toContain("undefined");
});
