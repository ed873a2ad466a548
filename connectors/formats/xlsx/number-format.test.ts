import { expect, test } from "vitest";
import { formatHidesYear, kindOfBuiltIn, kindOfFormat, withColons, wordsOfFormat } from "./number-format.ts";
import { cellOfNumber } from "./serial.ts";

test.each([
  ["General", "number"],
  ["0.00", "number"],
  ["0.00E+00", "number"],
  ["#,##0.00 [$€-407]", "number"],
  ["0%", "number"],
  ["@", "number"],
  ['0" days"', "number"],
  ["[Red]0;[Blue]-0", "number"],
  ["\\d0", "number"],
  ["_-* 0.00_-", "number"],
  ["dd/mm/yyyy;@", "date"],
  ["d. mmmm yyyy", "date"],
  ["[$-407]d. mmm. yyyy", "date"],
  ["[$-F800]dddd, mmmm dd, yyyy", "date"],
  ["yyyy\\-mm\\-dd", "date"],
  ["mmm-yy", "date"],
  ["ge.m.d", "date"],
  ["m/d/yy h:mm", "date-time"],
  ["yyyy-mm-dd hh:mm:ss", "date-time"],
  ["h:mm AM/PM", "time"],
  ["h:mm:ss", "time"],
  ["hh:mm", "time"],
  ["mm:ss", "time"],
  ["mm:ss.0", "time"],
  ["[$-F400]h:mm:ss AM/PM", "time"],
  ["[h]:mm:ss", "duration"],
  ["[hh]:mm", "duration"],
  ["[m]:ss", "duration"],
  ["[ss]", "duration"],
  ['h"h "mm"min"', "time"],
])("the format %s is a %s", (code, kind) => {
  expect(kindOfFormat(code)).toBe(kind);
});

test.each([
  [0, "number"],
  [2, "number"],
  [9, "number"],
  [14, "date"],
  [17, "date"],
  [18, "time"],
  [21, "time"],
  [22, "date-time"],
  [37, "number"],
  [45, "time"],
  [46, "duration"],
  [47, "time"],
  [49, "number"],
  [57, "date"],
  [Number.NaN, "number"],
])("the built-in format %s is a %s", (id, kind) => {
  expect(kindOfBuiltIn(id)).toBe(kind);
});

// The days are those that Excel shows for these numbers.
test.each([
  [1, "date", 1900, "1900-01-01"],
  [59, "date", 1900, "1900-02-28"],
  [61, "date", 1900, "1900-03-01"],
  [25_569, "date", 1900, "1970-01-01"],
  [45_352, "date", 1900, "2024-03-01"],
  [45_352.75, "date", 1900, "2024-03-01"],
  [2_958_465, "date", 1900, "9999-12-31"],
  [0, "date", 1904, "1904-01-01"],
  [43_890, "date", 1904, "2024-03-01"],
  [45_352.753472222, "date-time", 1900, "2024-03-01 18:05:00"],
  [45_352, "date-time", 1900, "2024-03-01 00:00:00"],
  [45_352.2534780093, "date-time", 1900, "2024-03-01 06:05:00.5"],
  [0.753472222222222, "time", 1900, "18:05:00"],
  [0.0315972222222222, "time", 1900, "0:45:30"],
  [1.0625, "time", 1900, "25:30:00"],
  [45_352.753472222, "time", 1900, "18:05:00"],
  [1.0625, "duration", 1900, "25:30:00"],
  [400, "duration", 1900, "9600:00:00"],
  [0.0315980324074074, "duration", 1900, "0:45:30.07"],
  [0.75, "date-time", 1900, "18:00:00"],
  // What a format can't show is a number: a day that never was, day 0, a time before 0, a day after the last one.
  [60, "date", 1900, "60"],
  [0, "date", 1900, "0"],
  [-0.5, "duration", 1900, "-0.5"],
  [2_958_466, "date", 1900, "2958466"],
  [12.5, "number", 1900, "12.5"],
  [10.300000000000001, "number", 1900, "10.3"],
  [-0, "number", 1900, "0"],
  [0.00000012, "number", 1900, "0.00000012"],
  [123_456_789_012_345, "number", 1900, "123456789012345"],
  [1e21, "number", 1900, "1000000000000000000000"],
] as const)("the number %s as a %s from %s is %s", (value, kind, calendar, text) => {
  expect(cellOfNumber(value, kind, calendar).text).toBe(text);
});

test.each([
  ["d-mmm", true],
  ["dd/mm", true],
  ['d". "mmmm', true],
  ["ddd, d. mmm", true],
  ["d-mmm-yy", false],
  ["[$-411]ge.m.d", false],
  ["mmm-yy", false],
  ["h:mm:ss", false],
  ["0.00", false],
])("the format %s hides the year: %s", (code, hides) => {
  expect(formatHidesYear(code)).toBe(hides);
});

test.each([
  ['0.00" mi"', { unit: "mi" }],
  ['0.0 "kg"', { unit: "kg" }],
  ["#,##0\\ \\m", { unit: "m" }],
  ['General" km"', { unit: "km" }],
  ['[Blue]0.0_-" Miles"', { unit: "mi" }],
  ['0" yds";-0" yds"', { unit: "yd" }],
  ['00":"00', { colons: 1 }],
  ["0\\:00\\:00", { colons: 2 }],
  // No unit of the log, and no unit of the number as it stands: a thousandth of it, another number, or a text in front.
  ['0.0" Std"', {}],
  ['0" bpm"', {}],
  ['0.0," km"', {}],
  ['0,.0" km"', {}],
  ['0%" m"', {}],
  ['[<100]0.0" km";0.0" mi"', {}],
  ['"km "0.0', {}],
  ['0" km "0" m"', {}],
  ['0.0;0.0" mi"', {}],
  ['0.0" km', {}],
])("the format %s puts %j to a number", (code, words) => {
  expect(wordsOfFormat(code)).toEqual(words);
});

test("the digits of a number stand between the colons of its format, from the right", () => {
  const shown = [
    withColons(4530, 1),
    withColons(530, 1),
    withColons(10_230, 2),
    withColons(5, 2),
    withColons(12_345, 1),
  ];
  expect(shown).toEqual(["45:30", "5:30", "1:02:30", "0:00:05", "123:45"]);
  expect([withColons(4530.5, 1), withColons(-4530, 1)]).toEqual([undefined, undefined]);
});
