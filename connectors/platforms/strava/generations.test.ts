import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { cleanHeader } from "../table/sources/places.ts";
import { COLUMNS } from "./columns.ts";
import { findLayout } from "./generations.ts";

// The header of a real export of 2020, from "Activity ID" to "Avg Elapsed Speed".
const OF_2020 =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Relative Effort,Commute,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance,Max Speed,Average Speed,Elevation Gain,Elevation Loss,Elevation Low,Elevation High,Max Grade,Average Grade,Average Positive Grade,Average Negative Grade,Max Cadence,Average Cadence,Max Heart Rate,Average Heart Rate,Max Watts,Average Watts,Calories,Max Temperature,Average Temperature,Relative Effort,Total Work,Number of Runs,Uphill Time,Downhill Time,Other Time,Perceived Exertion,Type,Start Time,Weighted Average Power,Power Count,Prefer Perceived Exertion,Perceived Relative Effort,Commute,Total Weight Lifted,From Upload,Grade Adjusted Distance,Weather Observation Time,Weather Condition,Weather Temperature,Apparent Temperature,Dewpoint,Humidity,Weather Pressure,Wind Speed,Wind Gust,Wind Bearing,Precipitation Intensity,Sunrise Time,Sunset Time,Moon Phase,Bike,Gear,Precipitation Probability,Precipitation Type,Cloud Cover,Weather Visibility,UV Index,Weather Ozone,Jump Count,Total Grit,Avg Flow,Flagged,Avg Elapsed Speed".split(
    ",",
  );
const OF_2018 = "id,date,name,type,description,elapsed_time,distance,commute,gear,filename".split(",");
const OF_2019 =
  "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename".split(
    ",",
  );

function understood(header: readonly string[]) {
  const layout = findLayout(header);
  if (typeof layout === "string") throw new Error(layout);
  return layout;
}

/** Makes a header of `count` columns: the first columns of the newest form, then unknown ones, then Media. */
function withColumns(count: number): string[] {
  const known = COLUMNS.slice(0, -1).map(([theirs]) => [theirs].flat()[0] ?? "");
  return [...known, ...Array.from({ length: count - known.length - 1 }, (_, index) => `New ${index}`), "Media"];
}

test("the columns of 2020 stand where a real export has them", () => {
  const { generation, indexOf } = understood(OF_2020);
  expect(generation).toBe("c");
  // These positions were counted in the file of 79 columns.
  expect([9, 10, 29, 53, 66, 67]).toEqual([
    indexOf(11),
    indexOf(12),
    indexOf(31),
    indexOf(55),
    indexOf(68),
    indexOf(69),
  ]);
  expect([indexOf(7), indexOf(10)]).toEqual([undefined, undefined]);
});

test("the same ten columns are metres in 2018 and kilometres in 2019: the header tells", () => {
  expect(understood(OF_2018)).toMatchObject({ generation: "a" });
  expect(understood(OF_2018).indexOf(17)).toBe(6);
  expect(understood(OF_2019)).toMatchObject({ generation: "b" });
  expect(understood(OF_2019).indexOf(6)).toBe(6);
});

test("a known header with one of its names once more is read as it is known, and the extra column is named", () => {
  const behind = understood([...OF_2019, "Distance"]);
  expect(behind).toMatchObject({ generation: "b", unknown: [{ index: 10, name: "Distance" }], width: 11 });
  expect([behind.indexOf(6), behind.indexOf(12)]).toEqual([6, 9]);
  const before = understood(["Distance", ...OF_2019]);
  expect([before.unknown, before.indexOf(0), before.indexOf(6)]).toEqual([[{ index: 0, name: "Distance" }], 1, 7]);
  // Either of two neighbours may be the extra one.
  const beside = OF_2019.toSpliced(6, 0, "Distance");
  expect(findLayout(beside)).toBe('column 8 of 11 is "Distance", where Relative Effort belongs');
});

describe("of a header nobody has met", () => {
  test("with more columns, the first 91 and the last keep their places and the rest is named", () => {
    const layout = understood(withColumns(106));
    expect(layout.indexOf(17)).toBe(17);
    expect(layout.indexOf(102)).toBe(105);
    expect(layout.unknown.map(({ name }) => name)).toEqual(["New 0", "New 1", "New 2"]);
  });

  test("with a new column among the newer ones, those are found by their words, and the new one is named", () => {
    const words = withColumns(103);
    const layout = understood([...words.slice(0, 93), "Sky Colour", ...words.slice(93)]);
    // Column 95 of 2026 is Competition, and column 99 is Downhill Distance.
    expect([layout.indexOf(95), layout.indexOf(99), layout.indexOf(102)]).toEqual([96, 100, 103]);
    expect(layout.unknown).toEqual([{ index: 93, name: "Sky Colour" }]);
  });

  test("with fewer columns than 2026 and more than 2025, the ones that it has are found", () => {
    const words = withColumns(103);
    const layout = understood([...words.slice(0, 98), ...words.slice(99, 100), ...words.slice(102)]);
    expect([layout.indexOf(96), layout.indexOf(98), layout.indexOf(99)]).toEqual([96, undefined, 98]);
    expect(layout.unknown).toEqual([]);
  });

  test("in a language nobody knows, a new width has only its stable places", () => {
    const layout = understood(Array.from({ length: 106 }, (_, index) => `sarake ${index}`));
    expect([layout.indexOf(90), layout.indexOf(95), layout.indexOf(102)]).toEqual([90, undefined, 105]);
  });

  test("with a count between two known ones, columns are found by their words, in their order", () => {
    const words = withColumns(103);
    // 84 columns: those of 2022 without the first Max Heart Rate, and with a new one before Media.
    const layout = understood([...words.slice(0, 7), ...words.slice(8, 83), "Sky Colour", "Media"]);
    // 17 is the Distance in metres, 30 the second Max Heart Rate, and 82 the Newly Explored Distance.
    expect([7, 10, 17, 30, 82, 102].map(layout.indexOf)).toEqual([undefined, 9, 16, 29, 81, 83]);
    expect(layout.unknown).toEqual([{ index: 82, name: "Sky Colour" }]);
  });

  test("with a count nobody knows and few known words, or below 79 columns, what was seen is said", () => {
    expect(findLayout(Array.from({ length: 85 }, (_, index) => `sarake ${index}`))).toMatch(/^85 columns/);
    expect(findLayout(withColumns(103).slice(0, 78))).toMatch(/^78 columns/);
  });

  test("with a new column in the middle, the columns behind it are found by their words, and the new one is named", () => {
    const words = withColumns(103);
    const layout = understood([...words.slice(0, 40), "Sky Colour", ...words.slice(40)]);
    // 39 is Downhill Time, 40 is Other Time, and 95 is Competition.
    expect([0, 1, 12, 17, 39, 40, 95, 102].map(layout.indexOf)).toEqual([0, 1, 12, 17, 39, 41, 96, 103]);
    expect(layout.unknown).toEqual([{ index: 40, name: "Sky Colour" }]);
  });

  test("with a new column among those that hold names and distances, no other column is taken for it", () => {
    const words = withColumns(103);
    const layout = understood([...words.slice(0, 6), "Sky Colour", ...words.slice(6)]);
    expect([5, 6, 7, 15, 17].map(layout.indexOf)).toEqual([5, 7, 8, 16, 18]);
    expect(layout.unknown).toEqual([{ index: 6, name: "Sky Colour" }]);
  });

  test("with a new column behind Media, Media is found, and the new one is named", () => {
    const layout = understood([...withColumns(103), "Sky Colour"]);
    expect([layout.indexOf(95), layout.indexOf(102)]).toEqual([95, 102]);
    expect(layout.unknown).toEqual([{ index: 103, name: "Sky Colour" }]);
    expect(layout.unfamiliar).toEqual([]);
  });

  test("with a known word twice, the one out of its order is named and left out", () => {
    const words = withColumns(103).slice(0, 85);
    const layout = understood([...words.slice(0, 83), "Activity ID"]);
    expect([layout.indexOf(0), layout.indexOf(82), layout.indexOf(83)]).toEqual([0, 82, undefined]);
    expect(layout.unknown).toEqual([{ index: 83, name: "Activity ID" }]);
  });

  test("with columns in other places, a word that only one column has is enough, and the others are named", () => {
    const swapped = withColumns(103);
    [swapped[2], swapped[5]] = ["Elapsed Time", "Activity Name"];
    const layout = understood(swapped);
    // Two columns are called Elapsed Time: the shown one (5) and the plain one (15).
    expect([2, 5, 15].map(layout.indexOf)).toEqual([5, undefined, 15]);
    expect(layout.unknown).toEqual([{ index: 2, name: "Elapsed Time" }]);
  });

  test("without the number or the date of a workout, the first word out of its place is named", () => {
    const words = withColumns(103);
    [words[1], words[2]] = ["Activity Name", "Sky Colour"];
    expect(findLayout(words)).toMatch(/column 2 of 103 is "Activity Name", where Activity Date belongs/);
  });

  test("with far more columns than any known header, the search for words is not begun", () => {
    expect(findLayout([...withColumns(103).toReversed(), ...Array.from({ length: 400 }, () => "Distance")])).toMatch(
      /^column 1 of 503/,
    );
  });

  test("with one unknown word among known ones, that column is named", () => {
    const { unfamiliar } = understood([...OF_2020, "Snow Distance"]);
    expect(unfamiliar).toEqual([{ index: 79, name: "Snow Distance", as: "Dirt Distance" }]);
  });

  test("in a language nobody knows, columns are read by their places", () => {
    const finnish = withColumns(103).map((_, index) => `sarake ${index}`);
    expect(understood(finnish)).toMatchObject({ generation: "i", wordsKnown: 0 });
  });
});

test.each([
  ['<span class="translation_missing" title="translation missing: en-US.lib.x.avg_flow">Avg Flow</span>', "Avg Flow"],
  ["translation missing: en-GB.lib.export.portability_exporter.activities.horton_values.avg_flow", "avg flow"],
  ["\ufeffActivity ID", "Activity ID"],
  ["Max. Steigung", "Max. Steigung"],
])("the header %s is called %s", (header, name) => {
  expect(cleanHeader(header)).toBe(name);
});

test.each(["<", "<>", "<a", "translation missing: ", "a.", " "])(
  "a header of %j over and over costs by its length",
  async (piece) => {
    const header = (length: number) => piece.repeat(length / piece.length);
    expect(await growth(header, cleanHeader, 32_768)).toBeLessThanOrEqual(LINEAR);
  },
);
