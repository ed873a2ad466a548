/** A sheet without notes whose days were all wrong by the same number of days or years, and were put right after it was loaded. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorld } from "./matrix/world.ts";
import { certified } from "./support/certified.ts";
import { distancesOf, told } from "./support/promotions.ts";

const MAPPING = `version: 1
dates: { order: iso }
defaults: { activity: run }
columns:
  Day: { field: date }
  Distance: { field: distance, unit: km }
  Time: { field: duration, format: "h:mm:ss" }
`;

test.each([
  ["by a day", (day: Date) => day.setUTCDate(day.getUTCDate() + 1)],
  // 2020 has a day more than 2021.
  ["by a year", (day: Date) => day.setUTCFullYear(day.getUTCFullYear() + 1)],
])("rows that all moved %s wait for a person, and are not loaded as other workouts", async (_, move) => {
  await using world = await openWorld({ runs: [] });
  const folder = join(world.folder, "sheet");
  mkdirSync(folder);
  const source = join(folder, "log.csv");
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
  const days = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2020, 0, 5 + 9 * at)));
  const write = () =>
    writeFileSync(
      source,
      [
        "Day,Distance,Time",
        ...days.map((day, at) => `${day.toISOString().slice(0, 10)},${5 + at / 10},0:3${at % 10}:07`),
      ].join("\n"),
    );
  write();
  expect((await world.run(["import", source])).code).toBe(0);
  for (const day of days) move(day);
  write();
  const later = await world.run(["import", source]);
  expect(later.code, told(later)).toBe(3);
  expect(told(later)).toContain("plan/perhaps-edited");
  expect(await distancesOf(world)).toHaveLength(12);
  expect((await certified(world)).read.verdict).toMatchObject({ canClose: false });
});
