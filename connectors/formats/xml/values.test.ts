import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../fixtures/make/random.ts";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { parseDecimal, parseTime } from "./values.ts";

describe("a number is the whole token or nothing", () => {
  test.each([
    ["0", 0],
    ["-0.5", -0.5],
    ["+12", 12],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1000],
    ["1.5E-3", 0.0015],
    ["100.00000000000001", 100.00000000000001],
  ])("%s", (text, value) => expect(parseDecimal(text)).toBe(value));

  test.each([
    "",
    " ",
    "47,123",
    "1 2",
    "12abc",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    "0x10",
    "1_000",
    "--1",
    ".",
    "e5",
    "١٢",
  ])("%j is none", (text) => expect(parseDecimal(text)).toBe(undefined));
});

describe("a time", () => {
  // Expected values from `date -u -d ... +%s`.
  test.each([
    ["2012-11-05T11:52:21Z", 1352116341000],
    ["2012-11-05T11:52:21z", 1352116341000],
    ["2012-11-05 11:52:21Z", 1352116341000],
    ["2012-11-05T11:52:21.5Z", 1352116341500],
    ["2012-11-05T11:52:21,250Z", 1352116341250],
    ["2012-11-05T11:52:21.123456789Z", 1352116341123],
    ["2012-11-05T11:52:21+00:00", 1352116341000],
    ["2012-11-05T11:52:21-00:00", 1352116341000],
    ["1970-01-01T00:00:00Z", 0],
    ["2016-02-29T00:00:00Z", 1456704000000],
    ["2012-11-05T24:00:00Z", 1352160000000],
    ["2016-12-31T23:59:60Z", 1483228800000],
  ])("%s is that instant, and its zone is only UTC", (text, instant) => {
    expect(parseTime(text)).toEqual({ instant, zoned: true });
  });

  test.each([
    ["2012-11-05T12:52:21+01:00", 60],
    ["2012-11-05T06:22:21-05:30", -330],
    ["2012-11-05T23:52:21+1200", 720],
    ["2012-11-05T13:52:21+02", 120],
  ])("%s tells how far from UTC its clock was", (text, offsetMinutes) => {
    expect(parseTime(text)).toEqual({ instant: 1352116341000, zoned: true, offsetMinutes });
  });

  test("one without a zone is read as UTC, and says so", () => {
    expect(parseTime("2012-11-05T11:52:21")).toEqual({ instant: 1352116341000, zoned: false });
  });

  test.each([
    "",
    "2012-11-05",
    "11:52:21",
    "2012-13-05T11:52:21Z",
    "2012-00-05T11:52:21Z",
    "2012-02-30T11:52:21Z",
    "2013-02-29T11:52:21Z",
    "2012-11-31T11:52:21Z",
    "2012-11-05T25:00:00Z",
    "2012-11-05T24:00:01Z",
    "2012-11-05T11:60:00Z",
    "2012-11-05T11:52:61Z",
    "9999-01-01T00:00:00Z",
    "1901-12-13T20:45:52Z",
    "2012-11-05T11:52:21+99:00",
    "1352116341",
    "05/11/2012 11:52:21",
    "2012-11-05T11:52:21Zulu",
  ])("%j is none", (text) => expect(parseTime(text)).toBe(undefined));
});

test.each(["1", ".", " ", "-", "1.", "1e", "2012-11-05T11:52:21."])(
  "a text of %j over and over is no value, and costs by its length",
  async (worst) => {
    const textOf = (length: number) => `${worst.repeat(length / worst.length)}x`;
    const parse = (text: string) => [parseDecimal(text), parseTime(text)];
    expect(parse(textOf(2 ** 20))).toEqual([undefined, undefined]);
    expect(await growth(textOf, parse, 2 ** 18)).toBeLessThanOrEqual(LINEAR);
  },
);

test("numbers and times are read as JavaScript itself reads them, to the last bit", () => {
  const random = randomFrom("values");
  for (let turn = 0; turn < 20_000; turn++) {
    const number = (random.between(-1, 1) * 10 ** random.whole(-3, 9)).toFixed(random.whole(0, 12));
    expect(Object.is(parseDecimal(number), Number(number)), number).toBe(true);
    const time = new Date(Math.floor(random.between(0, Date.UTC(2100, 0, 1)))).toISOString();
    for (const text of [time, time.replace(/\.\d+/, "")]) expect(parseTime(text)?.instant, text).toBe(Date.parse(text));
  }
});

test.each([
  ["2024-02-30T10:00:00Z", undefined],
  ["2024-02-29T24:00:00Z", "2024-03-01T00:00:00Z"],
  ["2024-02-29T24:00:01Z", undefined],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"],
  ["2024-01-01T1x:00:00Z", undefined],
  ["2024-01-01T10:00:00.1x5Z", undefined],
])("the time %s is %s", (text, same) => {
  expect(parseTime(text)?.instant).toBe(same && Date.parse(same));
});
