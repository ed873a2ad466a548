import { expect, test } from "vitest";
import { missingParts, partNameOf } from "./part-names.ts";

test.each<[name: string, stem: string, number: number, of: number | undefined]>([
  ["takeout-20240131T101112Z-001.zip", "takeout-20240131t101112z", 1, undefined],
  ["takeout-20240131T101112Z-1-012.zip", "takeout-20240131t101112z-1", 12, undefined],
  ["0A1B2C3D-0000-4000-8000-000000000000_2.zip", "0a1b2c3d-0000-4000-8000-000000000000", 2, undefined],
  ["export (2 of 4).zip", "export", 2, 4],
  ["Export-part1of4.ZIP", "export", 1, 4],
  ["backup.part3.zip", "backup", 3, undefined],
  ["backup_Part_3.zip", "backup", 3, undefined],
])("%s is a part", (name, stem, number, of) => {
  expect(partNameOf(name)).toEqual({ stem, number, of });
});

test.each([
  ["export_24680135.zip"],
  ["export (1).zip"],
  ["runs-001.zip"],
  ["takeout-20240131T101112Z.zip"],
  ["part1.csv"],
  ["part 0.zip"],
  ["2 of 4.zip"],
])("%s is none", (name) => {
  expect(partNameOf(name)).toBeUndefined();
});

test("missing parts are those below the highest, and those that a name counts", () => {
  const parts = (...numbers: readonly number[]) => numbers.map((number) => ({ stem: "a", number, of: undefined }));
  expect(missingParts(parts(1, 2))).toEqual([]);
  expect(missingParts(parts(2, 4))).toEqual([1, 3]);
  expect(missingParts([{ stem: "a", number: 1, of: 3 }])).toEqual([2, 3]);
});
