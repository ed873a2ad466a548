import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// A row of a sheet has a day and no time of day. Its device file has the time, in UTC, and the place.

let rehearsal: Rehearsal;

beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

/** Twenty minutes in Vienna, two hours ahead of UTC in summer. */
function gpx(start: string): string {
  const points = [0, 5, 10, 15, 20].map((minute) => {
    const time = new Date(Date.parse(start) + minute * 60_000).toISOString();
    return `<trkpt lat="${48.2 + minute * 0.0015}" lon="16.37"><time>${time}</time></trkpt>`;
  });
  return `<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`;
}

test("a row without a time of day has that of its file where the workout was, found by name and by day", async () => {
  const folder = join(rehearsal.folder, "log");
  mkdirSync(join(folder, "tracks"), { recursive: true });
  const files = {
    "morning.gpx": "2009-06-01T04:10:00Z",
    "night.gpx": "2009-06-01T22:30:00Z",
    "2009-06-04.gpx": "2009-06-04T05:00:00Z",
  };
  for (const [name, start] of Object.entries(files)) writeFileSync(join(folder, "tracks", name), gpx(start));
  const rows = ["2009-06-01,3.3,0:20:00,morning.gpx", "2009-06-02,3.3,0:20:00,night.gpx", "2009-06-04,3.3,0:20:00,"];
  writeFileSync(join(folder, "log.csv"), ["Date,km,Time,File", ...rows].join("\n"));
  writeFileSync(
    join(folder, "log.csv.map.yaml"),
    `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  km: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
  File: { field: file }
files: { folder: tracks/, by: [name, day] }
defaults: { activity: run }
`,
  );
  const { code, out, err } = await rehearsal.run(["import", folder], { journal: join(rehearsal.folder, "j.db") });
  expect(code, out + err).toBe(0);
  const times = (await rehearsal.listed("/rest/logs/me/workouts")).map(({ date, time }) => `${date} ${time}`);
  expect(times.toSorted()).toEqual(["2009-06-01 06:10:00", "2009-06-02 00:30:00", "2009-06-04 07:00:00"]);
});
