import { expect, test } from "vitest";
import { trackOfLogbook } from "./logbook-track.ts";
import { categoriesOf, withCategory } from "./values.ts";

/** 2010-05-06T16:30:00Z, and the same in seconds since 1990-01-01T00:00:00Z. */
const START = Date.UTC(2010, 4, 6, 16, 30);
const SINCE_1990 = 642_011_400n;

/** The head of a series: a byte in front of heart rates, the start, the number of points, and 0. */
function head(count: number, front: readonly number[]): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64LE(SINCE_1990, 0);
  bytes.writeInt32LE(count, 8);
  return Buffer.concat([Buffer.from(front), bytes]);
}

function place(seconds: number, lat: number, lon: number, metres: number): Buffer {
  const bytes = Buffer.alloc(14);
  bytes.writeUInt16LE(seconds, 0);
  bytes.writeFloatLE(lat, 2);
  bytes.writeFloatLE(lon, 6);
  bytes.writeFloatLE(metres, 10);
  return bytes;
}

const beat = (seconds: number, rate: number) => Buffer.from([seconds & 255, seconds >> 8, rate]);
const series = (version: string, ...parts: readonly Buffer[]) => ({
  TrackData: { version, "text()": `\n${Buffer.concat(parts).toString("base64")}\n` },
});

test("positions and heart rates of a logbook are joined by their times", () => {
  const route = series("2", head(2, []), place(0, 48.25, 16.375, 170.5), place(5, 48.5, 16.5, Number.NaN));
  const rates = series("1", head(3, [1]), beat(0, 99), beat(3, 0), beat(5, 120));
  expect(trackOfLogbook({ GPSRoute: route, HeartRateTrack: rates })).toEqual({
    points: [
      { instant: START, position: { lat: 48.25, lon: 16.375 }, elevation: 170.5, heartRate: 99 },
      { instant: START + 5000, position: { lat: 48.5, lon: 16.5 }, heartRate: 120 },
    ],
    left: [],
  });
});

test("after 18 hours the seconds of a series begin again", () => {
  const rates = series("1", head(3, [1]), beat(65_000, 100), beat(65_535, 101), beat(464, 102));
  const { points } = trackOfLogbook({ HeartRateTrack: rates });
  expect(points.map(({ instant }) => ((instant ?? 0) - START) / 1000)).toEqual([65_000, 65_535, 66_000]);
});

test.each([
  ["another version", series("3", head(1, []), place(0, 48, 16, 1))],
  ["too few bytes", series("2", Buffer.alloc(8))],
  ["more points than bytes", series("2", head(9, []))],
  ["no base64", { TrackData: { version: "2", "text()": "%%%" } }],
])("a route with %s counts as left", (_, GPSRoute) => {
  expect(trackOfLogbook({ GPSRoute })).toEqual({ points: [], left: ["GPSRoute"] });
});

test("the sport of an activity is found above its category, with and without lists around the categories below", () => {
  const track = { referenceId: "c", name: "6x400" };
  const intervals = { referenceId: "b", name: "Intervals" };
  const running = { referenceId: "a", name: "Running" };
  const bare = { ...running, Category: { ...intervals, Category: track } };
  const listed = {
    ...running,
    Categories: { ActivityCategory: { ...intervals, Categories: { ActivityCategory: track } } },
  };
  const roots = [
    { referenceId: "r", name: "Mine", Category: bare },
    { referenceId: "r", name: "Mine", Categories: { ActivityCategory: listed } },
  ];
  for (const root of roots) {
    const activity = withCategory({ categoryId: "c", categoryName: "6x400" }, categoriesOf({ Category: root }));
    expect(activity).toMatchObject({ sport: "Running" });
  }
});
