import { expect, test } from "vitest";
import { data, define, type FieldSpec, fitFile, once } from "../../../test/support/fit-bytes.ts";
import { decodeFit } from "./decode.ts";

/** 2020-09-13T12:26:40Z since FIT's epoch. */
const T = 968_934_400;
const RECORD: readonly FieldSpec[] = [
  [253, "uint32"],
  [5, "uint32"],
];

interface Said {
  readonly start?: number;
  readonly end?: number;
  readonly elapsed?: number;
  readonly timer?: number;
  readonly metres?: number;
}

/** A run of 20 minutes and 4 km with a record a minute, and a session with the given values. */
function aRun({ start = T, end = T + 1200, elapsed = 1200, timer = 1200, metres = 4000 }: Said): Uint8Array {
  return fitFile([
    once(0, 0, [[0, "enum", 4]]),
    define(1, 20, RECORD),
    ...Array.from({ length: 21 }, (_, i) => data(1, RECORD, [T + i * 60, i * 20_000])),
    once(3, 19, [
      [2, "uint32", T],
      [7, "uint32", 1_200_000],
      [8, "uint32", 1_200_000],
      [9, "uint32", 400_000],
    ]),
    once(2, 18, [
      [253, "uint32", end],
      [2, "uint32", start],
      [5, "enum", 1],
      [7, "uint32", elapsed * 1000],
      [8, "uint32", timer * 1000],
      [9, "uint32", metres * 100],
    ]),
  ]);
}

/** The same file with a checksum that doesn't match. */
function damaged(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 0xff;
  return copy;
}

const doubts = (bytes: Uint8Array) =>
  decodeFit(bytes, "scan").recordings.map(({ doubts = [] }) => doubts.map(({ issue }) => issue.found));

test("a session that agrees with its records and laps is believed, whatever the checksum says", () => {
  expect(doubts(damaged(aRun({})))).toEqual([[]]);
  expect(doubts(damaged(aRun({ start: T - 3, elapsed: 1210, timer: 1150, metres: 4100 })))).toEqual([[]]);
});

test.each([
  ["a distance of 15,665 km", { metres: 15_665_000 }, "it says 15665000 m, and its points and laps 4000 m or 4000 m"],
  ["49 days on the timer", { elapsed: 1200, timer: 4_233_600 }, "it says it took 1,176 hours (49 days)"],
  ["a start in 2070", { start: T + 1_577_836_800 }, "it says it began on 2070-09-13, and its points and laps don't"],
])("%s in a damaged file is doubted, with what the rest of the file says", (_, said, words) => {
  const [found] = doubts(damaged(aRun(said)));
  expect(found?.join("; ")).toContain(words);
});

test("the same in a file whose checksum is right is the device's own word", () => {
  expect(doubts(aRun({ metres: 5000 }))).toEqual([[]]);
});

test("a damaged end of the session makes no second workout of its last records", () => {
  const cut = aRun({ end: T + 300 });
  // The header gives a larger size than the file has: records may be missing.
  cut[4] = (cut[4] as number) + 20;
  const { recordings, issues } = decodeFit(cut, "scan");
  expect(issues.map(({ rule }) => rule)).toContain("fit/truncated");
  expect(recordings.map(({ pointCount }) => pointCount)).toEqual([21]);
});

test("records that jump by years after a damage are doubted where no session says how long it was", () => {
  const bytes = fitFile([
    once(0, 0, [[0, "enum", 4]]),
    define(1, 20, RECORD),
    ...[0, 60, 120, 1_577_836_800].map((late, i) => data(1, RECORD, [T + late, i * 20_000])),
  ]);
  expect(doubts(damaged(bytes))).toEqual([[expect.stringContaining("the times of its points jump by 50 years")]]);
});
