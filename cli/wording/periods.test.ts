import { expect, test } from "vitest";
import { firstDay, isPeriod, lastDay } from "./periods.ts";

test.each([
  ["2023", "2023-01-01", "2023-12-31"],
  ["2023-07", "2023-07-01", "2023-07-31"],
  ["2023-04", "2023-04-01", "2023-04-30"],
  ["2024-02", "2024-02-01", "2024-02-29"],
  ["2023-02", "2023-02-01", "2023-02-28"],
  ["2023-12", "2023-12-01", "2023-12-31"],
  ["2023-07-15", "2023-07-15", "2023-07-15"],
  ["9999-12", "9999-12-01", "9999-12-31"],
])("the period %s goes from %s to %s", (text, first, last) => {
  expect(firstDay(text)).toBe(first);
  expect(lastDay(text)).toBe(last);
});

test.each(["", "23", "2023-13", "2023-00", "2023-02-29", "2023-7", "15.07.2023", "0000", "2023-07-15T10:00", " 2023"])(
  "%j is no period",
  (text) => {
    expect(isPeriod(text)).toBe(false);
  },
);

test("no period has no first and no last day", () => {
  expect(firstDay(undefined)).toBeUndefined();
  expect(lastDay(undefined)).toBeUndefined();
});
