import { expect, test } from "vitest";
import { inZone, isZone } from "../../../transforms/calendar.ts";
import { instantOf, percent, sportOf, temperature, zoneOf } from "./values.ts";

test.each([
  [sportOf, "HKWorkoutActivityTypeHighIntensityIntervalTraining", "High Intensity Interval Training"],
  [sportOf, "Running", "Running"],
  [instantOf, "2016-11-14 07:25:41 -0700", "2016-11-14T14:25:41.000Z"],
  [instantOf, "yesterday", "yesterday"],
  [temperature, "56 degF", "56 F"],
  [temperature, "13.5 degC", "13.5 C"],
  [percent, "9600 %", "96 %"],
  [percent, "96 %", "96 %"],
  [zoneOf, "GMT+0900", "+09:00"],
  [zoneOf, "GMT-0330", "-03:30"],
  [zoneOf, "Asia/Kathmandu", "Asia/Kathmandu"],
])("%o reads %j as %j", (read, text, expected) => expect(read(text)).toBe(expected));

test("a distance from UTC is a zone to the calendar", () => {
  expect(isZone(zoneOf("GMT+0900"))).toBe(true);
  expect(inZone(Date.UTC(2024, 0, 1, 20), zoneOf("GMT+0900"))).toEqual({ date: "2024-01-02", time: "05:00:00" });
});
