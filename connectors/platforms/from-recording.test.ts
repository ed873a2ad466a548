import { expect, test } from "vitest";
import type { Recording } from "../formats/recording.ts";
import { timerIssue, toWorkout } from "./from-recording.ts";

/** A FIT run of one hour by its timer. */
const run = (more: Partial<Recording>): Recording => ({
  fitSport: [1, undefined],
  timer: 3600,
  laps: [],
  pointCount: 100,
  positionCount: 100,
  ...more,
});
const durationOf = (recording: Recording) => toWorkout(recording, new Map()).duration;

test.each([
  ["the time that passed, where the timer ran longer", { elapsed: 1800 }, 1800],
  ["the timer, where the laps bear it out", { elapsed: 1800, laps: [{ timer: 3590 }] }, 3600],
  ["the timer, where no time passed at all", { elapsed: 0 }, 3600],
])("of two times that contradict each other %s is taken, and a remark says so", (_, more, seconds) => {
  expect(durationOf(run(more))).toBe(seconds);
  expect(timerIssue(run(more))).toMatchObject({ severity: "warning", rule: "fit/elapsed-below-timer" });
});

test("a timer that stands still in pauses, or is rounded otherwise, contradicts nothing", () => {
  for (const elapsed of [4000, 3600, 3599.2]) {
    expect(durationOf(run({ elapsed }))).toBe(3600);
    expect(timerIssue(run({ elapsed }))).toBeUndefined();
  }
});

test("elsewhere than in FIT the time that passed is only that between two points, and says nothing of a timer", () => {
  const { fitSport: _, ...lap } = run({ elapsed: 1800 });
  expect(durationOf(lap)).toBe(3600);
  expect(timerIssue(lap)).toBeUndefined();
});
