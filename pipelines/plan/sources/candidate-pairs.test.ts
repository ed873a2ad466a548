import { expect, test } from "vitest";
import { inputs } from "../../../test/support/tiers.ts";
import type { WorkoutFacts } from "../../../transforms/duplicates.ts";
import { describeLikeness } from "../../../transforms/matching/describe-likeness.ts";
import { equalRecords } from "../log/equal-records.ts";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import { pairsOf } from "./candidate-pairs.ts";
import { withRowOrder } from "./row-order.ts";

/** Enough for a comparison of each with each to be noticed in the long tier. */
const MANY = inputs({ first: 2_000, long: 20_000 });

/** Runs that are all alike, of one source. */
function alike(count: number, source: number, time: string | undefined): LinkedWorkout[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `${source} ${index}`,
    source,
    origin: { connector: "made", archive: `${source}`, entry: `${index}` },
    facts: { activity: "run", date: "2024-05-01", time, instant: undefined, metres: 5_000, seconds: 1_500 },
  }));
}

// The pairs of all with all would be 400 million.
test.each([
  ["day", undefined],
  ["time", "07:00:00"],
] as const)("many equal workouts of one %s in two sources are paired one by one", (by, time) => {
  const open = [alike(MANY, 0, time), alike(MANY, 1, time)] as const;
  const { pairs } = pairsOf({ clocks: [[], []], open, by, trustClocks: true });
  expect(pairs).toHaveLength(MANY);
  expect(new Set(pairs.map(({ one }) => one.key)).size).toBe(MANY);
  expect(new Set(pairs.map(({ other }) => other.key)).size).toBe(MANY);
});

test("of many equal records of the log on one day each workout gets another one, although the log rounded them", () => {
  const records = Array.from({ length: MANY }, (_, id) => ({ id, facts: ofLog(4_999.4) }));
  const equalTo = equalRecords(records);
  const found = records.flatMap(() => equalTo({ facts: ofLog(5_001.2) }));
  expect(new Set(found.map(({ id }) => id)).size).toBe(MANY);
  expect(equalTo({ facts: ofLog(5_001.2) })).toEqual([]);
  expect(equalRecords(records)({ facts: ofLog(5_010) })).toEqual([]);
});

function ofLog(metres: number): WorkoutFacts {
  return { activity: "run", date: "2024-05-01", time: undefined, instant: undefined, metres, seconds: 1_500 };
}

/** Two runs of 5 km on each of some days, in the order of the rows of a diary. */
const diaryOf = (days: readonly string[], heartRates: readonly number[] = []): LinkedWorkout[] =>
  days.map((date, row) => ({
    ...{
      key: `row ${row}`,
      source: 1,
      origin: { connector: "csv", archive: "d", entry: "d", locator: `line ${row + 2}` },
    },
    facts: {
      ...{ activity: "run", date, time: undefined, instant: undefined, metres: 5_000, seconds: 1_500 },
      ...(heartRates[row] !== undefined && { heartRate: heartRates[row] }),
    },
  }));
const watchOf = (days: readonly string[], heartRates: readonly number[] = []): LinkedWorkout[] =>
  [...new Set(days)].flatMap((date) =>
    ["07:00:00", "18:00:00"].map((time, at) => ({
      ...{ key: `${date} ${time}`, source: 0, origin: { connector: "made", archive: "w", entry: `${date} ${time}` } },
      facts: {
        ...{ activity: "run" as const, date, time, instant: undefined, metres: 5_010, seconds: 1_505 },
        ...(heartRates[at] !== undefined && { heartRate: heartRates[at] }),
      },
    })),
  );
const pairedByDay = (watch: readonly LinkedWorkout[], diary: readonly LinkedWorkout[]) => {
  const open = [withRowOrder(watch), withRowOrder(diary)] as const;
  const { pairs } = pairsOf({ clocks: open, open, by: "day", trustClocks: false });
  return pairs
    .map(({ one, other, score }) => `${one.key.slice(8, 13)} ${other.key} ${score < 9 ? "doubtful" : "one"}`)
    .toSorted();
};

test.each([
  ["oldest first", ["2024-05-01", "2024-05-01", "2024-05-02", "2024-05-02"], [0, 1, 2, 3], "one"],
  ["newest first", ["2024-05-02", "2024-05-02", "2024-05-01", "2024-05-01"], [3, 2, 1, 0], "one"],
] as const)(
  "two equal runs a day follow the rows of a diary without times that has its days %s",
  (_, days, rows, is) => {
    const times = ["01 07", "01 18", "02 07", "02 18"];
    expect(pairedByDay(watchOf(days), diaryOf(days))).toEqual(times.map((time, at) => `${time} row ${rows[at]} ${is}`));
  },
);

test("two equal runs of a day are doubtful where a diary of one day tells no order, or has one of them alone", () => {
  const day = "2024-05-01";
  expect(pairedByDay(watchOf([day]), diaryOf([day, day]))).toEqual([
    expect.stringContaining("doubtful"),
    expect.stringContaining("doubtful"),
  ]);
  expect(pairedByDay(watchOf([day]), diaryOf([day, "2024-05-02"]))).toEqual([expect.stringContaining("doubtful")]);
});

test("the heart rates of two equal runs of a day count before the order of the rows", () => {
  const days = ["2024-05-01", "2024-05-01", "2024-05-02"];
  const found = pairedByDay(watchOf(["2024-05-01"], [141, 158]), diaryOf(days, [158, 141]));
  expect(found).toEqual(["01 07 row 1 one", "01 18 row 0 one"]);
});

test("a run of which the other source has nine tenths and one tenth is both, and a run that is there as a whole too is that one", () => {
  const run = (key: string, source: number, time: string, metres: number, seconds: number): LinkedWorkout => ({
    ...{ key, source, origin: { connector: "made", archive: `${source}`, entry: key } },
    facts: { activity: "run", date: "2024-05-01", time, instant: undefined, metres, seconds },
  });
  const whole = run("whole", 0, "07:00:00", 10_000, 3_600);
  const parts = [run("long", 1, "07:00:00", 9_000, 3_240), run("short", 1, "08:00:00", 1_000, 360)];
  const found = (others: readonly LinkedWorkout[]) => {
    const { pairs, splits } = pairsOf({ clocks: [[], []], open: [[whole], others], by: "time", trustClocks: true });
    return {
      pairs: pairs.map(({ other }) => other.key),
      parts: splits.flatMap((split) => split.parts.map(({ key }) => key)),
    };
  };
  expect(found(parts)).toEqual({ pairs: [], parts: ["long", "short"] });
  expect(found([...parts, run("copy", 1, "07:01:00", 10_050, 3_600)])).toEqual({ pairs: ["copy"], parts: [] });
});

test("many runs that another source has in two recordings each are compared with few others", () => {
  const day = (index: number) => new Date(index * 86_400_000).toISOString().slice(0, 10);
  const runs = (source: number, times: readonly string[], metres: number): LinkedWorkout[] =>
    Array.from({ length: MANY }, (_, index) => index).flatMap((index) =>
      times.map((time) => ({
        ...{
          key: `${source} ${index} ${time}`,
          source,
          origin: { connector: "made", archive: `${source}`, entry: time },
        },
        facts: { activity: "run", date: day(index), time, instant: undefined, metres, seconds: metres / 3 },
      })),
    );
  const open = [runs(0, ["07:00:00"], 10_000), runs(1, ["07:00:00", "07:40:00"], 5_000)] as const;
  const { splits } = pairsOf({ clocks: [[], []], open, by: "time", trustClocks: true });
  expect(splits).toHaveLength(MANY);
});

test("runs of a clock that is 20 s off are said to start 20 s apart, and together once the clocks agree", () => {
  const runs = (source: number, seconds: string): LinkedWorkout[] =>
    Array.from({ length: 30 }, (_, index) => {
      const [date, time] = [`2024-04-${String(index + 1).padStart(2, "0")}`, `07:${10 + index}:${seconds}`];
      const origin = { connector: "made", archive: `${source}`, entry: `${index}` };
      const facts = {
        activity: "run" as const,
        date,
        time,
        instant: undefined,
        metres: 5_000 + index * 97,
        seconds: 1_500 + index * 31,
      };
      return { key: `${source} ${index}`, source, origin, facts } as const;
    });
  const open = [runs(0, "00"), runs(1, "20")] as const;
  const { pairs } = pairsOf({ clocks: open, open, by: "time", trustClocks: false });
  expect(pairs).toHaveLength(30);
  for (const pair of pairs)
    expect(describeLikeness(pair)).toContain(
      "starts 20 s apart, and with clocks that agree 0 s apart, distances 0.0 %",
    );
});
