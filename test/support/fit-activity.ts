/** The messages of a made-up activity in a FIT file: ten seconds of a run, and optional messages beside it. */
import type { DeviceFile } from "../../connectors/formats/recording.ts";
import { data, define, type FieldSpec, type Filled, once } from "./fit-bytes.ts";

/** 2020-09-13T12:26:40Z is 1,600,000,000 s after 1970 and so 968,934,400 s after FIT's epoch (631,065,600). */
export const T = 968_934_400;
export const INSTANT = 1_600_000_000_000;

/** 48 degrees north and 16 east in semicircles: 48 / 180 * 2^31 and 16 / 180 * 2^31. */
export const LAT = 572_662_306;
export const LON = 190_887_435;

export const fileId = (type = 4): Uint8Array =>
  once(0, 0, [
    [0, "enum", type],
    [1, "uint16", 1],
    [2, "uint16", 2431],
    [3, "uint32z", 3_912_345_678],
    [4, "uint32", T - 5],
  ]);

export const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [0, "sint32"],
  [1, "sint32"],
  [3, "uint8"],
  [5, "uint32"],
];

export const NO_POSITION = 0x7fffffff;

/** Records a second apart, ten metres each, with a heart rate of 140, 141, ... */
export const records = (count: number, from = T): Uint8Array[] => [
  define(1, 20, RECORD),
  ...Array.from({ length: count }, (_, i) => data(1, RECORD, [from + i, LAT + i, LON, 140 + i, i * 1000])),
];

export const session = (values: Record<string, number> = {}, start = T): Uint8Array => {
  const all: Record<string, Filled> = {
    end: [253, "uint32", start + 9],
    start: [2, "uint32", start],
    sport: [5, "enum", 1],
    subSport: [6, "enum", 3],
    elapsed: [7, "uint32", 9500],
    timer: [8, "uint32", 9000],
    distance: [9, "uint32", 9000],
    calories: [11, "uint16", 0],
    avgHR: [16, "uint8", 144],
    maxHR: [17, "uint8", 149],
    ascent: [22, "uint16", 12],
    firstLap: [25, "uint16", 0xffff],
    lapCount: [26, "uint16", 0xffff],
  };
  return once(
    2,
    18,
    Object.entries(all).map(([name, [number, type, value]]): Filled => [number, type, values[name] ?? value]),
  );
};

export const lap = (start = T, seconds = 9): Uint8Array =>
  once(3, 19, [
    [2, "uint32", start],
    [7, "uint32", seconds * 1000],
    [9, "uint32", 9000],
    [15, "uint8", 144],
    [23, "enum", 5],
    [24, "enum", 7],
  ]);

export const activity = (local: number): Uint8Array =>
  once(4, 34, [
    [253, "uint32", T + 9],
    [5, "uint32", local],
  ]);

export const timer = (time: number, type: number): Uint8Array =>
  once(5, 21, [
    [253, "uint32", time],
    [0, "enum", 0],
    [1, "enum", type],
  ]);

export const run = (): Uint8Array[] => [fileId(), ...records(10), lap(), session(), activity(T + 9 + 7200)];
export const rules = (file: DeviceFile): readonly string[] => file.issues.map(({ rule }) => rule);
export const pointCounts = (file: DeviceFile): readonly number[] => file.recordings.map(({ pointCount }) => pointCount);
