import { expect, test } from "vitest";
import type { WorkoutFacts } from "../../transforms/duplicates.ts";
import { type LinkedWorkout, pairsOf } from "./candidate-pairs.ts";
import { equalRecords } from "./equal-records.ts";

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
] as const)("20,000 equal workouts of one %s in two sources are paired one by one", (by, time) => {
  const open = [alike(20_000, 0, time), alike(20_000, 1, time)] as const;
  const { pairs } = pairsOf({ clocks: [[], []], open, by, trustClocks: true });
  expect(pairs).toHaveLength(20_000);
  expect(new Set(pairs.map(({ one }) => one.key)).size).toBe(20_000);
  expect(new Set(pairs.map(({ other }) => other.key)).size).toBe(20_000);
});

test("of 20,000 equal records of the log on one day each workout gets another one, although the log rounded them", () => {
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, facts: ofLog(4_999.4) }));
  const equalTo = equalRecords(records);
  const found = records.flatMap(() => equalTo({ facts: ofLog(5_001.2) }));
  expect(new Set(found.map(({ id }) => id)).size).toBe(20_000);
  expect(equalTo({ facts: ofLog(5_001.2) })).toEqual([]);
  expect(equalRecords(records)({ facts: ofLog(5_010) })).toEqual([]);
});

function ofLog(metres: number): WorkoutFacts {
  return { activity: "run", date: "2024-05-01", time: undefined, instant: undefined, metres, seconds: 1_500 };
}
