import { expect, test } from "vitest";
import { type MixedDates, swappedDates } from "./swapped-dates.ts";

const dayOf = (at: number) => new Date(Date.UTC(2019, 0, 5 + 4 * at)).toISOString().slice(0, 10);
const swap = (day: string) => [day.slice(0, 4), day.slice(8), day.slice(5, 7)].join("-");

/** A sheet with a date every fourth day, typed with the month first, into a program that has the day first in the rows of which `isWrong` holds. */
function sheet(isWrong: (row: number) => boolean): MixedDates {
  const whole = Array.from({ length: 80 }, (_, at) => dayOf(at));
  const isTaken = (row: number) => Number(whole[row]?.slice(8)) <= 12;
  const days = whole.map((day, row) => (isWrong(row) && isTaken(row) ? swap(day) : day));
  const own = new Set(days.keys().filter((row) => !isWrong(row) || isTaken(row)));
  return { name: "Date", order: "mdy", days, own, isAmbiguous: () => false };
}

test.each([
  ["from a row on", (row: number) => row >= 40, / dates after 2019-\d\d-\d\d in the column "Date" seem/],
  ["up to a row", (row: number) => row < 40, / dates up to 2019-\d\d-\d\d in the column "Date" seem/],
  ["in all rows", () => true, /^\d+ dates in the column "Date" seem/],
])("dates that a program swapped %s are no silent reading", (_, isWrong, problem) => {
  expect(swappedDates(sheet(isWrong))?.problem).toMatch(problem);
});

test("dates of the workbook beside typed ones past the 12th are no sign where nothing jumps", () => {
  const { days, ...rest } = sheet(() => false);
  const own = new Set(days.keys().filter((row) => row < 40 || Number(days[row]?.slice(8)) <= 12));
  expect(swappedDates({ ...rest, days, own })).toBeUndefined();
});
