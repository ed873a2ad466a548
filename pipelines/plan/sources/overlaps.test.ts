import { expect, test } from "vitest";
import type { LinkedWorkout } from "../pairs/linked-workout.ts";
import { findOverlaps } from "./overlaps.ts";

const workout = (source: number, time: string, minutes: number, activity: "run" | "bike" = "run"): LinkedWorkout => ({
  key: `${source} ${time} ${activity}`,
  source,
  origin: { connector: "csv", archive: "a", entry: "a.csv" },
  facts: { date: "2024-05-01", time, activity, seconds: minutes * 60 } as LinkedWorkout["facts"],
});

const found = (...workouts: readonly LinkedWorkout[]) =>
  findOverlaps(workouts, () => false).map((pair) => pair.map(({ key }) => key));

test("half of the shorter one within the longer one is the same time, whichever began first", () => {
  expect(found(workout(0, "07:00:00", 71), workout(1, "07:02:00", 57))).toHaveLength(1);
  expect(found(workout(1, "07:30:00", 60), workout(0, "07:00:00", 60))).toHaveLength(1);
  expect(found(workout(0, "07:00:00", 60), workout(1, "07:31:00", 60))).toEqual([]);
});

test("equal numbers of one source within two minutes are such a pair: it may have one workout under two numbers", () => {
  const one = workout(0, "07:00:00", 60);
  expect(found(one, workout(0, "07:02:00", 60))).toHaveLength(1);
  expect(found(one, workout(0, "07:02:01", 60))).toEqual([]);
  const of = (metres: number | undefined) => ({ ...one, facts: { ...one.facts, metres } });
  expect(found(of(10_000), of(10_001))).toHaveLength(1);
  expect(found(of(10_000), of(10_002))).toEqual([]);
  expect(found(of(10_000), of(undefined))).toEqual([]);
});

test("other sports, one app of a source, no duration and a note of the day are no such pair", () => {
  expect(found(workout(0, "07:00:00", 60), workout(1, "07:00:00", 60, "bike"))).toEqual([]);
  expect(found(workout(0, "07:00:00", 60), workout(0, "07:00:00", 50))).toEqual([]);
  expect(found(workout(0, "07:00:00", 60), workout(1, "07:00:00", 0))).toEqual([]);
  const ofApp = (recorder?: string) => ({ ...workout(0, "07:00:00", 60), recorder });
  expect(found(ofApp("Watch"), ofApp("Phone"))).toHaveLength(1);
  const shorter = (recorder?: string) => ({ ...workout(0, "07:00:00", 50), recorder });
  expect(found(ofApp("Watch"), shorter("Watch"))).toEqual([]);
  expect(found(ofApp("Watch"), shorter())).toEqual([]);
  const day = workout(1, "07:00:00", 60);
  const facts = { ...day.facts, time: undefined };
  expect(found(workout(0, "07:00:00", 60), { ...day, facts })).toEqual([]);
});

test("two runs of the night on which clocks go back are at two times, if both instants are known", () => {
  const at = (source: number, time: string, instant?: string) => {
    const one = workout(source, time, 25);
    return { ...one, facts: { ...one.facts, date: "2023-10-29", ...(instant && { instant: Date.parse(instant) }) } };
  };
  const first = at(0, "02:30:20", "2023-10-29T00:30:20Z");
  expect(found(first, at(1, "02:30:27", "2023-10-29T01:30:27Z"))).toEqual([]);
  expect(found(first, at(1, "02:30:27", "2023-10-29T00:30:27Z"))).toHaveLength(1);
  expect(found(first, at(1, "02:30:27"))).toHaveLength(1);
});

test("a thousand workouts at one time are not all compared with one another", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => workout(at, "07:00:00", 60));
  expect(found(...many).length).toBeLessThan(20_001);
});
