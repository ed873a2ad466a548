import { describe, expect, test } from "vitest";
import { TRACK_CAPS } from "../xml/track.ts";
import { decodeGpx } from "./decode.ts";

const gpx = (inside: string, attributes = 'version="1.1" creator="Watch"') => `<gpx ${attributes}>${inside}</gpx>`;
const trk = (points: string, words = "") => gpx(`<trk>${words}<trkseg>${points}</trkseg></trk>`);
const at = (lat: string, lon: string, inside = "") => `<trkpt lat="${lat}" lon="${lon}">${inside}</trkpt>`;
const time = (text: string) => `<time>${text}</time>`;
const T = "2012-11-05T11:52:21Z";
const INSTANT = 1352116341000;
const rules = (file: { issues: readonly { rule: string }[] }) => file.issues.map((issue) => issue.rule);

describe("a track of GPX", () => {
  test("with a time is a recording, with everything it says", () => {
    const file = decodeGpx(
      trk(
        at("48", "16", `<ele>0</ele>${time(T)}`) + at("48", "16.01", `<ele>12.5</ele>${time("2012-11-05T11:53:21Z")}`),
        "<name>Morning</name><desc>wet</desc><cmt>cold</cmt><type>running</type>",
      ),
      "decode",
    );
    expect(file.issues).toEqual([]);
    expect(file.device).toEqual({ product: "Watch" });
    const [recording] = file.recordings;
    expect(recording).toMatchObject({
      sport: "running",
      start: INSTANT,
      elapsed: 60,
      name: "Morning",
      notes: "wet\ncold",
      firstPosition: { lat: 48, lon: 16 },
      pointCount: 2,
      positionCount: 2,
      laps: [],
    });
    // A hundredth of a degree of longitude at 48 degrees: 6371008.8 * cos(48°) * 0.01° in radians.
    expect(recording?.distance).toEqual({ unit: "m", value: expect.closeTo(744.03, 1) });
    expect(recording?.points).toEqual([
      { position: { lat: 48, lon: 16 }, elevation: 0, instant: INSTANT },
      { position: { lat: 48, lon: 16.01 }, elevation: 12.5, instant: INSTANT + 60_000 },
    ]);
    expect(recording && "timer" in recording).toBe(false);
  });

  test("says the same at depth scan, and keeps no points", () => {
    const source = trk(at("48", "16", time(T)) + at("48", "16.01", time("2012-11-05T11:53:21Z")));
    const { points: _, ...rest } = decodeGpx(source, "decode").recordings[0] ?? { points: [] };
    expect(decodeGpx(source, "scan").recordings).toEqual([rest]);
  });

  test("without any time is a route", () => {
    const file = decodeGpx(trk(at("48", "16") + at("48", "16.01"), "<name>Loop</name>"), "decode");
    expect(file.recordings).toEqual([]);
    expect(file.routes).toMatchObject([{ name: "Loop", pointCount: 2 }]);
    expect(file.routes[0]?.points).toHaveLength(2);
    expect(file.issues).toEqual([]);
  });

  test.each([
    ["the moment of its export at every point", [T, T, T]],
    ["midnight at every point", ["2012-11-05T00:00:00Z", "2012-11-05T00:00:00Z", "2012-11-06T00:00:00Z"]],
    ["the first minutes of 1970", ["1970-01-01T00:00:00Z", "1970-01-01T00:05:00Z", "1970-01-01T00:10:00Z"]],
  ])("with %s for a time is a route, and a remark says why", (_, times) => {
    const file = decodeGpx(trk(times.map((each, index) => at("48", `16.0${index}`, time(each))).join("")), "scan");
    expect(file.recordings).toEqual([]);
    expect(file.routes).toMatchObject([{ pointCount: 3 }]);
    expect(file.issues).toMatchObject([{ severity: "warning", rule: "gpx/placeholder-times" }]);
  });

  test("of somebody who stood still is a recording, whatever its times", () => {
    expect(decodeGpx(trk(at("48", "16", time(T)).repeat(3)), "scan").recordings).toHaveLength(1);
  });

  test("in two segments has a break, and no distance across it", () => {
    const file = decodeGpx(
      gpx(
        `<trk><trkseg>${at("0", "0", time(T))}</trkseg><trkseg></trkseg><trkseg>${at("1", "1", time(T))}${at("1", "1", time(T))}</trkseg></trk>`,
      ),
      "decode",
    );
    expect(file.recordings[0]?.points?.map((point) => point.breakBefore)).toEqual([undefined, true, undefined]);
    expect(file.recordings[0]?.distance).toEqual({ unit: "m", value: 0 });
    expect(file.issues).toMatchObject([{ severity: "info", rule: "gpx/empty-segment" }]);
  });

  test.each([
    ["1800", 1800],
    // Longer than the recording: nobody knows which of the two is wrong.
    ["9000", undefined],
  ])("whose timer ran %s seconds by Garmin's statistics, has that timer if it can be true", (text, timer) => {
    const stats = `<extensions><s:TrackStatsExtension xmlns:s="http://www.garmin.com/xmlschemas/TrackStatsExtension/v1"><s:TimerTime>${text}</s:TimerTime></s:TrackStatsExtension></extensions>`;
    const point = (time: string) => `<trkpt lat="48" lon="16"><time>2022-06-01T${time}Z</time></trkpt>`;
    const segments = `<trkseg>${point("06:00:00")}${point("06:20:00")}</trkseg><trkseg>${point("07:00:00")}${point("07:10:00")}</trkseg>`;
    const { recordings } = decodeGpx(`<gpx version="1.1"><trk>${stats}${segments}</trk></gpx>`, "scan");
    expect(recordings).toMatchObject([{ elapsed: 4200 }]);
    expect(recordings[0]?.timer).toBe(timer);
  });

  test("and another are two recordings", () => {
    const one = `<trk><trkseg>${at("0", "0", time(T))}</trkseg></trk>`;
    expect(decodeGpx(gpx(one + one), "scan").recordings).toHaveLength(2);
  });

  test("says a note once, however often the file does", () => {
    const words = "<name>Loop</name><desc>Loop</desc><cmt>Loop</cmt>";
    const [recording] = decodeGpx(trk(at("0", "0", time(T)), words), "scan").recordings;
    expect(recording?.name).toBe("Loop");
    expect(recording?.notes).toBe(undefined);
  });

  test("keeps the clock's distance from UTC where its times have one", () => {
    const [recording] = decodeGpx(trk(at("0", "0", time("2012-11-05T12:52:21+01:00"))), "scan").recordings;
    expect(recording).toMatchObject({ start: INSTANT, offsetMinutes: 60 });
  });
});

describe("a route or waypoints of GPX", () => {
  test("a route is a route, even with times", () => {
    const file = decodeGpx(
      gpx(`<rte><name>Plan</name><rtept lat="0" lon="0">${time(T)}</rtept><rtept lat="0" lon="1"/></rte>`),
      "scan",
    );
    expect(file.recordings).toEqual([]);
    expect(file.routes).toMatchObject([
      { name: "Plan", pointCount: 2, distance: { unit: "m", value: expect.closeTo(111195, 0) } },
    ]);
  });

  test.each([
    ['<wpt lat="0" lon="0"><name>Home</name></wpt>', "1 waypoints"],
    ["<metadata/>", "nothing"],
    ["", "nothing"],
  ])("%j holds no activity, and that is no fault", (inside, found) => {
    expect(decodeGpx(gpx(inside), "scan")).toMatchObject({
      recordings: [],
      routes: [],
      issues: [{ severity: "info", rule: "gpx/no-activity", found }],
    });
  });
});

describe("what a point carries", () => {
  const reading = (inside: string) => {
    const file = decodeGpx(trk(at("0", "0", time(T) + inside)), "decode");
    const { position: _, instant: __, ...rest } = file.recordings[0]?.points?.[0] ?? {};
    return { ...rest, rules: rules(file) };
  };

  test.each([
    [
      "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>120</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>",
      { heartRate: 120 },
    ],
    [
      "<extensions><ns3:TrackPointExtension><ns3:hr>120</ns3:hr><ns3:cad>0</ns3:cad></ns3:TrackPointExtension></extensions>",
      { heartRate: 120, cadence: 0 },
    ],
    [
      "<extensions><gpxdata:hr>120</gpxdata:hr><gpxdata:cadence>80</gpxdata:cadence></extensions>",
      { heartRate: 120, cadence: 80 },
    ],
    ["<extensions><heartrate>120</heartrate></extensions>", { heartRate: 120 }],
    ["<extensions><power>0</power></extensions>", { power: 0 }],
    ["<extensions><pwr:PowerInWatts>250</pwr:PowerInWatts></extensions>", { power: 250 }],
    ["<extensions><gpxtpx:atemp>-5.5</gpxtpx:atemp></extensions>", { temperature: { unit: "C", value: -5.5 } }],
    ["<extensions><gpxx:Temperature>0</gpxx:Temperature></extensions>", { temperature: { unit: "C", value: 0 } }],
    ["<speed>2.5</speed><extensions><x:speed>9</x:speed></extensions>", { speed: 2.5 }],
    ["<extensions><gpxdata:distance>1000</gpxdata:distance></extensions>", { distance: { unit: "m", value: 1000 } }],
    ["<extensions><mytrails:ele>99</mytrails:ele></extensions>", {}],
    ["<ele></ele>", {}],
  ])("%s", (inside, values) => expect(reading(inside)).toEqual({ ...values, rules: [] }));

  test("what is no number is left out and named", () => {
    expect(reading("<ele>12,5</ele>")).toEqual({ rules: ["gpx/bad-value"] });
    expect(reading("<extensions><hr>null</hr></extensions>")).toEqual({ rules: ["gpx/bad-value"] });
    expect(reading("<ele>1e999</ele>")).toEqual({ rules: ["gpx/bad-value"] });
  });

  test("heart rates are averaged over the points that have one that can be true", () => {
    const points = ["100", "140", "0", "255", ""].map((hr) =>
      at("0", "0", `${time(T)}<extensions><hr>${hr}</hr></extensions>`),
    );
    expect(decodeGpx(trk(points.join("")), "scan").recordings[0]).toMatchObject({ avgHR: 120, maxHR: 140 });
  });
});

describe("bad input", () => {
  test.each([
    ["a decimal comma", "47,123", "16", "lat"],
    ["nothing", "", "16", "lat"],
    ["not a number", "NaN", "16", "lat"],
    ["off the globe", "91", "16", "lat"],
    ["off the globe eastward", "47", "180.1", "lon"],
    ["beyond numbers", "1e999", "16", "lat"],
    ["a number and more", "47", "16E", "lon"],
  ])("a position that is %s is no position: the point is left out and counted", (_, lat, lon, field) => {
    const file = decodeGpx(trk(at("0", "0", time(T)) + at(lat, lon, time(T)) + at(lat, lon, time(T))), "decode");
    expect(file.recordings[0]?.points).toHaveLength(1);
    expect(file.issues).toMatchObject([{ severity: "warning", rule: "gpx/bad-position", field, count: 2 }]);
  });

  test("a point without coordinates is left out", () => {
    const file = decodeGpx(trk(`<trkpt>${time(T)}</trkpt>${at("0", "0", time(T))}`), "scan");
    expect(file.recordings).toMatchObject([{ pointCount: 1 }]);
  });

  test("a track of which no point can be used is an error, and no recording", () => {
    const file = decodeGpx(trk(at("47,1", "16,1", time(T))), "scan");
    expect(file).toMatchObject({ recordings: [], routes: [] });
    expect(file.issues.some((issue) => issue.severity === "error")).toBe(true);
  });

  test("the corners of the globe are on it", () => {
    const file = decodeGpx(trk(at("90", "180", time(T)) + at("-90", "-180", time("2012-11-06T12:52:21Z"))), "scan");
    expect(file).toMatchObject({ recordings: [{ pointCount: 2 }], issues: [] });
  });

  test("a bad time is left out, its point stays", () => {
    const file = decodeGpx(trk(at("0", "0", time("9999-01-01T00:00:00Z")) + at("0", "0", time(T))), "decode");
    expect(file.recordings).toMatchObject([{ start: INSTANT, pointCount: 2 }]);
    expect(file.issues).toMatchObject([{ rule: "gpx/bad-time", found: "9999-01-01T00:00:00Z" }]);
  });

  test.each([
    ["a minute before the first time that can be read is the start", "2012-11-05T11:51:21Z", -60_000, 60],
    ["a day before it is none", "2012-11-04T11:52:21Z", 0, 0],
    ["after it is none", "2012-11-05T11:53:21Z", 0, 0],
  ])("where the first time is of the year 0, a time of the metadata %s", (_, said, later, elapsed) => {
    const track = `<trk><trkseg>${at("0", "0", time("0000-01-01T00:00:00Z"))}${at("0", "0", time(T))}</trkseg></trk>`;
    const file = decodeGpx(gpx(`<metadata>${time(said)}</metadata>${track}`), "scan");
    expect(file.recordings).toMatchObject([{ start: INSTANT + later, elapsed }]);
    expect(file.issues.some(({ rule }) => rule === "gpx/start-of-metadata")).toBe(later !== 0);
  });

  // A drawing program may write one text for all times. A watch goes on counting, also from a day that it doesn't know.
  const HR = "<extensions><hr>140</hr></extensions>";
  test.each([
    ["times of the year 0 that go on are", ["0000-03-08T06:06:01Z", "0000-03-08T06:06:02Z"], "", 1],
    ["times of the year 9999 with heart rates are", ["9999-03-08T06:06:01Z", "9999-03-08T06:06:01Z"], HR, 1],
    ["days that don't exist, with heart rates, are", ["0000-00-00T00:00:00Z", "0000-00-00T00:00:00Z"], HR, 1],
    ["empty times with heart rates are", ["", ""], HR, 1],
    ["times before all satellites, with heart rates, are", ["1970-01-01T00:00:05Z", "1970-01-01T00:10:05Z"], HR, 1],
    ["one moment in two places, with heart rates, is", ["2012-11-05T11:52:21Z", "2012-11-05T11:52:21Z"], HR, 1],
    ["one moment in two places alone is no", ["2012-11-05T11:52:21Z", "2012-11-05T11:52:21Z"], "", 0],
    ["empty times alone are no", ["", ""], "", 0],
    ["one unreadable text alone is no", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"], "", 0],
  ])("%s recording without a start", (_, times, more, recordings) => {
    const file = decodeGpx(trk(times.map((text, i) => at("0", `0.${i}`, time(text) + more)).join("")), "scan");
    expect([file.recordings.length, file.routes.length]).toEqual([recordings, 1 - recordings]);
    expect(file.recordings[0]?.start).toBeUndefined();
  });

  test("a track in reverse order begins at its earliest time, with that point", () => {
    const times = ["2012-11-05T11:54:21Z", "2012-11-05T11:53:21Z", T];
    const file = decodeGpx(trk(times.map((text, i) => at("48", `16.0${i}`, time(text))).join("")), "scan");
    expect(file.recordings).toMatchObject([{ start: INSTANT, elapsed: 120, firstPosition: { lat: 48, lon: 16.02 } }]);
  });

  test("times without a zone are read as UTC, with one remark for all", () => {
    const file = decodeGpx(trk(at("0", "0", time("2012-11-05T11:52:21")).repeat(3)), "scan");
    expect(file.recordings).toMatchObject([{ start: INSTANT }]);
    expect(file.issues).toMatchObject([{ rule: "gpx/time-without-zone", count: 3 }]);
  });

  test("times going back are counted; the points keep them", () => {
    const file = decodeGpx(
      trk([T, "2012-11-05T11:52:11Z", "2012-11-05T11:52:31Z"].map((text) => at("0", "0", time(text))).join("")),
      "decode",
    );
    expect(file.recordings).toMatchObject([{ start: INSTANT, elapsed: 20 }]);
    expect(file.issues).toMatchObject([{ rule: "gpx/time-backwards", found: "1 of 3 times" }]);
  });

  test("a file cut short keeps the points before the cut", () => {
    const source = trk(at("0", "0", time(T)).repeat(5));
    const file = decodeGpx(source.slice(0, source.length - 60), "scan");
    expect(file.recordings).toMatchObject([{ pointCount: 4 }]);
    expect(file.issues).toMatchObject([
      { severity: "warning", rule: "xml/truncated", found: "the text ends in line 1 inside trkpt" },
    ]);
  });

  test("a first time of another year is left out, and a person is asked for the day", () => {
    const times = ["2019-08-03T03:35:08Z", "2024-08-01T03:36:08Z", "2024-08-01T03:37:08Z"];
    const points = times.map((time, index) => `<trkpt lat="48.${index}" lon="16"><time>${time}</time></trkpt>`);
    const [read] = decodeGpx(trk(points.join("")), "decode").recordings;
    expect(read).toMatchObject({ elapsed: 60, isCorrected: true, doubts: [{ about: ["date"] }] });
    expect(read?.points?.map(({ instant }) => instant)).toEqual([undefined, ...times.slice(1).map(Date.parse)]);
  });

  test("a file cut before its first point is an error", () => {
    expect(decodeGpx("<gpx><trk><name>x", "scan").issues[0]).toMatchObject({
      severity: "error",
      rule: "xml/truncated",
    });
  });

  test("another document is named", () => {
    expect(decodeGpx("<kml/>", "scan")).toMatchObject({
      recordings: [],
      issues: [{ severity: "error", rule: "gpx/not-gpx", found: expect.stringContaining("<kml>") }],
    });
  });

  test("a document type makes a file unusable, even behind a good track", () => {
    const track = trk(at("0", "0", time(T)));
    for (const source of [
      `<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]>${track}`,
      track.replace("</gpx>", "<!DOCTYPE x></gpx>"),
    ]) {
      expect(decodeGpx(source, "scan")).toMatchObject({
        recordings: [],
        issues: [{ severity: "error", rule: "xml/doctype" }],
      });
    }
  });

  test("points beyond the cap are not read, and that is said", () => {
    const source = trk(at("0", "0", time(T)).repeat(5));
    const read = (points: number) => decodeGpx(source, "scan", { ...TRACK_CAPS, points });
    expect(read(6)).toMatchObject({ recordings: [{ pointCount: 5 }], issues: [] });
    expect(read(5)).toMatchObject({ recordings: [{ pointCount: 5 }], issues: [] });
    expect(read(4)).toMatchObject({ recordings: [{ pointCount: 4 }], issues: [{ rule: "gpx/too-many-points" }] });
  });
});

describe("forms of GPX", () => {
  const inside = `<trk><trkseg>${at("0", "0", time(T))}</trkseg></trk>`;
  test.each([
    ["1.0", gpx(inside, 'version="1.0" xmlns="http://www.topografix.com/GPX/1/0"')],
    ["2.0", gpx(inside, 'version="2.0"')],
    ["no namespace", gpx(inside, "")],
    ["a prefix on everything", gpx(inside).replace(/<(\/?)/g, "<$1gpx:")],
    ["single quotes and blanks", gpx(inside).replace(/="([^"]*)"/g, " = '$1'")],
    ["old Macintosh lines", gpx(inside).replace(/></g, ">\r<")],
  ])("%s", (_, source) => {
    expect(decodeGpx(source, "scan")).toMatchObject({ recordings: [{ start: INSTANT, pointCount: 1 }], issues: [] });
  });
});
