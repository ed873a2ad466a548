import { expect, test } from "vitest";
import { writeFit } from "../../../fixtures/make/fit.ts";
import { randomFrom } from "../../../fixtures/make/random.ts";
import { record } from "../../../fixtures/make/recording.ts";
import { sportNamed } from "../../../fixtures/make/sports.ts";
import { readMapped } from "../../../test/support/mapped-lines.ts";

/** A FIT file of a run of so many seconds. */
function fileAt(start: string, seconds = 1800): Uint8Array {
  const wish = { sport: sportNamed("run"), start: Date.parse(start), timer: seconds, metres: seconds * 3, every: 60 };
  const recording = record({ ...wish, heartRate: false }, randomFrom(start));
  return writeFit([recording], { device: { manufacturer: 1, product: 2431, serial: 77, software: 1320 } });
}

/** The day or instant of each workout, with its file. */
async function tracksOf(
  lines: readonly string[],
  columns: readonly string[],
  more: string,
  files: Record<string, Uint8Array>,
) {
  const { workouts, issues, rejected } = await readMapped(lines, columns, { more, files });
  expect(rejected).toEqual([]);
  return { issues, tracks: workouts.map(({ value }) => [value.start.date, value.track?.entry]) };
}

test("a cell names the file of its row: by its path, by its name alone, without its ending, or as Windows writes it", async () => {
  const { tracks, issues } = await tracksOf(
    [
      "Date,File",
      "2014-03-01,tracks/one.fit",
      "2014-03-02,two.fit",
      "2014-03-03,THREE",
      "2014-03-04,C:\\Users\\ana\\four.fit",
      "2014-03-05,",
      "2014-03-06,gone.fit",
    ],
    ["Date: { field: date }", "File: { field: file }"],
    "files: { folder: tracks }",
    {
      "tracks/one.fit": fileAt("2014-03-01T09:00:00Z"),
      "tracks/two.fit": fileAt("2014-03-02T09:00:00Z"),
      "tracks/three.fit": fileAt("2014-03-03T09:00:00Z"),
      "tracks/four.fit": fileAt("2014-03-04T09:00:00Z"),
    },
  );
  expect(tracks).toEqual([
    ["2014-03-01", "tracks/one.fit"],
    ["2014-03-02", "tracks/two.fit"],
    ["2014-03-03", "tracks/three.fit"],
    ["2014-03-04", "tracks/four.fit"],
    ["2014-03-05", undefined],
    ["2014-03-06", undefined],
  ]);
  expect(issues).toMatchObject([{ rule: "csv/missing-file", field: "File", found: "gone.fit" }]);
});

test("a row gets the file that began with it, and files of no row are read by themselves", async () => {
  const { tracks } = await tracksOf(
    ["Start,Time", "2014-03-01 10:00,30:00", "2014-03-02 10:00,30:00"],
    ["Start: { field: datetime }", "Time: { field: duration, format: mm:ss }"],
    "files: { by: start }",
    { "a.fit": fileAt("2014-03-02T09:00:02Z"), "b.fit": fileAt("2014-03-05T09:00:00Z") },
  );
  expect(tracks).toEqual([
    ["2014-03-01", undefined],
    ["2014-03-02", "a.fit"],
    [undefined, "b.fit"],
  ]);
});

test("a row without a time gets the only file of its day; two rows or two files of a day stay apart", async () => {
  const { tracks } = await tracksOf(
    ["Date,km", "2014-03-01,5", "2014-03-02,5", "2014-03-02,6", "2014-03-03,5", "2014-03-04,5"],
    ["Date: { field: date }", "km: { field: distance, unit: km }"],
    "files: { by: day }",
    {
      // The watch was an hour off, but the name says the day.
      "tracks/run_20140301.fit": fileAt("2014-02-28T23:30:00Z"),
      "tracks/2014-03-02.fit": fileAt("2014-03-02T09:00:00Z"),
      "tracks/c.fit": fileAt("2014-03-03T09:00:00Z"),
      "tracks/d1.fit": fileAt("2014-03-04T09:00:00Z"),
      "tracks/d2.fit": fileAt("2014-03-04T17:00:00Z"),
    },
  );
  expect(tracks).toEqual([
    ["2014-03-01", "tracks/run_20140301.fit"],
    ["2014-03-02", undefined],
    ["2014-03-02", undefined],
    ["2014-03-03", "tracks/c.fit"],
    ["2014-03-04", undefined],
    [undefined, "tracks/2014-03-02.fit"],
    [undefined, "tracks/d1.fit"],
    [undefined, "tracks/d2.fit"],
  ]);
});
