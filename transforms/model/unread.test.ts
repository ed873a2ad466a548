import { expect, test } from "vitest";
import type { Issue } from "./issue.ts";
import { describeColumns, describeFiles, newColumns, unconfirmedColumns, unreadFiles, withNamesOf } from "./unread.ts";

const FILES: Issue = { severity: "warning", rule: "oura/other-files", found: "a.csv", count: 1, names: ["a.csv"] };
const COLUMN: Issue = { severity: "warning", rule: "table/unknown-column", field: "mood" };

test("the first five files are named, safe to print, and the others are counted", () => {
  expect(describeFiles({ count: 1, names: ["\u001b[2J.csv"] })).toBe("1 file was not read: \\x1b[2J.csv");
  expect(describeFiles({ count: 1200, names: ["1", "2", "3", "4", "5", "6"] })).toBe(
    "1 200 files were not read: 1, 2, 3, 4, 5 ...",
  );
  expect(describeColumns({ count: 1, names: ["mood"] })).toBe("1 new column was not read: mood");
});

test("pictures and texts are not among the files that may hold workouts", () => {
  expect(unreadFiles({ ...FILES, severity: "info" })).toBeUndefined();
  expect(unreadFiles(COLUMN)).toBeUndefined();
  expect(newColumns(FILES)).toBeUndefined();
});

test("a remark of an earlier version names the first files", () => {
  const old: Issue = { severity: "warning", rule: "archive/other-files", found: "a, b, c, d, e ...", count: 7 };
  expect(unreadFiles(old)).toEqual({ count: 7, names: ["a", "b", "c", "d", "e"] });
});

test("two remarks of one rule become one with the names of both, and a column of two tables counts once", () => {
  expect(withNamesOf(FILES, { ...FILES, count: 2, names: ["a.csv", "b.csv"] })).toMatchObject({
    count: 3,
    names: ["a.csv", "a.csv", "b.csv"],
  });
  const both = withNamesOf(withNamesOf(COLUMN, { ...COLUMN, field: "sky" }), COLUMN);
  expect(both).toMatchObject({ field: "mood", names: ["mood", "sky"] });
  const other: Issue = { severity: "info", rule: "gpx/empty-segment", count: 4 };
  expect(withNamesOf(other, { ...other, count: 1 })).toEqual(other);
});

test("nobody has said that the values of a column may be left out which a mapping file doesn't name", () => {
  const unmapped: Issue = { severity: "warning", rule: "csv/unmapped-column", field: "Partner", names: ["Partner: 3"] };
  expect(unconfirmedColumns(unmapped)).toEqual([{ words: "Partner", values: 3 }]);
  const other: Issue = { ...unmapped, field: "HR", names: ["HR: 2"] };
  expect(unconfirmedColumns(withNamesOf(unmapped, other))).toEqual([
    { words: "Partner", values: 3 },
    { words: "HR", values: 2 },
  ]);
});
