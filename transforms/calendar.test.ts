import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  addDays,
  atOffset,
  inZone,
  isLocalDate,
  isLocalTime,
  isPlausibleOffset,
  isZone,
  localDate,
  localTime,
  secondsBetween,
  zoneAt,
} from "./calendar.ts";

describe("dates and times", () => {
  test.each([
    ["2024-02-29", true],
    ["2023-02-29", false],
    ["1900-02-29", false],
    ["2000-02-29", true],
    ["2021-04-31", false],
    ["2021-13-01", false],
    ["2021-00-10", false],
    ["0000-01-01", false],
    ["2021-1-1", false],
  ])("%s is a date: %s", (text, real) => {
    expect(isLocalDate(text)).toBe(real);
  });

  test("24:00:00 and 23:60:00 are not times; 00:00:00 is", () => {
    expect(["24:00:00", "23:60:00", "00:00:00", "23:59:59"].map(isLocalTime)).toEqual([false, false, true, true]);
  });

  test("31 February has no date, and second 59.9 is shown as 59", () => {
    expect(localDate(2024, 2, 31)).toBeUndefined();
    expect(localTime(6, 5, 59.9)).toBe("06:05:59");
    expect(localTime(24, 0, 0)).toBeUndefined();
  });

  test("a day is added across months, years and a leap day", () => {
    expect(addDays("2023-12-31", 1)).toBe("2024-01-01");
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29");
  });

  test("two wall clocks are compared without a zone, also across midnight", () => {
    expect(secondsBetween({ date: "2024-03-30", time: "23:59:00" }, { date: "2024-03-31", time: "00:01:00" })).toBe(
      120,
    );
  });
});

describe("an instant on a wall clock", () => {
  // Expected values from the tz database's own rules: Vienna changes at 01:00 UTC on the last Sundays of March and October.
  test.each([
    ["Europe/Vienna", "2024-03-31T00:59:59Z", "2024-03-31", "01:59:59"],
    ["Europe/Vienna", "2024-03-31T01:00:00Z", "2024-03-31", "03:00:00"],
    ["Europe/Vienna", "2024-10-27T00:59:59Z", "2024-10-27", "02:59:59"],
    ["Europe/Vienna", "2024-10-27T01:00:00Z", "2024-10-27", "02:00:00"],
    ["Asia/Kolkata", "2019-12-31T20:00:00Z", "2020-01-01", "01:30:00"],
    ["America/St_Johns", "2021-07-01T02:00:00Z", "2021-06-30", "23:30:00"],
    ["Pacific/Auckland", "2021-01-01T11:00:00Z", "2021-01-02", "00:00:00"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", "00:00:00"],
    ["UTC", "1999-12-31T23:59:59Z", "1999-12-31", "23:59:59"],
  ])("in %s, %s is %s %s", (zone, instant, date, time) => {
    expect(inZone(Date.parse(instant), zone)).toEqual({ date, time });
  });

  test("midnight is 00:00:00, never 24:00:00", () => {
    expect(inZone(Date.parse("2024-06-01T22:00:00Z"), "Europe/Vienna").time).toBe("00:00:00");
  });

  test("at an offset of +05:30 the day may be the next one", () => {
    expect(atOffset(Date.parse("2019-12-31T20:00:00Z"), 330)).toEqual({ date: "2020-01-01", time: "01:30:00" });
  });

  test("a zone is found from a position, a nautical one at sea, none off the globe", () => {
    expect(zoneAt({ lat: 48.2, lon: 16.37 })).toBe("Europe/Vienna");
    expect(zoneAt({ lat: 39.74, lon: -104.99 })).toBe("America/Denver");
    expect(zoneAt({ lat: 28.61, lon: 77.21 })).toBe("Asia/Kolkata");
    expect(zoneAt({ lat: 0, lon: -30 })).toMatch(/^Etc\/GMT/);
    expect(zoneAt({ lat: 180, lon: 180 })).toBeUndefined();
    expect(zoneAt({ lat: Number.NaN, lon: 0 })).toBeUndefined();
  });

  test("Kyiv is a zone and Atlantis is not", () => {
    expect(isZone("Europe/Kyiv")).toBe(true);
    expect(isZone("Ocean/Atlantis")).toBe(false);
  });

  test.each([
    [330, true],
    [-720, true],
    [840, true],
    [855, false],
    [-735, false],
    [7, false],
    [-9600, false],
  ])("a device %d minutes from UTC is believed: %s", (offset, believed) => {
    expect(isPlausibleOffset(offset)).toBe(believed);
  });

  test.each(["UTC", "Pacific/Auckland", "America/St_Johns"])("the machine's own zone %s changes nothing", (zone) => {
    const script = `
      import { addDays, asIfUtc, atOffset, inZone, secondsBetween } from "./transforms/calendar.ts";
      console.log(JSON.stringify([
        inZone(Date.parse("2024-03-31T01:00:00Z"), "Europe/Vienna"), atOffset(1711846800000, 120),
        addDays("2024-03-31", 1), asIfUtc({ date: "2024-03-31", time: "02:30:00" }),
        secondsBetween({ date: "2024-03-31", time: "01:30:00" }, { date: "2024-03-31", time: "03:30:00" }),
      ]));`;
    const out = execFileSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });
    expect(JSON.parse(out)).toEqual([
      { date: "2024-03-31", time: "03:00:00" },
      { date: "2024-03-31", time: "03:00:00" },
      "2024-04-01",
      1711852200000,
      7200,
    ]);
  });
});
