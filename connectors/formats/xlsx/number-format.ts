/**
 * Tells from a number format whether a number is a date, a time or neither. Source: ECMA-376, part 1, 18.8.30 (numFmt) and 18.8.31 (numFmts).
 */
import type { CellKind } from "../sheets/sheet.ts";

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
