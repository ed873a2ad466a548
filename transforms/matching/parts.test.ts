import { expect, test } from "vitest";
import { findParts, type Span } from "./parts.ts";

const span = (minute: number, km: number | undefined, minutes: number, activity: Span["activity"] = "run"): Span => ({
  activity,
  at: minute * 60_000,
  metres: km === undefined ? undefined : km * 1_000,
  seconds: minutes * 60,
});
const whole = span(0, 10, 60);

/** How many parts are found, and the score; 9 is enough for one workout, and from 5 on it is doubtful. */
function found(of: Span, ...others: readonly Span[]) {
  const parts = findParts(of, others);
  return parts && { parts: parts.parts.length, score: parts.score };
}

test.each([
  ["with a stop that the whole doesn't count", whole, [span(0, 5, 30), span(45, 5, 30)], 2, 11],
  ["with a stop that the whole counts", span(0, 10, 75), [span(0, 5, 30), span(45, 5, 30)], 2, 11],
  ["in three", whole, [span(0, 3, 20), span(25, 3, 20), span(50, 4, 20)], 3, 11],
  ["after a long lunch", whole, [span(0, 5, 30), span(150, 5, 30)], 2, 9],
  ["beside a swim between them", whole, [span(0, 5, 30), span(32, 1, 5, "swim"), span(45, 5, 30)], 2, 11],
  [
    "of a triathlon",
    span(0, 51.5, 159, "other"),
    [span(0, 1.5, 30, "swim"), span(32, 40, 80, "bike"), span(114, 10, 45)],
    3,
    11,
  ],
] as const)("the parts %s are surely the whole", (_, of, others, parts, score) => {
  expect(found(of, ...others)).toEqual({ parts, score });
});

test.each([
  ["measured 5 % more", whole, [span(0, 5.5, 30), span(45, 5, 30)]],
  ["have no distances", span(0, undefined, 60), [span(0, undefined, 30), span(40, undefined, 30)]],
  ["last 10 % longer", whole, [span(0, 5, 33), span(45, 5, 33)]],
] as const)("parts that %s are doubtful", (_, of, others) => {
  const score = found(of, ...others)?.score;
  expect(score).toBeGreaterThanOrEqual(5);
  expect(score).toBeLessThan(9);
});

test.each([
  ["that begin later than the whole", [span(10, 5, 30), span(45, 5, 30)]],
  ["of which one is hours later", [span(0, 5, 30), span(300, 5, 30)]],
  ["at one time", [span(0, 5, 30), span(10, 5, 30)]],
  ["that are half of it in all", [span(0, 3, 15), span(30, 2, 15)]],
  ["of another sport", [span(0, 5, 30, "bike"), span(45, 5, 30, "bike")]],
  ["of which there is one", [span(0, 10, 60)]],
])("workouts %s are no parts", (_, others) => {
  expect(found(whole, ...others)).toBeUndefined();
});

test("one sport twice is no triathlon", () => {
  expect(found(span(0, 10, 75, "other"), span(0, 5, 30), span(45, 5, 30))).toBeUndefined();
});
