import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert, inMetres, roundingOf, roundMeasure, roundTo, UNITS, unitSpelt } from "./units.ts";

describe("units", () => {
  // NIST SP 811 (2008), appendix B.8: mile, yard, pound and degree Fahrenheit.
  test.each([
    ["distance", { unit: "mi", value: 1 }, "m", 1609.344],
    ["distance", { unit: "mi", value: 26.21875 }, "km", 42.194988],
    ["distance", { unit: "yd", value: 100 }, "m", 91.44],
    ["distance", { unit: "km", value: 5 }, "mi", 3.106855961],
    ["weight", { unit: "lb", value: 150 }, "kg", 68.0388555],
    ["weight", { unit: "kg", value: 70 }, "lb", 154.3235835],
    ["temperature", { unit: "F", value: 32 }, "C", 0],
    ["temperature", { unit: "F", value: 212 }, "C", 100],
    ["temperature", { unit: "C", value: -40 }, "F", -40],
  ] as const)("%s: %o is %s %d", (dimension, from, to, expected) => {
    const result = convert(dimension, from as never, to as never);
    expect(result.unit).toBe(to);
    expect(result.value).toBeCloseTo(expected, 6);
  });

  test("a value in its own unit passes through untouched, float noise and all", () => {
    expect(convert("distance", { unit: "mi", value: 4.1299999 }, "mi")).toEqual({ unit: "mi", value: 4.1299999 });
  });

  test("0 °C is a temperature: 32 °F", () => {
    expect(convert("temperature", { unit: "C", value: 0 }, "F").value).toBeCloseTo(32, 9);
  });

  test("writing in the owner's unit and reading back stays within half the last written decimal", () => {
    for (const dimension of ["distance", "weight", "temperature"] as const) {
      const units = UNITS[dimension].map((row) => row.unit);
      fc.assert(
        fc.property(
          fc.constantFrom(...units),
          fc.constantFrom(...units),
          fc.double({ min: -200, max: 500_000, noNaN: true }),
          (from, to, value) => {
            const there = roundMeasure(dimension, convert(dimension, { unit: from, value } as never, to as never));
            const back = convert(dimension, there, from as never);
            const allowed = convert(
              dimension,
              { unit: to, value: roundingOf(dimension, to as never) } as never,
              from as never,
            );
            const zero = convert(dimension, { unit: to, value: 0 } as never, from as never);
            expect(Math.abs(back.value - value)).toBeLessThanOrEqual(
              Math.abs(allowed.value - zero.value) * 1.000001 + 1e-9,
            );
          },
        ),
      );
    }
  });

  test.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [10.004999, 2, 10],
    [1e-9, 2, 0],
    [1e21, 2, 1e21],
    [0, 2, 0],
  ])("%d to %d decimals is %d", (value, decimals, expected) => {
    expect(roundTo(value, decimals)).toBe(expected);
  });

  test.each([
    ["distance", "Mile", "mi"],
    ["distance", "Kilometer", "km"],
    ["distance", " KM ", "km"],
    ["distance", "Meter", "m"],
    ["distance", "yds", "yd"],
    ["weight", "lbs.", "lb"],
    ["temperature", "°C", "C"],
    ["distance", "furlong", undefined],
    ["distance", "", undefined],
  ] as const)("the %s unit spelt %j is %s", (dimension, spelling, unit) => {
    expect(unitSpelt(dimension, spelling)).toBe(unit);
  });

  test("a marathon is 42,195 m in miles and kilometres alike", () => {
    expect(inMetres({ unit: "km", value: 42.195 })).toBeCloseTo(42195, 6);
    expect(inMetres({ unit: "mi", value: 26.2187575 })).toBeCloseTo(42195, 2);
  });
});
