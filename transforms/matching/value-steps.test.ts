import { expect, test } from "vitest";
import { describeSteps } from "./describe-likeness.ts";
import { stepsOf, stepsOfWorkout } from "./value-steps.ts";

/** Distances and durations of a whole number of steps, from 6 to 35 of them. */
const stepped = (metres: number, seconds: number) =>
  Array.from({ length: 30 }, (_, at) => ({ metres: (at + 6) * metres, seconds: (at + 6) * seconds }));

test.each([
  ["a notebook of half kilometres and five minutes", 500, 300, { metres: 500, seconds: 300 }],
  ["a table of tenths of a mile and minutes", 160.9344, 60, { metres: 160.9344 }],
  ["a diary of miles and quarters of an hour", 1_609.344, 900, { metres: 1_609.344, seconds: 900 }],
  ["a watch", 137, 47, {}],
])("%s shows its steps", (_what, metres, seconds, steps) => {
  expect(stepsOf(stepped(metres, seconds))).toEqual(steps);
});

test("steps are said in their own unit", () => {
  expect(describeSteps({ metres: 500, seconds: 300 })).toBe("distances to 0.5 km, durations to 5 min");
  expect(describeSteps({ metres: 804.672 })).toBe("distances to 0.5 mi");
  expect(describeSteps({})).toBeUndefined();
});

test("one exact value among many rounded ones changes no step, and was itself not rounded", () => {
  const exact = { metres: 10_547, seconds: 2_963 };
  const steps = stepsOf([...stepped(500, 300), exact]);
  expect(steps).toEqual({ metres: 500, seconds: 300 });
  expect(stepsOfWorkout(exact, steps)).toEqual({});
  expect(stepsOfWorkout({ metres: 7_500, seconds: 2_963 }, steps)).toEqual({ metres: 500 });
});

test("somebody who runs 10 km each time in an hour rounds nothing, and a few values show nothing", () => {
  expect(stepsOf(Array.from({ length: 100 }, () => ({ metres: 10_000, seconds: 3_600 })))).toEqual({});
  expect(stepsOf(stepped(500, 300).slice(0, 19))).toEqual({});
  expect(stepsOf([])).toEqual({});
});
