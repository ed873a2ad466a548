/** Takes the words out of a date that say nothing about the day: weekdays, `de`, the endings of ordinals. */
import { monthNamed } from "../../../formats/month-names.ts";
import { isWeekday } from "../../../formats/weekday-names.ts";
import { withoutEra } from "./era-years.ts";

const WEEKDAY_BEFORE = /^(\p{L}{1,13}(?:-\p{L}{1,10})?)\.?\s?,?\s+(?=.*\d)/u;
/** `3.3.2014 Mo`, but not the `PM` of a time. */
const WEEKDAY_AFTER = /[\s,](\p{L}{2,13})\.?$/u;
/** `2014-03-01 (Sat) 7:03`. */
const WEEKDAY_INSIDE = /\((\p{L}{1,13})\.?\)/u;
/** `3rd March`, `1er mars`, `3º`. */
const ORDINAL = /^(.{0,15}?\b\d{1,2})(?:st|nd|rd|th|er|º|ª)(?=[\s,]|$)/i;
/** `søn d. 1. nov. 2020` and `1 listopada 2020 r.`: Danish for the, and Polish for the year. */
const THE = /^d(?:en|\.)\s+(?=\d)/i;
const YEAR_WORD = /(\d{4})\s?r(?:oku)?\.?$/i;
const OF = /^(.{0,20}?\s)(?:de|del|of)\s/i;
const JAPANESE = /^(\d{2,4})年(\d{1,2})月(\d{1,2})日/;
/** `5月3日`: the year stands elsewhere. */
const JAPANESE_DAY = /^(\d{1,2})月(\d{1,2})日/;
/** `12 III 2019`, as Poles write it. Without a year of four digits, an X may be a mark of repeats: `8 X 40`. */
const ROMAN = /^(\d{1,2}\.?[\s./-]\s?)(I{1,3}|IV|VI{0,3}|IX|XI{0,2})(?=[\s./-]{1,2}(?:19|20)\d{2}(?!\d))/;
const ROMANS = "I II III IV V VI VII VIII IX X XI XII".split(" ");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Makes `Mon 3 Mar 2014` of `Monday, 3rd of March 2014`, without the weekday: `3 March 2014`. A date without such words stays as it is. The weekday is
 * not compared with the day.
 */
export function withoutDateWords(text: string): string {
  if (!/\p{L}|º|ª/u.test(text)) return text;
  const plain = withoutEra(text).replace(JAPANESE, inOrder).replace(JAPANESE_DAY, withName).trim();
  const worded = withoutFirst(plain).replace(THE, "").replace(YEAR_WORD, "$1");
  const bare = withoutLast(worded).replace(ORDINAL, "$1").replace(OF, "$1").replace(OF, "$1");
  return bare.replace(ROMAN, (_, day: string, month: string) => `${day}${MONTHS[ROMANS.indexOf(month)]}`);
}

/** Of a year with two digits, the blanks leave no order but the one with the year in front: 年 says it. */
function inOrder(_: string, year: string, month: string, day: string): string {
  return [year, month, day].join(year.length > 2 ? "-" : "- ");
}

/** 月 says which number is the month, so a name says it in any order. */
function withName(whole: string, month: string, day: string): string {
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? whole : `${name} ${day}`;
}

function withoutFirst(text: string): string {
  const [whole = "", word = ""] = WEEKDAY_BEFORE.exec(text) ?? [];
  const rest = text.slice(whole.length);
  // In `Mar 3, 2014` the word is the month: without it, no month would be left.
  const isMonth = monthNamed(word) !== undefined && /^\d{1,2}(?:,?\s+(?:\d{4}|\d{2}$)|$)/.test(rest);
  return word !== "" && isWeekday(word) && !isMonth ? rest : text;
}

function withoutLast(text: string): string {
  const bare = text.replace(WEEKDAY_INSIDE, (whole, word: string) => (isWeekday(word) ? "" : whole)).trimEnd();
  return bare
    .replace(WEEKDAY_AFTER, (whole, word: string) => (isWeekday(word) && monthNamed(word) === undefined ? "" : whole))
    .trimEnd()
    .replace(/,$/, "");
}
