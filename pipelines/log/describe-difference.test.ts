import { expect, test } from "vitest";
import { sidesOf } from "./describe-difference.ts";

const lap = (metres: number, duration: number) => ({
  type: "interval",
  distance: { unit: "m", value: metres },
  duration,
});

test("a lap that is no longer in the log is told in words, and of equal laps each counts", () => {
  const field = "intervalSet.intervals";
  const expected = [lap(400, 92), lap(400, 92), lap(1_000, 240)];
  expect(sidesOf({ field, expected, found: expected.slice(1) })).toEqual({
    expected: "3 intervals, with type interval, distance 400 m, duration 92",
    found: "2 intervals",
  });
  expect(sidesOf({ field, expected, found: [lap(1_000, 240)] })).toMatchObject({ found: "1 interval" });
  expect(sidesOf({ field, expected, found: [...expected, lap(200, 40)] })).toEqual({
    expected: "3 intervals",
    found: "4 intervals, with type interval, distance 200 m, duration 40",
  });
});

test.each([
  [{ unit: "km", value: 6.6437 }, { unit: "km", value: 5 }, "6.644 km", "5 km"],
  ["slow", undefined, '"slow"', "nothing"],
  [{ fieldSize: 340, isDone: true }, {}, "field size 340, is done true", "nothing"],
])("%o and %o are read as words", (expected, found, one, other) => {
  expect(sidesOf({ field: "any", expected, found })).toEqual({ expected: one, found: other });
});
