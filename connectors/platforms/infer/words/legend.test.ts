import { expect, test } from "vitest";
import { isOpen } from "../choices/choice.ts";
import { assignRoles } from "../columns/roles.ts";
import { columnsOf } from "../sample/column.ts";
import { scaleOf } from "../units/ratings.ts";

/** The scale of a column of ratings: the one that is chosen, or all that a person may choose. */
function scaleBelow(header: string, ratings: readonly number[]) {
  const sample = {
    ...{
      path: "log.csv",
      skip: 0,
      title: "",
      titles: [],
      hasHeader: true,
      header: ["Date", header],
      above: [],
      upper: [],
      units: undefined,
    },
    ...{ sums: new Map(), provenSums: new Map(), isCut: false },
    rows: ratings.map((rating, at) => ({ line: at + 2, fields: [`2014-03-${10 + at}`, String(rating)] })),
  };
  const column = assignRoles(columnsOf(sample), true, new Map())[1];
  const choice = column && scaleOf(column);
  if (choice === undefined) return column?.role;
  return isOpen(choice) ? choice.options.map(({ value }) => value) : choice.value;
}

const TO_FIVE = [1, 2, 3, 4, 5, 2, 3, 1];

test.each([
  ["Feel (1=great, 5=awful)", "5..1 -> 1..10"],
  ["Feel (5=great 1=awful)", "1..5 -> 1..10"],
  ["Feel (1 best - 5 worst)", "5..1 -> 1..10"],
  ["Feel (great=1, awful=5)", "5..1 -> 1..10"],
  ["Mood (1 is bad; 5 is good)", "1..5 -> 1..10"],
  ["Feeling 1-5 (1 = best)", "5..1 -> 1..10"],
  ["Befinden (1=sehr gut, 3=mittel, 6=schlecht)", "6..1 -> 1..10"],
  ["Sensations (1 : mauvais, 5 : très bon)", "1..5 -> 1..10"],
  ["Effort (1=easy, 5=hard)", "1..5 -> 1..10"],
  ["Effort (10=easy, 1=all out)", "10..1 -> 1..10"],
  ["Belastung (1 leicht - 10 schwer)", "effort"],
  ["RPE (1-10; 10 = max)", "effort"],
])("%s says its scale: %s", (header, scale) => {
  expect(scaleBelow(header, TO_FIVE)).toBe(scale);
});

test.each([
  ["Feel", ["1..5 -> 1..10", "5..1 -> 1..10", "1..10 -> 1..10"]],
  ["Schulnote", ["5..1 -> 1..10", "6..1 -> 1..10", "1..5 -> 1..10", "1..10 -> 1..10"]],
  ["Gefühl (Schulnote)", ["5..1 -> 1..10", "6..1 -> 1..10", "1..5 -> 1..10", "1..10 -> 1..10"]],
  ["Note", ["5..1 -> 1..10", "6..1 -> 1..10", "1..5 -> 1..10", "1..10 -> 1..10"]],
  ["Note (1-6)", ["1..6 -> 1..10", "6..1 -> 1..10"]],
  ["Feel (1 = best)", ["5..1 -> 1..10", "6..1 -> 1..10", "7..1 -> 1..10", "10..1 -> 1..10"]],
  ["Feel (1=up, 5=down)", ["1..5 -> 1..10", "5..1 -> 1..10"]],
  ["Feel (1 = not good, 5 = meh)", ["1..5 -> 1..10", "5..1 -> 1..10"]],
  ["Quality (1=good, 3=bad)", ["5..1 -> 1..10", "1..5 -> 1..10"]],
])("the best rating below %s is a question", (header, scales) => {
  expect(scaleBelow(header, TO_FIVE)).toEqual(scales);
});
