import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../../test/support/growth.ts";
import { DURATION_FORMATS } from "../mapping/fields.ts";
import {
  type Dates,
  parseDate,
  parseDateTime,
  parseMeasure,
  parseNumber,
  parseTimeOfDay,
  parseWhole,
} from "./cells.ts";
import { parseDuration } from "./durations.ts";

const dates = (order: Dates["order"], zone: Dates["zone"] = "local"): Dates => ({ order, zone, twoDigitYearPivot: 70 });

test.each([
  ["1,234.5", ".", 1234.5],
  ["1.234,5", ",", 1234.5],
  ["8,5", ",", 8.5],
  ["8,5", ".", undefined],
  ["8.5", ",", undefined],
  ["1,234", ".", 1234],
  ["12,4,1", ".", undefined],
  ["12,4,1", ",", undefined],
  ["1.23.456", ",", undefined],
  ["0", ".", 0],
  ["-3.5", ".", -3.5],
  ["\u22123.5", ".", -3.5],
  ["3\u22125", ".", undefined],
  ["1e9", ".", undefined],
  ["", ".", undefined],
  ["~45", ".", undefined],
  ["2'400", ".", 2400],
  ["1\u2019234\u2019567.5", ".", 1_234_567.5],
  ["24'00", ".", undefined],
  ["2'4000", ".", undefined],
  ["3 250", ".", 3250],
  ["3\u00a0250,5", ",", 3250.5],
  ["1\u202f234\u202f567", ".", 1_234_567],
  ["3 25", ".", undefined],
  ["3 2500", ".", undefined],
  ["3250 100", ".", undefined],
] as const)("%j with the decimal mark %s is %s", (text, decimal, value) => {
  expect(parseNumber(text, decimal)).toBe(value);
});

test("a whole number may have been given decimals by a spreadsheet, but none that count", () => {
  expect([parseWhole("72.0", "."), parseWhole("72.5", ".")]).toEqual([72, undefined]);
});

test.each([
  ["5", "km", { unit: "km", value: 5 }],
  ["5 mi", "km", { unit: "mi", value: 5 }],
  ["800m", "km", { unit: "m", value: 800 }],
  ["5 miles", undefined, { unit: "mi", value: 5 }],
  ["5", undefined, undefined],
  ["5 parsecs", "km", undefined],
  ["0", "km", { unit: "km", value: 0 }],
  ["1,800", "yd", { unit: "yd", value: 1800 }],
  ["2k", "yd", { unit: "yd", value: 2000 }],
  ["2.3K", "yd", { unit: "yd", value: 2300 }],
  ["2 k", "yd", { unit: "yd", value: 2000 }],
  ["2k yd", "m", { unit: "yd", value: 2000 }],
  ["1.5 k yards", "yd", { unit: "yd", value: 1500 }],
  ["2k", "m", { unit: "km", value: 2 }],
  ["5K", "mi", { unit: "km", value: 5 }],
  ["2km", "yd", { unit: "km", value: 2 }],
  ["2k easy", "yd", undefined],
  ["5m", "mi", { unit: "mi", value: 5 }],
  ["26.2 m", "mi", { unit: "mi", value: 26.2 }],
  ["5m", "km", undefined],
  ["5m", "m", { unit: "m", value: 5 }],
  ["10M", "km", { unit: "mi", value: 10 }],
  ["50M", "mi", { unit: "mi", value: 50 }],
  ["100M", "mi", { unit: "m", value: 100 }],
  ["Mile", "mi", { unit: "km", value: 1.609344 }],
  ["25M", "m", { unit: "m", value: 25 }],
  ["800M", "km", { unit: "m", value: 800 }],
  ["400m", "km", { unit: "m", value: 400 }],
  ["1500m", "mi", { unit: "m", value: 1500 }],
  ["1800y", "m", { unit: "yd", value: 1800 }],
  ["1800 yds", "m", { unit: "yd", value: 1800 }],
  ["1800 y", "m", undefined],
  ["2'400 m", "km", { unit: "m", value: 2400 }],
  ["3 250 m", "km", { unit: "m", value: 3250 }],
  ["17.5 [km]", "mi", { unit: "km", value: 17.5 }],
  ["10200 (m)", "km", { unit: "m", value: 10_200 }],
  ["17.5 (km", "km", undefined],
  ["16.4 kilomètres", "mi", { unit: "km", value: 16.4 }],
  ["16.4キロ", "mi", { unit: "km", value: 16.4 }],
] as const)("the distance %j in a column of %s: a unit in the cell wins", (text, unit, measure) => {
  expect(parseMeasure("distance", text, unit, ".")).toEqual(measure);
});

test.each([
  ["\u22125", { unit: "C", value: -5 }],
  ["\u22125°C", { unit: "C", value: -5 }],
  ["-5°", { unit: "C", value: -5 }],
  ["\u22125 °", { unit: "C", value: -5 }],
  ["41°F", { unit: "F", value: 41 }],
  ["5%", undefined],
] as const)("the temperature %j in a column of degrees Celsius", (text, measure) => {
  expect(parseMeasure("temperature", text, "C", ".")).toEqual(measure);
});

test.each([
  ["iso", "2014-03-01", "2014-03-01"],
  ["iso", "2014/3/1", "2014-03-01"],
  ["iso", "1.3.2014", undefined],
  ["dmy", "1.3.2014", "2014-03-01"],
  ["dmy", "01/03/14", "2014-03-01"],
  ["dmy", "31-Jul-24", "2024-07-31"],
  ["dmy", "1. März 2014", "2014-03-01"],
  ["dmy", "31.02.2014", undefined],
  ["dmy", "3/13/2014", undefined],
  ["iso", "2015.03.02.", "2015-03-02"],
  ["iso", "2015. 03. 02.", "2015-03-02"],
  ["dmy", "2.3.2015.", "2015-03-02"],
  ["ymd", "17-01-02", "2017-01-02"],
  ["ymd", "98/1/2", "1998-01-02"],
  ["ymd", "2017.01.02", "2017-01-02"],
  ["ymd", "02.01.2017", undefined],
  ["iso", "17-01-02", undefined],
  ["mdy", "3/1/2014", "2014-03-01"],
  ["mdy", "Mar 1, 2014", "2014-03-01"],
  ["mdy", "13/3/2014", undefined],
  // A month with a name needs no order. A month that is a number does.
  ["dmy", "Jul 21, 2016", "2016-07-21"],
  ["dmy", "July 20th, 2016", "2016-07-20"],
  ["mdy", "20 Jul 2016", "2016-07-20"],
  ["dmy", "Sept 4th, 2016", "2016-09-04"],
  ["iso", "Jul 21, 2016", undefined],
  ["dmy", "12 III 2019", "2019-03-12"],
  ["dmy", "1.XII.2019", "2019-12-01"],
  ["dmy", "8 X 40", undefined],
  ["dmy", "12 XIII 2019", undefined],
  ["mdy", "3/1/69", "2069-03-01"],
  ["mdy", "3/1/70", "1970-03-01"],
  ["mdy", "3/1/2014 18:05", undefined],
  ["mdy", "3/4", undefined],
  // 25569 is 1 January 1970 in Excel's count. 24107 is the same day in the count of the old Mac.
  ["excel", "25569", "1970-01-01"],
  ["excel", "41673", "2014-02-03"],
  ["excel", "61", "1900-03-01"],
  ["excel", "60", undefined],
  ["excel", "2014-02-03", undefined],
  ["excel-1904", "24107", "1970-01-01"],
] as const)("in the order %s, the day %s is %s", (order, text, date) => {
  expect(parseDate(text, dates(order), ".")).toBe(date);
});

describe("a day with a time", () => {
  test.each([
    ["iso", "2014-03-01T18:05", { date: "2014-03-01", time: "18:05:00" }],
    ["dmy", "1.3.2014, 18:05:30", { date: "2014-03-01", time: "18:05:30" }],
    ["mdy", "3/1/2014 6:05 PM", { date: "2014-03-01", time: "18:05:00" }],
    ["mdy", "3/1/2014", { date: "2014-03-01" }],
    ["excel", "41673.75", { date: "2014-02-03", time: "18:00:00" }],
    ["iso", "2014-03-01T25:05", undefined],
    ["iso", "2014-03-01T18:05Z", undefined],
  ] as const)("in the order %s, %s", (order, text, start) => {
    expect(parseDateTime(text, dates(order), ".")).toEqual(start);
  });

  test("in UTC is an instant, and with its own offset both", () => {
    const instant = Date.parse("2014-03-01T17:05:00Z");
    expect(parseDateTime("2014-03-01T17:05:00Z", dates("iso", "utc"), ".")).toEqual({ instant });
    expect(parseDateTime("2014-03-01 17:05", dates("iso", "utc"), ".")).toEqual({ instant });
    expect(parseDateTime("2014-03-01T17:05:00Z", dates("iso", "offset"), ".")).toEqual({ instant });
    expect(parseDateTime("2014-03-01T22:35:00+05:30", dates("iso", "offset"), ".")).toEqual({
      instant,
      offsetMinutes: 330,
      date: "2014-03-01",
      time: "22:35:00",
    });
    expect(parseDateTime("2014-03-01T13:35:00-0330", dates("iso", "offset"), ".")).toMatchObject({ instant });
    expect(parseDateTime("2014-03-01T17:05:00", dates("iso", "offset"), ".")).toBeUndefined();
  });
});

test.each([
  ["18:05", "18:05:00"],
  ["6:05 PM", "18:05:00"],
  ["6:05:30 p.m.", "18:05:30"],
  ["12:10 AM", "00:10:00"],
  ["18h05", "18:05:00"],
  ["18.05", "18:05:00"],
  ["13.24 Uhr", "13:24:00"],
  ["6:10p", "18:10:00"],
  ["午後6:24", "18:24:00"],
  ["午後0:32", "12:32:00"],
  ["午前 6:24", "06:24:00"],
  ["午後13:24", undefined],
  ["24:00", undefined],
  ["13:05 PM", undefined],
  ["morning", undefined],
])("the time of day %s is %s", (text, time) => {
  expect(parseTimeOfDay(text, dates("iso"), ".")).toBe(time);
});

test.each([
  ["0.7777777777777778", "18:40:00"],
  ["0", "00:00:00"],
  ["0.9999999", "23:59:59"],
  ["1.5", undefined],
])("the time of day %s of a sheet that lost its formats is %s", (text, time) => {
  expect(parseTimeOfDay(text, dates("excel"), ".")).toBe(time);
});

test.each([
  ["h:mm:ss", "1:02:03", 3723],
  ["h:mm:ss", "0:45:30.5", 2730.5],
  ["h:mm:ss", "45:30", undefined],
  ["h:mm:ss", "1:62:03", undefined],
  ["mm:ss", "45:30", 2730],
  ["mm:ss", "75:10", 4510],
  ["mm:ss", "42:18,11", 2538.11],
  ["mm:ss", "1:02:03", undefined],
  ["mm:ss", "53:28 min", 3208],
  ["mm:ss", "1:05 h", undefined],
  ["h:mm", "1:05 h", 3900],
  ["h:mm", "53:28 min", undefined],
  ["h:mm:ss", "1:05:04 h", 3904],
  ["h:mm:ss", "0 days 01:02:30", 3750],
  ["h:mm:ss", "1 day, 1:02:30", 90_150],
  ["h:mm", "1:05", 3900],
  ["mm:ss:00", "45:30:00", 2730],
  ["mm:ss:00", "45:30:15", undefined],
  ["mm.ss", "45.30", 2730],
  ["mm.ss", "45,30", 2730],
  ["mm.ss", "45.75", undefined],
  ["mm.ss", "45.3", 2730],
  ["mm.ss", "45", 2700],
  ["mm.ss", "45.6", undefined],
  ["h.mm", "1.05", 3900],
  ["h.mm", "1,5", 6600],
  ["h.mm", "1.75", undefined],
  ["hmmss", "10230", 3750],
  ["hmmss", "4530", 2730],
  ["hmmss", "4575", undefined],
  ["hmmss", "1234567", undefined],
  ["h.mm.ss", "1.02.03", 3723],
  ["h.mm.ss", "1.62.03", undefined],
  ["h.mm.ss", "1.02", undefined],
  ["clock", "12:45:30 AM", 2730],
  ["clock", "1:05:00 PM", 46_800 + 300],
  ["clock", "13:45:30 AM", undefined],
  ["clock", "45:30", undefined],
  ["zero-day", "1899-12-30 00:45:30", 2730],
  ["zero-day", "1899-12-31 01:00:00", 90_000],
  ["zero-day", "12/30/99 0:45", 2700],
  ["zero-day", "30.12.1899 00:45:30", 2730],
  ["zero-day", "Sat Dec 30 06:54:00 GMT-08:00 1899", 24_840],
  ["zero-day", "2014-12-30 00:45:30", undefined],
  ["minutes", "45.5", 2730],
  ["minutes", "-5", undefined],
  ["hours", "1.25", 4500],
  ["hours", "1 1/2", 5400],
  ["hours", "1½", 5400],
  ["hours", "½", 1800],
  ["minutes", "45 3/4", 2745],
  ["text", "1 1/2 h", 5400],
  ["text", "1½ h", 5400],
  ["text", "¾ Std.", 2700],
  ["text", "3/4 h", 2700],
  ["text", "4/3 h", undefined],
  ["text", "1 1/2", undefined],
  ["text", "1 1/12 h", undefined],
  ["seconds", "2730", 2730],
  ["day-fraction", "0.0315972222", 2730],
  ["text", "1h 5m", 3900],
  ["text", "1.5h", 5400],
  ["text", "0,75 Std.", 2700],
  // An hour and 30 minutes, or an hour and three tenths.
  ["text", "1.30h", undefined],
  ["text", "1h05", 3900],
  ["text", "45'30\"", 2730],
  ["text", "45m30s", 2730],
  ["text", "45'30", 2730],
  ["text", "45 min", 2700],
  ["text", "2 hrs", 7200],
  ["text", "1 Std. 5 Min.", 3900],
  ["text", "1 hora y 5 minutos", 3900],
  ["text", "1 ora e 5 minuti", 3900],
  ["text", "1 timme 5 minuter", 3900],
  ["text", "1g 05m", 3900],
  ["text", "500 g", undefined],
  ["text", "PT1H5M30S", 3930],
  ["text", "PT47M", 2820],
  ["text", "PT", undefined],
  ["text", "90s", 90],
  ["text", "1 ora 54 minuti", 6840],
  ["text", "1 h 2 mn", 3720],
  ["text", "25min53", 1553],
  ["text", "1 godz. 5 min", 3900],
  ["text", "1時間5分", 3900],
  ["text", "45", undefined],
  ["text", "", undefined],
  ["text", "h", undefined],
] as const)("as %s, the duration %s is %s s", (format, text, seconds) => {
  expect(parseDuration(text, [format], ".")).toBe(seconds);
});

test("among h:mm:ss, a cell of 12 hours or more that ends in :00 is minutes and seconds where the mapping says so", () => {
  const read = (text: string) => parseDuration(text, ["h:mm:ss", "mm:ss:00"], ".");
  expect(["2:07:22", "1:05:00", "45:30:00", "13:05:10"].map(read)).toEqual([7642, 3900, 2730, 47_110]);
});

test("a column of several formats takes each cell in the one it is written in", () => {
  const formats = ["h:mm:ss", "mm:ss", "text"] as const;
  expect(["1:02:03", "45:30", "45 min", "45"].map((text) => parseDuration(text, formats, "."))).toEqual([
    3723,
    2730,
    2700,
    undefined,
  ]);
});

test("minutes with a decimal comma are read with it", () => {
  expect(parseDuration("45,5", ["minutes"], ",")).toBe(2730);
});

test.each(["1", "1,", "1.", "1:", "1 ", "1h", "1m", "'", "a", " ", "/"])(
  "a cell of %j over and over costs by its length",
  async (piece) => {
    const parse = (cell: string) => {
      for (const order of ["iso", "dmy", "mdy", "excel"] as const) {
        parseDateTime(cell, dates(order), ".");
        parseTimeOfDay(cell, dates(order), ",");
      }
      parseMeasure("distance", cell, "km", ",");
      for (const format of DURATION_FORMATS) parseDuration(cell, [format], ".");
    };
    const cellOf = (length: number) => piece.repeat(length / piece.length);
    expect(await growth(cellOf, parse, 32_768)).toBeLessThanOrEqual(LINEAR);
  },
);

test.each([
  ["29.05.2022, 15:53:35", "utc", { instant: Date.parse("2022-05-29T15:53:35Z") }],
  ["May 29, 2022, 3:53:35 PM", "local", { date: "2022-05-29", time: "15:53:35" }],
  ["29.05.2022", "local", undefined],
] as const)("the date %s as it is shown, of zone %s", (text, zone, start) => {
  expect(parseDateTime(text, { order: "shown", zone, twoDigitYearPivot: 70 }, ".")).toEqual(start);
});

test.each([
  ["1,450", "m", "shown", { unit: "m", value: 1450 }],
  ["9,44", "km", "shown", { unit: "km", value: 9.44 }],
  ["6.4e3", "m", "float", { unit: "m", value: 6400 }],
  ["6,400", "m", "float", undefined],
  ["3 1/2", "mi", ".", { unit: "mi", value: 3.5 }],
  ["3 1/2 km", "mi", ",", { unit: "km", value: 3.5 }],
  ["3½", "mi", ",", { unit: "mi", value: 3.5 }],
  ["¾ mi", "km", ".", { unit: "mi", value: 0.75 }],
  ["10 1/8", "mi", ".", { unit: "mi", value: 10.125 }],
  ["1/2", "mi", ".", undefined],
  ["½", "mi", ".", { unit: "mi", value: 0.5 }],
  ["½ marathon", "mi", ".", { unit: "km", value: 21.0975 }],
  ["1/2 Marathon", "mi", ".", { unit: "km", value: 21.0975 }],
  ["3 3/2", "mi", ".", undefined],
  ["3 1/12", "mi", ".", undefined],
  ["3 1/2/14", "mi", ".", undefined],
  ["3 1/2.5", "mi", ".", undefined],
  ["31/2", "mi", ".", undefined],
] as const)("the distance %s %s, written as %s", (text, unit, decimal, measure) => {
  expect(parseMeasure("distance", text, unit, decimal)).toEqual(measure);
});
