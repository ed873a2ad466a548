/**
 * Tells from a number format whether a number is a date, a time or neither. Source: ECMA-376, part 1, 18.8.30 (numFmt) and 18.8.31 (numFmts).
 */
import type { CellKind } from "../sheets/sheet.ts";
import { unitBehind } from "../sheets/shown-text.ts";

/** The kinds of a number. */
export type NumberKind = Extract<CellKind, "number" | "date" | "date-time" | "time" | "duration">;

/** The built-in formats that are dates or times, by their number. 27 to 36 and 50 to 58 are those of Chinese, Japanese and Korean. */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "date-time"],
  [27, 31, "date"],
  [32, 33, "time"],
  [34, 36, "date"],
  [45, 45, "time"],
  [46, 46, "duration"],
  [47, 47, "time"],
  [50, 58, "date"],
];

/** The kind of a built-in format. */
export function kindOfBuiltIn(id: number): NumberKind {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? "number";
}

/** Whether a built-in format shows a date without its year: `d-mmm`. */
export function builtInHidesYear(id: number): boolean {
  return id === 16;
}

/** Whether a format shows a date without its year, in any of its languages. */
export function formatHidesYear(code: string): boolean {
  const [section = ""] = withoutLiterals(code.slice(0, LONGEST)).split(";");
  return /d/i.test(section) && /m/i.test(section) && !/[yebgj]/i.test(section.replace(/am\/pm|a\/p/gi, ""));
}

/** Longest format that is looked at, in characters. Excel allows 255. */
const LONGEST = 1000;

/** Counts on past the hour, the minute or the day: `[h]:mm`. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i;

const CLOCK = /h|s|am\/pm|a\/p/i;

/** Minutes stand after hours or before seconds. Other letters m are a month. */
const MINUTES = /(h[^a-z]{0,20})m{1,5}|m{1,5}([^a-z]{0,20}s)/gi;

/** A day, a month, a year, or the year of an era. `E+00` is an exponent. */
const DAY = /[dmyb]|g|e(?![+-])/i;

/**
 * Takes away the parts of a format that stand for themselves: quoted and escaped text, fillers, and brackets with a colour, a language or a condition.
 */
function withoutLiterals(code: string): string {
  let plain = "";
  for (let at = 0; at < code.length; at++) {
    const character = code[at] ?? "";
    const close = character === '"' ? code.indexOf('"', at + 1) : character === "[" ? code.indexOf("]", at + 1) : -1;
    const isElapsed = character === "[" && /^\[(?:h{1,9}|m{1,9}|s{1,9})\]/i.test(code.slice(at, at + 11));
    if (close !== -1 && !isElapsed) at = close;
    else if ("\\_*".includes(character)) at++;
    else plain += character;
  }
  return plain;
}

/** The kind of a format. Only its first section counts: the others are for negative numbers, zeros and texts. */
export function kindOfFormat(code: string): NumberKind {
  const plain = withoutLiterals(code.slice(0, LONGEST));
  const section = plain.split(";")[0] ?? "";
  if (/general/i.test(section)) return "number";
  if (ELAPSED.test(section)) return "duration";
  const day = section.replace(/am\/pm|a\/p/gi, "").replace(MINUTES, "$1$2");
  const isTime = CLOCK.test(section);
  if (DAY.test(day)) return isTime ? "date-time" : "date";
  return isTime ? "time" : "number";
}

/** What a format puts to a number: a unit behind it, or the colons of a clock. */
export interface FormatWords {
  /** As the table of units spells it. */
  readonly unit?: string;
  /** Pairs of digits behind the first colon: `00":"00` has one. */
  readonly colons?: number;
}

/** A number without a scale: `0.0`, `#,##0`. With `0,` a program shows thousands, and with `%` hundreds. */
const PLAIN_NUMBER = /^(?:general|[#0?](?:,?[#0?])*(?:\.[#0?]*)?)$/i;

/** `00:00` and `0:00:00`. */
const COLONS = /^[#0]{1,4}((?::00){1,2})$/;

/** What a format puts to a number. Only its first section counts, and none with a condition, because another number has another one. */
export function wordsOfFormat(code: string): FormatWords {
  const read = firstSection(code.slice(0, LONGEST));
  if (read === undefined) return {};
  const pairs = COLONS.exec(read.whole)?.[1];
  if (pairs !== undefined) return { colons: pairs.length / 3 };
  const unit = PLAIN_NUMBER.test(read.number) && !read.isSplit ? unitBehind(read.literal) : undefined;
  return unit === undefined ? {} : { unit };
}

/** The first section of a format: the number, the text that stands for itself, and both in their order. `isSplit`: the text isn't all behind the number. */
interface Section {
  readonly number: string;
  readonly literal: string;
  readonly whole: string;
  readonly isSplit: boolean;
}

/** @returns undefined for a section with a condition */
function firstSection(code: string): Section | undefined {
  let [number, literal, whole, isSplit] = ["", "", "", false];
  const put = (text: string) => {
    literal += text;
    whole += text;
  };
  for (let at = 0; at < code.length && code[at] !== ";"; at++) {
    const character = code[at] ?? "";
    const close = character === '"' ? code.indexOf('"', at + 1) : character === "[" ? code.indexOf("]", at + 1) : -1;
    if (character === "[" && /[<>=]/.test(code[at + 1] ?? "")) return undefined;
    if (close !== -1) {
      if (character === '"') put(code.slice(at + 1, close));
      at = close;
    } else if (character === "\\") put(code[++at] ?? "");
    else if (character === "_" || character === "*") at++;
    else if (character === " " || character === ":") put(character);
    else {
      isSplit ||= literal.trim() !== "";
      number += character;
      whole += character;
    }
  }
  return { number, literal: literal.trim(), whole, isSplit };
}

/** A whole number with the colons of its format: 4530 is `45:30`. */
export function withColons(value: number, colons: number): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined;
  const digits = String(value).padStart(2 * colons + 1, "0");
  const pairs = Array.from({ length: colons }, (_, index) => {
    const end = digits.length - 2 * (colons - 1 - index);
    return digits.slice(end - 2, end);
  });
  return [digits.slice(0, -2 * colons), ...pairs].join(":");
}
