import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { inputs } from "../../../test/support/tiers.ts";
import { decodeKml, KML_BYTES } from "./decode.ts";

const kml = (inside: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>${inside}</Document></kml>`;
const placemark = (inside: string, words = "<name>Loop</name>") => `<Placemark>${words}${inside}</Placemark>`;
const line = (coordinates: string) => `<LineString><coordinates>${coordinates}</coordinates></LineString>`;

describe("KML", () => {
  test("a line is a route", () => {
    const file = decodeKml(
      kml(
        placemark(
          line("16,48,100 16.01,48"),
          "<name>Loop</name><description><![CDATA[<p>flat &amp; wide</p>]]></description>",
        ),
      ),
      "decode",
    );
    expect(file).toMatchObject({ format: "kml", recordings: [], issues: [] });
    expect(file.routes).toEqual([
      {
        name: "Loop",
        notes: "flat &amp; wide",
        distance: { unit: "m", value: expect.closeTo(744.03, 1) },
        pointCount: 2,
        points: [{ position: { lat: 48, lon: 16 }, elevation: 100 }, { position: { lat: 48, lon: 16.01 } }],
      },
    ]);
  });

  test("a prefix that nobody declared is no problem", () => {
    const track = "<gx:Track><when>2012-11-05T11:52:21Z</when><gx:coord>16 48 0</gx:coord></gx:Track>";
    const file = decodeKml(
      `<kml xsi:schemaLocation="x">${placemark(track)}${placemark(line("0,0 1,1"))}</kml>`,
      "scan",
    );
    expect(file).toMatchObject({ routes: [{ pointCount: 2 }], issues: [] });
  });

  test("several lines of a placemark are one route with breaks", () => {
    const [route] = decodeKml(
      kml(placemark(`<MultiGeometry>${line("0,0 0,1")}${line("5,5 5,6")}</MultiGeometry>`)),
      "decode",
    ).routes;
    expect(route?.points?.map((point) => point.breakBefore)).toEqual([undefined, undefined, true, undefined]);
  });

  test("a track with times is a recording, its times with their own points", () => {
    const track = `<gx:Track><when>2012-11-05T12:52:21+01:00</when><gx:coord/><when>2012-11-05T12:53:21+01:00</when><gx:coord>16 48 0</gx:coord></gx:Track>`;
    const file = decodeKml(kml(placemark(track)), "decode");
    expect(file.issues).toEqual([]);
    expect(file.recordings).toMatchObject([{ start: 1352116341000, offsetMinutes: 60, elapsed: 60, positionCount: 1 }]);
    expect(file.recordings[0]?.points).toEqual([
      { instant: 1352116341000 },
      { instant: 1352116401000, position: { lat: 48, lon: 16 }, elevation: 0 },
    ]);
  });

  const sensors = (times: readonly string[], beats: readonly string[]) =>
    `<Track>${times.map((time, at) => `<when>2022-06-01T${time}Z</when>${at === 0 ? "<coord/>" : `<coord>16 48.00${at} 0</coord>`}`).join("")}<ExtendedData><SchemaData><SimpleArrayData name="heartrate">${beats.map((beat) => (beat === "" ? "<value />" : `<value>${beat}</value>`)).join("")}</SimpleArrayData></SchemaData></ExtendedData></Track>`;
  const openTracks = (inside: string) =>
    kml(
      `<atom:generator><![CDATA[OpenTracks]]></atom:generator>${placemark(`<ExtendedData><Data name="activityType"><value>biking</value></Data></ExtendedData><ExtendedData><Data name="type"><value>Radfahren</value></Data></ExtendedData><MultiTrack>${inside}</MultiTrack>`)}`,
    );

  test("OpenTracks says the sport and the heart rate of each point, and begins another track after a pause", () => {
    const tracks = [
      sensors(["06:00:00", "06:10:00", "06:20:00"], ["", "120", "130"]),
      sensors(["07:00:00", "07:05:00"], ["", "140"]),
    ];
    const file = decodeKml(openTracks(tracks.join("")), "decode");
    expect(file.issues).toEqual([]);
    expect(file.recordings).toMatchObject([{ sport: "biking", elapsed: 3900, timer: 1500, avgHR: 130, maxHR: 140 }]);
    expect(file.recordings[0]?.points?.map(({ heartRate }) => heartRate)).toEqual([
      undefined,
      120,
      130,
      undefined,
      140,
    ]);
  });

  test("heart rates of another number than the points are left out and named, not shifted", () => {
    const file = decodeKml(openTracks(sensors(["06:00:00", "06:10:00", "06:20:00"], ["120", "130"])), "scan");
    expect(file.issues).toMatchObject([{ rule: "kml/values-unmatched", field: "heartrate" }]);
    expect(file.recordings[0]).not.toHaveProperty("avgHR");
  });

  test("times that don't match the coordinates are left out, not shifted", () => {
    const track =
      "<gx:Track><when>2012-11-05T12:52:21Z</when><gx:coord>16 48 0</gx:coord><gx:coord>16 49 0</gx:coord></gx:Track>";
    expect(decodeKml(kml(placemark(track)), "scan")).toMatchObject({
      recordings: [],
      routes: [{ pointCount: 2 }],
      issues: [{ rule: "kml/times-unmatched" }],
    });
  });

  test.each(["no,44.1,0", "16,no", "16,91", "181,48", "16", "16,48,high"])(
    "a coordinate %s is left out, and its parts don't move up",
    (bad) => {
      const file = decodeKml(kml(placemark(line(`16,48 ${bad} 16,49`))), "decode");
      expect(file.routes[0]?.points?.map((point) => point.position)).toEqual([
        { lat: 48, lon: 16 },
        { lat: 49, lon: 16 },
      ]);
      expect(file.issues).toMatchObject([{ rule: "kml/bad-position", found: bad }]);
    },
  );

  test("points and areas only hold no activity, and that is no fault", () => {
    expect(decodeKml(kml(placemark("<Point><coordinates>1,2</coordinates></Point>")), "scan").issues).toMatchObject([
      { severity: "info", rule: "kml/no-activity" },
    ]);
  });

  test.each([
    ["a document type", `<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]>${kml("&x;")}`, "xml/doctype"],
    ["a deep one", kml("<Folder>".repeat(80) + "</Folder>".repeat(80)), "xml/depth"],
    ["a cut one", kml(placemark(line("0,0 1,1"))).slice(0, -30), "xml/truncated"],
    ["another document", "<gpx/>", "kml/not-kml"],
    ["no XML", "words", "xml/no-element"],
  ])("%s is refused", (_, source, rule) => {
    const file = decodeKml(source, "scan");
    expect(file).toMatchObject({ recordings: [], routes: [] });
    expect(file.issues).toContainEqual(expect.objectContaining({ severity: "error", rule }));
  });

  test("one byte more than the cap is refused", () => {
    const padded = (size: number) => {
      const comments = `<!--${"x".repeat(993)}-->`.repeat(Math.floor(size / 1000) - 1);
      return (kml("") + comments).padEnd(size, " ");
    };
    expect(decodeKml(padded(KML_BYTES), "scan").issues).toMatchObject([{ rule: "kml/no-activity" }]);
    expect(decodeKml(padded(KML_BYTES + 1), "scan").issues).toMatchObject([{ rule: "kml/too-large" }]);
  });

  test.each<[string, (count: number) => string, number]>([
    ["blanks between coordinates", (count) => kml(placemark(line(`0,0${" ".repeat(count)}1,1`))), 250_000],
    [
      "angle brackets in a description",
      (count) => kml(placemark(line("0,0 1,1"), `<description><![CDATA[${"<".repeat(count)}]]></description>`)),
      250_000,
    ],
    [
      "blanks in a time",
      (count) => kml(placemark(`<gx:Track><when>${" ".repeat(count)}x</when><gx:coord>1 1</gx:coord></gx:Track>`)),
      250_000,
    ],
    [
      "points of a track",
      (count) => {
        const points = "<when>2012-11-05T11:52:21Z</when><gx:coord>16 48 0</gx:coord>".repeat(count);
        return kml(placemark(`<gx:Track>${points}</gx:Track>`));
      },
      inputs({ first: 400, long: 1_500 }),
    ],
    // A larger tree would measure the garbage collector, and not the reader.
    ["elements", (count) => kml("<a/>".repeat(count)), inputs({ first: 2_500, long: 10_000 })],
  ])("twice as many %s cost about twice as much", async (_, source, half) => {
    expect(await growth(source, (text) => decodeKml(text, "scan"), half)).toBeLessThanOrEqual(LINEAR);
  });
});
