import { expect, test } from "vitest";
import type { WorkoutFacts } from "../duplicates.ts";
import { compareAsTheyAre } from "./compare-facts.ts";
import { type Differences, scoreOf, verdictOf } from "./likeness.ts";

const SAME = { secondsApart: 3, distanceApart: 0.002, durationApart: { seconds: 2, share: 0.001 }, measured: 2 };

test.each<[string, Partial<Differences>, string]>([
  ["nothing but seconds", {}, "one"],
  ["a phone that measures 12 % more", { secondsApart: 70, distanceApart: 0.12 }, "one"],
  ["a treadmill of 10.0 beside a wrist of 9.62, by the day", { secondsApart: undefined, distanceApart: 0.038 }, "one"],
  ["stops that one counts", { distanceApart: 0.01, durationApart: { seconds: 900, share: 0.25 } }, "one"],
  [
    "by the day, and one is a quarter longer",
    { secondsApart: undefined, distanceApart: 0.02, durationApart: { seconds: 900, share: 0.25 } },
    "doubtful",
  ],
  [
    "by the day, and without a duration",
    { secondsApart: undefined, distanceApart: 0.05, durationApart: undefined },
    "doubtful",
  ],
  [
    "by the day, and one is rounded to five minutes: 22:30 is 25:00",
    { secondsApart: undefined, durationApart: { seconds: 150, share: 0.1 }, durationRounding: 0.1 },
    "one",
  ],
  [
    "by the day, and both values are rounded so coarsely that many agree",
    {
      ...{ secondsApart: undefined, distanceApart: 0.17, distanceRounding: 0.2 },
      ...{ durationApart: { seconds: 600, share: 0.2 }, durationRounding: 0.2 },
    },
    "two",
  ],
  [
    "by the day, and far more than rounding makes",
    {
      ...{ secondsApart: undefined, distanceApart: 0.15, distanceRounding: 0.05 },
      ...{ durationApart: { seconds: 600, share: 0.2 }, durationRounding: 0.05 },
    },
    "two",
  ],
  ["four minutes", { secondsApart: 240 }, "two"],
  ["a quarter of an hour, and one may be rounded", { secondsApart: 840, roundedTo: 30 }, "doubtful"],
  ["a fifth of the distance", { distanceApart: 0.2 }, "two"],
  ["half of the time: one is a part", { durationApart: { seconds: 1_800, share: 0.5 } }, "two"],
])("two records that differ by %s: %s", (_what, differences, verdict) => {
  expect(verdictOf(scoreOf({ ...SAME, ...differences }))).toBe(verdict);
});

test.each<[string, number, number, string]>([
  ["the same time", 3_000, 3_000, "one"],
  ["a minute more, which a table of minutes has", 1_200, 1_260, "one"],
  ["3 % more", 3_900, 4_017, "one"],
  ["5 % more", 3_000, 3_158, "doubtful"],
  ["12 % more", 3_000, 3_360, "doubtful"],
])("two rows of 10 km that know their day alone, the only ones of it: %s: %s", (_what, one, other, verdict) => {
  const row = (seconds: number, more: Partial<WorkoutFacts> = {}): WorkoutFacts => ({
    ...{ activity: "run", date: "2019-05-02", time: undefined, instant: undefined, metres: 10_000, seconds, ...more },
  });
  const verdictOn = (a: WorkoutFacts, b: WorkoutFacts) => verdictOf(compareAsTheyAre(a, b, { bonus: 2 }).score);
  expect(verdictOn(row(one), row(other))).toBe(verdict);
  // A watch may have counted the stops, and one heart rate in both is that of one run.
  expect(verdictOn(row(one), row(other, { time: "18:00:00" }))).toBe("one");
  expect(verdictOn(row(one, { heartRate: 141 }), row(other, { heartRate: 141 }))).toBe("one");
});
