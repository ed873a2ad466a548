import { describe, expect, test } from "vitest";
import { closesAt, type Hours, isWithin, nextDayAt, opensAt, parseHours } from "./sending-hours.ts";

const ZONE = "Europe/Vienna";
const at = (text: string) => Date.parse(text);
const iso = (moment: number) => new Date(moment).toISOString();
const hoursOf = (text: string) => parseHours(text) as Hours;

test("hours are two times of a day, and nothing else", () => {
  expect(parseHours("22:00-06:00")).toEqual({ from: 1320, until: 360 });
  expect(parseHours("00:00-24:00")).toEqual({ from: 0, until: 1440 });
  for (const text of ["", "22-6", "22:00", "24:00-06:00", "06:00-06:00", "22:60-06:00", "22:00-24:01", "25:00-26:00"])
    expect(parseHours(text), text).toBeUndefined();
});

describe("a night across midnight", () => {
  const night = hoursOf("22:00-06:00");
  test.each([
    // In winter Vienna is an hour ahead of UTC.
    ["2026-01-10T12:00:00Z", "2026-01-10T21:00:00Z", undefined],
    ["2026-01-10T21:00:00Z", "2026-01-10T21:00:00Z", "2026-01-11T05:00:00Z"],
    ["2026-01-11T04:59:00Z", "2026-01-11T04:59:00Z", "2026-01-11T05:00:00Z"],
    ["2026-01-11T05:00:00Z", "2026-01-11T21:00:00Z", undefined],
    // The night in which the clocks go forward has seven hours, and the one in which they go back has nine.
    ["2026-03-28T21:00:00Z", "2026-03-28T21:00:00Z", "2026-03-29T04:00:00Z"],
    ["2026-10-24T20:00:00Z", "2026-10-24T20:00:00Z", "2026-10-25T05:00:00Z"],
  ])("at %s it opens at %s and closes at %s", (now, opens, closes) => {
    expect(iso(opensAt(night, at(now), ZONE))).toBe(iso(at(opens)));
    if (closes !== undefined) expect(iso(closesAt(night, at(now), ZONE))).toBe(iso(at(closes)));
    expect(isWithin(night, at(now), ZONE)).toBe(opens === now);
  });
});

test("a beginning that the clocks leap over is the first minute after the gap", () => {
  const hours = hoursOf("02:30-05:00");
  expect(iso(opensAt(hours, at("2026-03-29T00:30:00Z"), ZONE))).toBe("2026-03-29T01:00:00.000Z");
  expect(iso(closesAt(hours, at("2026-03-29T01:00:00Z"), ZONE))).toBe("2026-03-29T03:00:00.000Z");
});

test("the whole day never closes, and a day begins at the zone's midnight", () => {
  expect(closesAt(hoursOf("00:00-24:00"), at("2026-06-01T12:00:00Z"), ZONE)).toBe(Number.POSITIVE_INFINITY);
  expect(iso(nextDayAt(at("2026-06-01T12:00:00Z"), ZONE))).toBe("2026-06-01T22:00:00.000Z");
  expect(iso(nextDayAt(at("2026-06-01T21:59:30Z"), ZONE))).toBe("2026-06-01T22:00:00.000Z");
  // Here the clocks go forward at midnight: the day begins at one o'clock.
  expect(iso(nextDayAt(at("2026-04-23T12:00:00Z"), "Africa/Cairo"))).toBe("2026-04-23T22:00:00.000Z");
});
