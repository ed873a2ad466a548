import { expect, test } from "vitest";
import { areasOf } from "./areas.ts";

test("places near one another are one area, the one with the most workouts first; a far one is another", () => {
  const areas = areasOf([
    { lat: 40.02, lon: -105.27, workouts: 3 },
    { lat: 48.21, lon: 16.4, workouts: 5 },
    { lat: 48.25, lon: 16.2, workouts: 2 },
    { lat: 48.6, lon: 16.9, workouts: 1 },
  ]);
  expect(areas.map(({ workouts, cells }) => [workouts, cells.length])).toEqual([
    [8, 3],
    [3, 1],
  ]);
  expect(areas[0]).toMatchObject({ lat: 48.21, lon: 16.4, zone: "Europe/Vienna" });
  expect(areas[1]?.zone).toBe("America/Denver");
});

test("an area on both sides of the date line is one", () => {
  const areas = areasOf([
    { lat: -16.8, lon: 179.98, workouts: 1 },
    { lat: -16.8, lon: -179.98, workouts: 2 },
  ]);
  expect(areas).toHaveLength(1);
  expect(areas[0]?.workouts).toBe(3);
});

test("a place at sea has no zone of a land, and the poles are places too", () => {
  expect(areasOf([{ lat: 30, lon: -40, workouts: 1 }])[0]?.zone).toBeUndefined();
  expect(
    areasOf([
      { lat: 90, lon: 0, workouts: 1 },
      { lat: -90, lon: 180, workouts: 1 },
    ]),
  ).toHaveLength(2);
});
