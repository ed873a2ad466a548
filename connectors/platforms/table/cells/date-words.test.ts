import { expect, test } from "vitest";
import { growth, LINEAR } from "../../../../test/support/growth.ts";
import { type Dates, parseDate, parseDateTime } from "./cells.ts";

const dates = (order: Dates["order"]): Dates => ({ order, zone: "local", twoDigitYearPivot: 70 });

test.each([
  ["dmy", "Mon 3 Mar 2014", "2014-03-03"],
  ["dmy", "Monday, 3rd of March 2014", "2014-03-03"],
  ["dmy", "Mo, 3.3.14", "2014-03-03"],
  ["dmy", "Mo. 03.03.2014", "2014-03-03"],
  ["dmy", "Montag, 3. März 2014", "2014-03-03"],
  ["dmy", "lun. 3 mars 2014", "2014-03-03"],
  ["dmy", "samedi 1er mars 2014", "2014-03-01"],
  ["dmy", "lunes, 3 de marzo de 2014", "2014-03-03"],
  ["dmy", "lunedì 3 marzo 2014", "2014-03-03"],
  ["dmy", "segunda-feira, 3 de março de 2014", "2014-03-03"],
  ["dmy", "ma 3 mrt 2014", "2014-03-03"],
  ["dmy", "måndag 3 mars 2014", "2014-03-03"],
  ["dmy", "mandag d. 3", undefined],
  ["dmy", "tirsdag 4 marts 2014", "2014-03-04"],
  ["dmy", "poniedziałek 3 marca 2014", "2014-03-03"],
  ["iso", "2014. március 3., hétfő", "2014-03-03"],
  ["iso", "2014.03.07. péntek", "2014-03-07"],
  ["dmy", "3 Mart 2014 Pazartesi", "2014-03-03"],
  ["dmy", "Çar 05.03.2014", "2014-03-05"],
  ["dmy", "ponedjeljak, 3.3.2014.", "2014-03-03"],
  ["dmy", "čet 6.3.2014", "2014-03-06"],
  ["dmy", "pátek 7. března 2014", "2014-03-07"],
  ["dmy", "пн, 3 марта 2014", "2014-03-03"],
  ["dmy", "1. maaliskuuta 2014", "2014-03-01"],
  ["dmy", "31. joulukuuta 2014", "2014-12-31"],
  ["dmy", "1. března 2014", "2014-03-01"],
  ["dmy", "3. listopadu 2014", "2014-11-03"],
  ["dmy", "1. marca 2014", "2014-03-01"],
  ["dmy", "1 березня 2014", "2014-03-01"],
  ["dmy", "1 марта 2014", "2014-03-01"],
  ["dmy", "1 Μαρτίου 2014", "2014-03-01"],
  ["iso", "2014 kovo 1", "2014-03-01"],
  ["dmy", "1. märts 2014", "2014-03-01"],
  ["dmy", "3. ožujka 2014", undefined],
  ["dmy", "mar 4 mars 2014", "2014-03-04"],
  ["dmy", "4 mar 2014", "2014-03-04"],
  ["dmy", "4.3.2014 (Di)", "2014-03-04"],
  ["mdy", "Mon Mar 3, 2014", "2014-03-03"],
  ["mdy", "Monday, March 3rd, 2014", "2014-03-03"],
  ["mdy", "Mar 3, 2014", "2014-03-03"],
  ["mdy", "Mar 3 14", "2014-03-03"],
  ["mdy", "Mon 3/3/14", "2014-03-03"],
  ["iso", "2014年3月3日", "2014-03-03"],
  ["iso", "2014年3月3日(月)", "2014-03-03"],
  ["ymd", "22年4月2日", "2022-04-02"],
  ["ymd", "22年4月2日(土)", "2022-04-02"],
  ["dmy", "22年4月2日", undefined],
  ["mdy", "12年4月2日", undefined],
  ["iso", "平成22年4月2日", "2010-04-02"],
  ["iso", "平成元年11月5日", "1989-11-05"],
  ["iso", "昭和63年4月2日(土)", "1988-04-02"],
  ["iso", "令和2年4月2日", "2020-04-02"],
  ["iso", "H27.4.2", "2015-04-02"],
  ["ymd", "S60/1/5", "1985-01-05"],
  ["iso", "平成40年4月2日", undefined],
  ["iso", "2014-Mar-03", "2014-03-03"],
  ["iso", "Mon 2014-03-03", "2014-03-03"],
  ["iso", "2014/03/03 (月)", "2014-03-03"],
  ["dmy", "Easter 3 Mar 2014", undefined],
  ["dmy", "3 Mxr 2014", undefined],
] as const)("in the order %s, %s is %s", (order, text, day) => {
  expect(parseDate(text, dates(order), ".")).toBe(day);
});

test.each([
  ["dmy", "lun., 30 juin 2014 7:03", { date: "2014-06-30", time: "07:03:00" }],
  ["dmy", "søn d. 1. nov. 2020", { date: "2020-11-01" }],
  ["dmy", "1 listopada 2020 r.", { date: "2020-11-01" }],
  ["dmy", "Mo, 30.6.2014 07:03 Uhr", { date: "2014-06-30", time: "07:03:00" }],
  ["mdy", "Mon, Jun 30, 2014 7:03 PM", { date: "2014-06-30", time: "19:03:00" }],
  ["iso", "2014年6月30日 7:03", { date: "2014-06-30", time: "07:03:00" }],
] as const)("in the order %s, the start %s is read", (order, text, start) => {
  expect(parseDateTime(text, dates(order), ".")).toEqual(start);
});

test("a long row of words costs by its length", async () => {
  const texts = (words: number) => "mo ".repeat(words).slice(0, 100);
  expect(
    await growth(
      (count: number) => Array.from({ length: count }, () => texts(40)),
      (cells) => cells.map((cell) => parseDate(cell, dates("dmy"), ".")),
      200,
    ),
  ).toBeLessThanOrEqual(LINEAR);
});
