import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tcx as toGeo } from "@tmcw/togeojson";
import { DOMParser } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import { decodeDeviceFile } from "../device-file.ts";
import type { Point, Recording } from "../recording.ts";
import { readXml } from "../xml/reader.ts";
import { decodeTcx } from "./decode.ts";
import { writeTcx } from "./write.ts";

const START = Date.UTC(2024, 4, 1, 6);
const TRIATHLON = join(import.meta.dirname, "../../../fixtures/device-files/fit-multisport/archive/triathlon.fit");

/**
 * Children of an element in the order of Garmin's schema, typed from TrainingCenterDatabasev2.xsd and ActivityExtensionv2.xsd. `!` marks a
 * required child.
 */
const SCHEMA: Readonly<Record<string, string>> = {
  TrainingCenterDatabase: "Folders Activities Workouts Courses Author Extensions",
  Activities: "Activity MultiSportSession",
  Activity: "Id! Lap! Notes Training Creator Extensions",
  Lap: "TotalTimeSeconds! DistanceMeters! MaximumSpeed Calories! AverageHeartRateBpm MaximumHeartRateBpm Intensity! Cadence TriggerMethod! Track Notes Extensions",
  Track: "Trackpoint!",
  Trackpoint: "Time! Position AltitudeMeters DistanceMeters HeartRateBpm Cadence SensorState Extensions",
  Position: "LatitudeDegrees! LongitudeDegrees!",
  HeartRateBpm: "Value!",
  AverageHeartRateBpm: "Value!",
  MaximumHeartRateBpm: "Value!",
  Extensions: "TPX",
  TPX: "Speed RunCadence Watts Extensions",
};

/** The texts that the schema allows for each kind of value. */
const VALUES: Readonly<Record<string, RegExp>> = {
  Id: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  Time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  Value: /^([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/,
  Cadence: /^(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/,
  RunCadence: /^(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/,
  Calories: /^\d{1,5}$/,
  Watts: /^\d{1,5}$/,
  Intensity: /^(Active|Resting)$/,
  TriggerMethod: /^(Manual|Distance|Location|Time|HeartRate)$/,
  TotalTimeSeconds: /^\d+(\.\d+)?$/,
  DistanceMeters: /^\d+(\.\d+)?$/,
  AltitudeMeters: /^-?\d+(\.\d+)?$/,
  LatitudeDegrees: /^-?\d+(\.\d+)?$/,
  LongitudeDegrees: /^-?\d+(\.\d+)?$/,
  Speed: /^-?\d+(\.\d+)?$/,
};

/** The parts of a document that break the schema. */
function faultsOf(bytes: Uint8Array): readonly string[] {
  const faults: string[] = [];
  const open: { name: string; children: string[] }[] = [];
  readXml(bytes, {
    open(name) {
      open.at(-1)?.children.push(name);
      open.push({ name, children: [] });
      return true;
    },
    close(name, text) {
      const children = open.pop()?.children ?? [];
      const order = SCHEMA[name]?.split(" ") ?? [];
      const known = order.map((each) => each.replace("!", ""));
      const places = children.map((child) => known.indexOf(child));
      if (places.includes(-1)) faults.push(`${name} holds ${children.join(" ")}`);
      if (places.some((place, index) => place < (places[index - 1] ?? 0))) faults.push(`order in ${name}: ${children}`);
      for (const must of order.filter((each) => each.endsWith("!")))
        if (!children.includes(must.replace("!", ""))) faults.push(`${name} lacks ${must}`);
      if (children.length === 0 && VALUES[name]?.test(text) === false) faults.push(`${name} is ${text}`);
    },
  });
  return faults;
}

function written(recording: Recording): Uint8Array {
  const bytes = writeTcx(recording);
  expect(bytes).toBeDefined();
  return bytes ?? new Uint8Array();
}

/** A recording of a few points, a second apart. */
function recording(points: readonly Partial<Point>[], more: Partial<Recording> = {}): Recording {
  return {
    sport: "cycling",
    fitSport: [2, 0],
    start: START,
    laps: [],
    pointCount: points.length,
    positionCount: 0,
    points: points.map((point, second) => ({ instant: START + second * 1000, ...point })),
    ...more,
  };
}

describe("a leg of a triathlon, written as a file of its own", () => {
  const legs = decodeDeviceFile(readFileSync(TRIATHLON), "decode").recordings;

  test.each([0, 2, 4])("leg %d is as the schema has it, and holds every point, lap and total of the leg", (index) => {
    const leg = legs[index] as Recording;
    const bytes = written(leg);
    expect(faultsOf(bytes)).toEqual([]);
    const { recordings, issues } = decodeTcx(bytes, "decode");
    expect(issues).toEqual([]);
    expect(recordings).toHaveLength(1);
    const [again] = recordings as [Recording];
    expect(again.pointCount).toBe(leg.pointCount);
    const kept = (leg.points ?? []).map(({ temperature: _, ...point }) => point);
    expect(kept.length).toBeGreaterThan(20);
    expect(again.points).toEqual(kept);
    expect(again.start).toBe(leg.start);
    expect(again.distance?.unit).toBe("m");
    expect(again.distance?.value).toBeCloseTo(leg.distance?.value ?? 0, 6);
    expect(again.timer).toBeCloseTo(leg.timer ?? 0, 6);
    expect(again.laps.map(({ start, distance, timer }) => [start, distance, timer])).toEqual(
      leg.laps.map(({ start, distance, timer }) => [start, distance, timer]),
    );
    expect(again.sport).toBe(["Other", "", "Biking", "", "Running"][index]);
  });
});

test("a reader that is not ours finds the same line, a part for each break", () => {
  const points: readonly Partial<Point>[] = [
    { position: { lat: 48.2, lon: 16.37 }, elevation: 200 },
    { position: { lat: 48.21, lon: 16.37 }, elevation: 201.5 },
    { position: { lat: 48.3, lon: 16.4 }, elevation: 210, breakBefore: true },
    { position: { lat: 48.31, lon: 16.4 }, elevation: 211 },
  ];
  const document = new DOMParser().parseFromString(Buffer.from(written(recording(points))).toString(), "text/xml");
  expect(toGeo(document).features[0]?.geometry).toEqual({
    type: "MultiLineString",
    coordinates: [
      [
        [16.37, 48.2, 200],
        [16.37, 48.21, 201.5],
      ],
      [
        [16.4, 48.3, 210],
        [16.4, 48.31, 211],
      ],
    ],
  });
});

test("a point keeps all that TCX has a field for; a break begins a track", () => {
  const full: readonly Partial<Point>[] = [
    {
      position: { lat: -48.2, lon: 1e-7 },
      elevation: -3.5,
      distance: { unit: "m", value: 0 },
      heartRate: 120,
      cadence: 90,
      power: 250,
      speed: 8.25,
    },
    { heartRate: 121 },
    { position: { lat: 48.2, lon: 16.3 }, breakBefore: true },
    {},
  ];
  const bytes = written(recording(full));
  expect(faultsOf(bytes)).toEqual([]);
  expect(decodeTcx(bytes, "decode").recordings[0]?.points).toEqual(recording(full).points);
});

test("what the schema has no room for is left out: a heart rate of 0 or 300, a cadence of 255, a point without a time", () => {
  const points = [
    { heartRate: 0 },
    { heartRate: 300 },
    { cadence: 255, power: -1 },
    { instant: undefined },
    { heartRate: 60.4 },
  ];
  const bytes = written(recording(points as readonly Partial<Point>[]));
  expect(faultsOf(bytes)).toEqual([]);
  const { points: found = [] } = decodeTcx(bytes, "decode").recordings[0] ?? {};
  expect(found.map(({ heartRate, cadence, power }) => [heartRate, cadence, power])).toEqual([
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
    [60, undefined, undefined],
  ]);
});

test("a recording without a point that has a time has no file", () => {
  expect(writeTcx(recording([]))).toBeUndefined();
  expect(writeTcx({ ...recording([]), points: [{ position: { lat: 1, lon: 1 } }] })).toBeUndefined();
});

test("a leg of a device that counts on through the legs begins at 0 metres", () => {
  const metres = (value: number): Partial<Point> => ({ distance: { unit: "m", value } });
  const leg = recording([metres(1500), metres(1600), metres(3000)], { distance: { unit: "m", value: 1500 } });
  const { points = [] } = decodeTcx(written(leg), "decode").recordings[0] ?? {};
  expect(points.map(({ distance }) => distance?.value)).toEqual([0, 100, 1500]);
});

test("points stay in the file's order, also where a clock went back into an earlier lap", () => {
  const instants = [0, 10, 20, 5, 30].map((second) => ({ instant: START + second * 1000 }));
  const laps = [0, 15].map((second) => ({ start: START + second * 1000, timer: 15 }));
  const { points = [] } = decodeTcx(written(recording(instants, { laps })), "decode").recordings[0] ?? {};
  expect(points.map(({ instant = 0 }) => (instant - START) / 1000)).toEqual([0, 10, 20, 5, 30]);
});

test("notes are written as text, whatever they hold", () => {
  const notes = `</Notes><Lap>&amp; "quoted"\u0000 ]]> 🏊`;
  const bytes = written(recording([{}], { notes }));
  expect(faultsOf(bytes)).toEqual([]);
  expect(decodeTcx(bytes, "scan").recordings[0]?.notes).toBe(`</Notes><Lap>&amp; "quoted" ]]> 🏊`);
});

test("no number has an exponent, however small or large", () => {
  const points = [{ elevation: 1e-9, distance: { unit: "m", value: 1e22 } as const, speed: 5e-8 }];
  expect(faultsOf(written(recording(points)))).toEqual([]);
});

test("a date that no calendar has does not stop the writer", () => {
  const bytes = written(recording([{}, { instant: 9e15 }], { start: -9e15, laps: [{ start: 9e15 }] }));
  expect(decodeTcx(bytes, "scan").recordings[0]).toMatchObject({ start: START, pointCount: 1 });
});
