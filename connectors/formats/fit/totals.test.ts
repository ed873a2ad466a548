import { expect, test } from "vitest";
import { data, define, type FieldSpec, type Filled, fitFile, joined, once } from "../../../test/support/fit-bytes.ts";
import { decodeFit } from "./decode.ts";

/** 2020-09-13T12:26:40Z since FIT's epoch. */
const T = 968_934_400;
const fileId = once(0, 0, [[0, "enum", 4]]);

/** A running session with only the given totals. */
const session = (start: number, more: readonly Filled[] = []): Uint8Array =>
  once(2, 18, [[253, "uint32", start + 1200], [2, "uint32", start], [5, "enum", 1], [8, "uint32", 1_200_000], ...more]);

const lap = (start: number, more: readonly Filled[] = []): Uint8Array =>
  once(3, 19, [[2, "uint32", start], [8, "uint32", 600_000], ...more]);

const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [5, "uint32"],
];
const records = (start: number, metres: readonly number[]): Uint8Array[] => [
  define(1, 20, RECORD),
  ...metres.map((value, i) => data(1, RECORD, [start + i * 60, value * 100])),
];

const PLACE: readonly FieldSpec[] = [
  [253, "uint32"],
  [0, "sint32"],
  [1, "sint32"],
];
/** Records that go north along a meridian, 0.001 degrees each. That is 11,930.46 semicircles. */
const places = (count: number): Uint8Array[] => [
  define(1, 20, PLACE),
  ...Array.from({ length: count }, (_, i) => data(1, PLACE, [T + i * 60, Math.round(i * 11_930.4647), 190_887_435])),
];

/** The description of a developer field: number, base type, name, unit, native message and field. */
const described = (number: number, type: number, name: string, unit: string, native?: readonly [number, number]) =>
  once(0, 206, [
    [0, "uint8", 0],
    [1, "uint8", number],
    [2, "uint8", type],
    [3, "string", `${name}\0`],
    [8, "string", `${unit}\0`],
    [14, "uint16", native?.[0] ?? 0xffff],
    [15, "uint8", native?.[1] ?? 0xff],
  ]);

/** Records with an app's own uint16 beside the native distance of 0. */
const withAppField = (values: readonly number[]): Uint8Array[] => [
  define(1, 20, RECORD, { developer: [[8, 2, 0]] }),
  ...values.map((value, i) =>
    joined([data(1, RECORD, [T + i * 60, 0]), data(0, [[8, "uint16"]], [value]).subarray(1)]),
  ),
];

const read = (...messages: readonly Uint8Array[]) => {
  const { recordings, issues } = decodeFit(fitFile([fileId, ...messages]), "scan");
  return {
    metres: recordings.map(({ distance }) => distance && Math.round(distance.value)),
    hearts: recordings.map(({ avgHR, maxHR }) => [avgHR, maxHR]),
    said: issues.filter(({ rule }) => rule === "fit/computed-total").map(({ expected }) => expected),
  };
};

const UINT16 = 0x84;

test("each leg has its own metres, whether the device counts on or begins anew", () => {
  const two = (second: readonly number[]) =>
    read(...records(T, [0, 500, 1000]), ...records(T + 1200, second), session(T), session(T + 1200)).metres;
  expect(two([1000, 2500, 4000])).toEqual([1000, 3000]);
  expect(two([0, 1500, 3000])).toEqual([1000, 3000]);
});

test("positions tell the distance where nothing counted it, and not where the watch said 0", () => {
  // A thousandth of a degree of a meridian is 111.19 m on a sphere of 6,371.0088 km.
  expect(read(...places(11), session(T)).metres).toEqual([1112]);
  expect(read(...places(11)).metres).toEqual([1112]);
  expect(read(...places(11), session(T, [[9, "uint32", 0]])).metres).toEqual([0]);
});

test("a total of laps is one only where every lap has its part; else the records tell", () => {
  const metres = (value: number): Filled => [9, "uint32", value * 100];
  const heart = (avg: number, max: number): readonly Filled[] => [
    [15, "uint8", avg],
    [16, "uint8", max],
  ];
  const some = [lap(T, [metres(900), ...heart(120, 150)]), lap(T + 600)];
  expect(read(...records(T, [0, 1000, 2100]), ...some, session(T)).metres).toEqual([2100]);
  expect(read(...some, session(T))).toMatchObject({ metres: [undefined], hearts: [[120, 150]] });
  const all = [lap(T, [metres(900), ...heart(120, 150)]), lap(T + 600, [metres(1000), ...heart(131, 149)])];
  expect(read(...records(T, [0, 1000, 2100]), ...all, session(T))).toMatchObject({
    metres: [1900],
    // Both laps took ten minutes: (120 + 131) / 2.
    hearts: [[126, 150]],
    said: [
      "them there; computed instead: distance 1900 m from its laps, average heart rate 126 bpm from its laps, " +
        "maximum heart rate 150 bpm from its laps",
    ],
  });
});

test("what a session says is not computed, and a file without anything to compute from says nothing", () => {
  const whole = session(T, [
    [9, "uint32", 500_000],
    [16, "uint8", 140],
    [17, "uint8", 160],
  ]);
  expect(read(...records(T, [0, 1000, 2000]), whole)).toEqual({ metres: [5000], hearts: [[140, 160]], said: [] });
  expect(read(session(T))).toEqual({ metres: [undefined], hearts: [[undefined, undefined]], said: [] });
});

test("an app's own field of the records counts by its native number or by its name", () => {
  const rows = withAppField([0, 700, 1250]);
  const zero = session(T, [[9, "uint32", 0]]);
  expect(read(described(8, UINT16, "Pool", "m", [20, 5]), ...rows, zero)).toMatchObject({
    metres: [1250],
    said: ["them there; computed instead: distance 1250 m from an app's own field of its records"],
  });
  expect(read(described(8, UINT16, "distance", "yd"), ...rows, zero).metres).toEqual([1143]);
  expect(read(described(8, UINT16, "Distance to go", "m"), ...rows, zero).metres).toEqual([0]);
  expect(read(described(8, UINT16, "Distance", "strokes"), ...rows, zero).metres).toEqual([0]);
  expect(read(described(9, UINT16, "Distance", "m"), ...rows, zero).metres).toEqual([0]);
});

test("a native distance comes before an app's own", () => {
  const rows = withAppField([0, 700, 1250]);
  const own = session(T, [[9, "uint32", 130_000]]);
  expect(read(described(8, UINT16, "Distance", "m"), ...rows, own).metres).toEqual([1300]);
});
