/** A KMZ holds several documents. The planned line is the line that the log gets, by the real command line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { zipBytes } from "./support/zip-bytes.ts";

/** A line along the equator from a longitude, a tenth of a degree long for each part: 11.12 km. */
const kml = (name: string, from: number, parts: number): Buffer =>
  Buffer.from(
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>${name}</name><LineString><coordinates>${Array.from(
      { length: parts + 1 },
      (_, i) => `${from + i / 10},0,0`,
    ).join(" ")}</coordinates></LineString></Placemark></kml>`,
  );

const zip = (files: Readonly<Record<string, Buffer>>) =>
  zipBytes(Object.entries(files).map(([name, content]) => ({ name, content })));

/** Each holds two documents. The right one begins at 10 degrees east. */
const FILES = {
  "a.kmz": zip({ "a.kml": kml("Wrong", 20, 1), "doc.kml": kml("By its name", 10, 2) }),
  "b.kmz": zip({ "Doc.KML": kml("In capitals", 10, 3), "Another.kml": kml("Wrong", 20, 1) }),
  "c.kmz": zip({ "files/a.kml": kml("Wrong", 20, 1), "route.kml": kml("At the top", 10, 4) }),
  "d.kmz": zip({ "files/a.kml": kml("In a folder", 10, 5) }),
};

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("kilometres");
});
afterAll(() => rehearsal.close());

test("the same document of a KMZ is planned and loaded: doc.kml, else the first at the top, else the first", async () => {
  const folder = join(rehearsal.folder, "files");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  expect(await rehearsal.run(["import", folder])).toMatchObject({ code: 0 });
  const courses = new Map<unknown, { metres: number; begins: string | undefined }>();
  for (const { id, name, distance } of await rehearsal.listed("/rest/logs/me/courses")) {
    const map = await rehearsal.service.store.courseMap(rehearsal.userId, String(id));
    const text = map === undefined ? "" : gunzipSync(map.packed).toString();
    const { value, unit } = distance as { value: number; unit: string };
    courses.set(name, { metres: value * (unit === "km" ? 1000 : 1), begins: /lon="([\d.]+)"/.exec(text)?.[1] });
  }
  // A tenth of a degree of the equator is 11,119.5 m on a sphere of 6,371.0088 km. The log keeps metres.
  const expected = [
    ["By its name", 22_239],
    ["In capitals", 33_359],
    ["At the top", 44_478],
    ["In a folder", 55_598],
  ] as const;
  expect([...courses.keys()].toSorted()).toEqual(expected.map(([name]) => name).toSorted());
  for (const [name, metres] of expected)
    expect(courses.get(name), name).toEqual({ metres: expect.closeTo(metres, -1), begins: "10" });
});
