/** Some platforms keep the lines of courses in records of their own. logferry makes maps of them, by the real command line. */
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

const ARCHIVE = join(import.meta.dirname, "..", "fixtures", "runningahead", "course-maps", "archive");

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("kilometres");
});
afterAll(() => rehearsal.close());

test("a course in a record of the platform's own arrives with its length, its surfaces and its map", async () => {
  expect(await rehearsal.run(["import", ARCHIVE])).toMatchObject({ code: 0 });
  const courses = await rehearsal.listed("/rest/logs/me/courses");
  const loop = courses.find(({ name }) => name === "River loop");
  const map = await rehearsal.service.store.courseMap(rehearsal.userId, String(loop?.id));
  const text = map === undefined ? "" : gunzipSync(map.packed).toString();
  const places = [...text.matchAll(/lat="([\d.]+)" lon="([\d.]+)"/g)].map(([, lat, lon]) => [Number(lat), Number(lon)]);
  expect(places).toEqual([
    [48.2, 16.37],
    [48.21, 16.38],
    [48.2, 16.37],
  ]);
  expect(text).toContain("River loop");
  // 6.2 miles
  expect(loop).toMatchObject({ distance: { unit: "km", value: 9.978 } });
  expect(JSON.stringify(loop)).toContain("dirtRoad");
});
