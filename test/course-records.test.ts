/** A platform may keep a course in a record of its own. The log gets its line as GPX, by the real command line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("kilometres");
});
afterAll(() => rehearsal.close());

/** Points along the equator from a longitude, a tenth of a degree apart: 11.12 km. */
const points = (from: number, count: number, name = "longitude") =>
  Array.from({ length: count }, (_, i) => ({ latitude: 0, [name]: from + i / 10, elevation: 100 + i }));

const ACTIVITY = {
  activityId: 1,
  activityType: "running",
  startTimeGmt: Date.UTC(2024, 4, 4, 6),
  startTimeLocal: Date.UTC(2024, 4, 4, 8),
  distance: 1_000_000,
  duration: 3_600_000,
};

test("courses of a Garmin export come with their lines, each once, and an import again sends nothing", async () => {
  const folder = join(rehearsal.folder, "DI_CONNECT");
  mkdirSync(folder);
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  write("jo_0_summarizedActivities.json", [{ summarizedActivitiesExport: [ACTIVITY] }]);
  const two = [
    { courseId: 7, courseName: "Lake", description: "flat", distanceMeter: 22_300, geoPoints: points(10, 3) },
    // Centimetres, as this export has elsewhere: the line says better how long it is.
    {
      courseId: 8,
      courseName: "Hill",
      distanceMeter: 1_111_950,
      points: points(20, 2, "lng"),
      coursePoints: points(1, 1),
    },
  ];
  write("jo_courses_1.json", two);
  write("jo_courses_2.json", { courseList: two.slice(0, 1) });
  expect(await rehearsal.run(["import", folder])).toMatchObject({ code: 0 });
  const seen: unknown[] = [];
  for (const { id, name, distance } of await rehearsal.listed("/rest/logs/me/courses")) {
    const map = await rehearsal.service.store.courseMap(rehearsal.userId, String(id));
    const text = map === undefined ? "" : gunzipSync(map.packed).toString();
    const { value, unit } = distance as { value: number; unit: string };
    seen.push([
      name,
      Math.round(value * (unit === "km" ? 1000 : 1)),
      [...text.matchAll(/lon="([\d.]+)"/g)].map(([, lon]) => lon),
    ]);
  }
  expect(seen.toSorted()).toEqual([
    ["Hill", 11_120, ["20", "20.1"]],
    ["Lake", 22_300, ["10", "10.1", "10.2"]],
  ]);
  const again = await rehearsal.run(["import", folder]);
  expect(again.code).toBe(0);
  expect(await rehearsal.listed("/rest/logs/me/courses")).toHaveLength(2);
});
