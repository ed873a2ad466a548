import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { DEVICE_FILE_BYTES, decodeDeviceFile, sniff } from "./device-file.ts";

const GPX = '<gpx><trk><trkseg><trkpt lat="48" lon="16"><time>2012-11-05T11:52:21Z</time></trkpt></trkseg></trk></gpx>';
const TCX =
  "<TrainingCenterDatabase><Activities><Activity><Lap StartTime='2012-11-05T11:52:21Z'/></Activity></Activities></TrainingCenterDatabase>";
const INSTANT = 1352116341000;
const bytes = (text: string) => Buffer.from(text);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

describe("a file is told by what is in it", () => {
  test.each([
    ["fit", Buffer.from([14, 16, 0, 0, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54, 0, 0])],
    ["gpx", bytes(GPX)],
    ["gpx", utf16(GPX)],
    ["gpx", bytes(`\n  <?xml version="1.0"?><!-- <kml> --><!DOCTYPE gpx [<!ENTITY a "<kml>">]><g:gpx>`)],
    ["tcx", bytes(`\ufeff${TCX}`)],
    ["kml", bytes("<kml xmlns='x'>")],
    ["gzip", gzipSync("x")],
    ["zip", Buffer.from("PK\x03\x04....")],
    [undefined, bytes("")],
    [undefined, bytes("<gpxx/>")],
    [undefined, bytes("<html><gpx/></html>")],
    [undefined, bytes("gpx")],
    [undefined, bytes("<gpx")],
    [undefined, Buffer.alloc(100)],
  ])("%s", (format, whole) => expect(sniff(whole)).toBe(format));

  test.each([
    ["an empty file", bytes("")],
    ["11 bytes", Buffer.from([14, 16, 0, 0, 0, 0, 0, 0, 0x2e, 0x46, 0x49])],
    ["nothing but zeros", Buffer.alloc(11_033)],
    ["an HTML page", bytes("<!DOCTYPE html><html><body>502 Bad Gateway</body></html>")],
    ["an HTML page", bytes("<!doctype html><title>x</title><p>no html element")],
    ["XML whose first element is <pwx>", bytes("<?xml version='1.0'?><pwx></pwx>")],
    ["XML whose first element is <kml>", bytes("<?xml version='1.0'?><kml></kml>")],
    ["a zip archive", Buffer.from("PK\x03\x04............")],
    ["JSON", bytes('{"activities": []}')],
    ["text", bytes("Date,Distance,Time")],
    ["a PDF document", bytes("%PDF-1.7 ...........")],
    ["data of another kind", Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])],
  ])("%s is rejected by name", (found, whole) => {
    expect(decodeDeviceFile(whole, "scan")).toEqual({
      format: undefined,
      device: {},
      recordings: [],
      routes: [],
      issues: [{ severity: "error", rule: "device-file/unknown-format", found, expected: "FIT, GPX or TCX" }],
    });
  });
});

describe("gzip is taken off", () => {
  test("once, silently", () => {
    expect(decodeDeviceFile(gzipSync(GPX), "scan")).toMatchObject({
      format: "gpx",
      recordings: [{ start: INSTANT }],
      issues: [],
    });
  });

  test("twice, saying so", () => {
    expect(decodeDeviceFile(gzipSync(gzipSync(GPX)), "scan")).toMatchObject({
      format: "gpx",
      recordings: [{ start: INSTANT }],
      issues: [{ severity: "info", rule: "gzip/twice" }],
    });
  });

  test("three times is nobody's habit", () => {
    expect(decodeDeviceFile(gzipSync(gzipSync(gzipSync(GPX))), "scan")).toMatchObject({
      recordings: [],
      issues: [{ severity: "error" }],
    });
  });

  test("when cut, keeping what it still gives", () => {
    const many = GPX.replace(
      /<trkpt.*<\/trkpt>/,
      Array.from(
        { length: 3000 },
        (_, n) =>
          `<trkpt lat="${(n * 7919) % 90}" lon="${(n * 104729) % 180}"><time>${new Date(1352116341000 + n * 1000).toISOString()}</time></trkpt>`,
      ).join(""),
    );
    const packed = gzipSync(many);
    const file = decodeDeviceFile(packed.subarray(0, packed.length / 2), "scan");
    expect(file.recordings[0]?.pointCount).toBeGreaterThan(500);
    expect(file.issues.map((issue) => issue.rule)).toEqual(["gzip/cut-short", "xml/truncated"]);
  });

  longTest("but not of a bomb", () => {
    const zeros = decodeDeviceFile(gzipSync(Buffer.alloc(2 * DEVICE_FILE_BYTES), { level: 1 }), "scan");
    expect(zeros).toMatchObject({ recordings: [], issues: [{ severity: "error", rule: "archive/too-large" }] });
  });

  longTest("no further than to the limit", () => {
    // Its last two of 68 MiB are packed in a damaged way. Whoever unpacks them says so.
    const content = Buffer.alloc(DEVICE_FILE_BYTES + 4 * 2 ** 20);
    for (let at = 0; at + 4 < content.length; at += 512) content.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at);
    const bomb = gzipSync(content, { level: 1 });
    bomb.fill(0xff, Math.ceil((bomb.length * 66) / 68));
    const rules = (maxBytes: number) => decodeDeviceFile(bomb, "scan", maxBytes).issues.map(({ rule }) => rule);
    expect(rules(DEVICE_FILE_BYTES)).toEqual(["archive/too-large"]);
    expect(rules(2 * DEVICE_FILE_BYTES)).toEqual(["gzip/damaged"]);
  });
});
