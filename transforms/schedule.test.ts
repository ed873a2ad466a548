import { expect, test } from "vitest";
import { dueAt, findNext, longestGap } from "./schedule.ts";

const at = (time: string) => Date.parse(time);
const VIENNA = { cron: "30 2 * * *", zone: "Europe/Vienna" };

test.each([
  ["2026-03-28T12:00Z", "2026-03-29T01:00:00.000Z"], // 02:30 isn't there: the first minute after the gap
  ["2026-03-29T01:00Z", "2026-03-30T00:30:00.000Z"],
  ["2026-10-24T12:00Z", "2026-10-25T00:30:00.000Z"], // 02:30 is there twice: the first
  ["2026-10-25T00:30Z", "2026-10-26T01:30:00.000Z"],
  ["2026-10-25T01:29Z", "2026-10-26T01:30:00.000Z"],
  ["2028-02-28T12:00Z", "2028-02-29T01:30:00.000Z"],
])("after %s it is due at %s, in summer time and out of it", (last, due) => {
  expect(new Date(findNext(VIENNA, at(last))).toISOString()).toBe(due);
});

test("half an hour's change, at midnight, is no problem", () => {
  const rule = { cron: "10 2 * * *", zone: "Australia/Lord_Howe" };
  // 02:00 becomes 02:30 on the 4th of October 2026.
  expect(new Date(findNext(rule, at("2026-10-03T00:00Z"))).toISOString()).toBe("2026-10-03T15:30:00.000Z");
  expect(new Date(findNext(rule, at("2026-10-03T15:30Z"))).toISOString()).toBe("2026-10-04T15:10:00.000Z");
});

test("what never was is due at once; a last time in the future, by a clock that was set back, counts as now", () => {
  expect(dueAt(VIENNA, undefined, at("2026-06-01T00:00Z"))).toBe(Number.NEGATIVE_INFINITY);
  expect(dueAt({ everyMs: 1000 }, 9000, 5000)).toBe(6000);
  expect(dueAt({ everyMs: 1000 }, 4500, 5000)).toBe(5500);
});

test("a day that no year has is never due", () => {
  expect(findNext({ cron: "0 0 30 2 *", zone: "UTC" }, at("2026-06-01T00:00Z"))).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ["30 2 * * *", 24],
  ["30 2 * * 1-5", 72],
  ["0 0 1 * *", 31 * 24],
  ["0 */6 * * *", 6],
])("%s pauses for %i hours at the most", (cron, hours) => {
  expect(longestGap({ cron, zone: "UTC" }, at("2026-06-01T00:00Z"))).toBe(hours * 3_600_000);
});
