import { expect, test } from "vitest";
import { compareBodies } from "./compare-bodies.ts";

const body = (unit: string, value: number) => ({ details: { distance: { unit, value } } }) as never;

// What a distance is in kilometres and in miles, each rounded to three decimals from the source's own value, typed from the definition of the mile.
test.each([
  ["5.08 km of a watch", 5.08, 3.157],
  ["12.427 mi of a sheet", 19.999, 12.427],
  ["8000 yd of a pool", 7.315, 4.545],
  ["20 km of a sheet", 20, 12.427],
])("%s is the same in two logs with other units, in either direction", (_, km, mi) => {
  expect(compareBodies(body("km", km), body("mi", mi), "both")).toEqual([]);
  expect(compareBodies(body("mi", mi), body("km", km), "both")).toEqual([]);
});

test("more than the rounding of both is a difference in other units, and any is one in the same unit", () => {
  expect(compareBodies(body("km", 5.082), body("mi", 3.157), "both")).toEqual([]);
  expect(compareBodies(body("km", 5.083), body("mi", 3.157), "both")).toHaveLength(1);
  expect(compareBodies(body("km", 5.081), body("km", 5.08), "both")).toHaveLength(1);
});

test("a log that converts a value rounds it once", () => {
  expect(compareBodies(body("km", 5.08), body("mi", 3.157))).toEqual([]);
  expect(compareBodies(body("mi", 3.157), body("km", 5.08))).toHaveLength(1);
});
