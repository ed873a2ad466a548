import { gpx as toGeo } from "@tmcw/togeojson";
import { DOMParser } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import type { Point } from "../recording.ts";
import { decodeGpx } from "./decode.ts";
import { writeGpx } from "./write.ts";

const POINTS: readonly Point[] = [
  { position: { lat: 48.2, lon: 16.37 }, elevation: 0, instant: 1352116341500 },
  { position: { lat: -0.0000001, lon: 1e-9 }, elevation: -12.5 },
  { instant: 1352116342000 },
  { position: { lat: 48.21, lon: 16.38 }, breakBefore: true },
  { position: { lat: 48.22, lon: 16.39 } },
];

describe("GPX we write", () => {
  test("is read back equal", () => {
    const file = decodeGpx(writeGpx({ name: "Loop", notes: "flat" }, POINTS), "decode");
    expect(file.issues).toEqual([]);
    expect(file.recordings).toMatchObject([{ name: "Loop", notes: "flat" }]);
    expect(file.recordings[0]?.points).toEqual(POINTS.filter((point) => point.position !== undefined));
  });

  test("is read alike by togeojson, which is not ours", () => {
    const document = new DOMParser().parseFromString(writeGpx({ name: "Loop" }, POINTS), "text/xml");
    const [feature] = toGeo(document).features;
    expect(feature?.properties?.name).toBe("Loop");
    expect(feature?.geometry).toEqual({
      type: "MultiLineString",
      coordinates: [
        [
          [16.37, 48.2, 0],
          [1e-9, -1e-7, -12.5],
        ],
        [
          [16.38, 48.21],
          [16.39, 48.22],
        ],
      ],
    });
  });

  test.each([
    ["markup", 'a <b> & ]]> "c" --', 'a <b> & ]]> "c" --'],
    ["control characters", "a\u0000\u001b[2Jb", "a[2Jb"],
    ["half a surrogate pair", "a\ud83d", "a\ufffd"],
    ["a whole pair", "a🏃", "a🏃"],
    ["a carriage return", "a\rb", "a\rb"],
  ])("E2 holds a name with %s", (_, name, read) => {
    const file = decodeGpx(writeGpx({ name }, POINTS), "scan");
    expect(file.issues).toEqual([]);
    expect(file.recordings[0]?.name).toBe(read);
  });

  test("never has an exponent in a number", () => {
    expect(writeGpx({}, POINTS)).not.toMatch(/(?:lat|lon)="[^"]*e|<ele>[^<]*e[^<]*</);
  });

  test("without points is a document still", () => {
    expect(decodeGpx(writeGpx({}, []), "scan").issues.map((issue) => issue.severity)).toEqual(["info", "info", "info"]);
  });
});
