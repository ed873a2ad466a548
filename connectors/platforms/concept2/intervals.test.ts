import { expect, test } from "vitest";
import { intervalsOf } from "./intervals.ts";

const rowOf = (Description: string, seconds: string, metres: string) => (column: string) =>
  ({ Description, "Work Time (Seconds)": seconds, "Work Distance": metres })[column] ?? "";

test.each([
  [rowOf("2x0:30/1:00r row", "60", "320"), [{ timer: 30 }, { timer: 60 }, { timer: 30 }, { timer: 60 }]],
  [rowOf("1x1:02:03/0:30.5r", "3723", ""), [{ timer: 3723 }, { timer: 30.5 }]],
  [
    rowOf("2x500m/2:00r", "210", "1,000"),
    [{ distance: { unit: "m", value: 500 } }, { timer: 120 }, { distance: { unit: "m", value: 500 } }, { timer: 120 }],
  ],
])("a description of equal pieces gives work and rest in turn", (cellOf, laps) => {
  const kinds = laps.map((lap, index) => ({ intensity: index % 2 === 0 ? "interval" : "rest", ...lap }));
  expect(JSON.parse(intervalsOf(cellOf))).toEqual(kinds);
});

test.each([
  ["a single distance", rowOf("5000m row", "1200", "5000")],
  ["a description that the work contradicts", rowOf("8x500m/2:00r", "700", "3500")],
  ["pieces of different lengths", rowOf("v500m/1:00r...7", "900", "3500")],
  ["no work", rowOf("0x500m/2:00r", "0", "0")],
])("%s gives no intervals", (_, cellOf) => expect(intervalsOf(cellOf)).toBe(""));
