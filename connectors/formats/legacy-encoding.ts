/** Tells from bytes that are not UTF-8 which encoding a spreadsheet program wrote. It takes its computer's, and the file doesn't say it. */
import { TextDecoder } from "node:util";
import type { DosPage } from "./dos-pages.ts";
import { type EastAsianEncoding, eastAsianEncodingsOf } from "./east-asian.ts";
import { dosPagesOf } from "./tell-dos-pages.ts";

/** An encoding of text without a name in the file. */
export type LegacyEncoding =
  | EastAsianEncoding
  | DosPage
  | "windows-1250"
  | "windows-1251"
  | "windows-1252"
  | "macintosh"
  | "cp866";

const OTHER_THAN_ASCII = /[^\0-\x7f]/g;

/** Whether a character of an encoding may have two bytes. */
export function hasPairs(encoding: LegacyEncoding): boolean {
  return !/^(?:windows-|macintosh|cp)/.test(encoding);
}

/**
 * A sign of Windows-1252 inside of a word, `³` in `Odleg³oœæ` or `¿` in `bie¿nia`. There these bytes are the letters `ł`, `ą` and `ż` of Windows-1250.
 * `œ` is a letter of French, but not before these letters: `Œr. prêdkoœæ` is `Śr. prędkość`.
 */
const CENTRAL_EUROPEAN =
  /[a-z\u00c0-\u00ff\u0153][\u00b3\u00b9\u00bf][a-z\u00c0-\u00ff\u0153]|\u0153[cmpw\u00e6]|\u0152[clrw]/i;

/**
 * Letters of Czech and Slovak as Windows-1252 shows them: `Bìh` is `Běh`, `pøíliš` is `příliš`. One of them alone may be Italian or Danish. These have
 * letters besides that Czech lacks, and no `š` or `ž` but in names.
 */
const CZECH = {
  letters: /[\u00ec\u00f8\u00f9]/,
  others: /[\u0160\u0161\u017d\u017e\u008d\u009d]/,
} as const;
const NO_CZECH = /[\u00e0\u00e2\u00e3\u00e5\u00e6\u00e7\u00ea\u00f1\u00f5]/;

/**
 * A sign or a capital of Windows-1252 inside of a word, `Š` in `KŠlte`, `Ž` in `dŽpart` or `Ÿ` in `ZŸrich`. There these bytes are the `ä`, `é` and `ü` of an
 * old Macintosh.
 */
const MACINTOSH = /[A-Za-z][\u0160\u017d\u0178\u2021\u02c6\u2030\u2039\u02dc\u008f\u0090][a-z]/;

/** Russian, Ukrainian or Bulgarian words, and a capital inside of one: Greek bytes make such. */
const CYRILLIC = /[\u0400-\u045f]{3,}/g;
const NO_CYRILLIC = /[\u0430-\u044f][\u0410-\u042f][\u0430-\u044f]/;

/** The share of letters beyond ASCII that must stand in Cyrillic words. Elsewhere such a letter stands among those of ASCII. */
const LEAST_CYRILLIC = 0.8;

/**
 * Guesses the encoding. Bytes without a sign of another one are Windows-1252, which covers the characters of Latin-1.
 *
 * @param bytes a piece of the text that begins with a whole character; it may end inside of one
 * @returns the likeliest one, and others that fit as well
 */
export function legacyEncodingsOf(bytes: Uint8Array): readonly [LegacyEncoding, ...LegacyEncoding[]] {
  if (isCyrillicOfDos(bytes)) return ["cp866"];
  const [eastern, ...others] = eastAsianEncodingsOf(bytes);
  if (eastern !== undefined) return [eastern, ...others];
  if (isCyrillic(bytes)) return ["windows-1251"];
  const { proven, possible } = dosPagesOf(bytes);
  if (proven !== undefined) return proven;
  const encoding = windowsOrMacintosh(bytes);
  return (encoding === "windows-1252" ? possible : undefined) ?? [encoding];
}

function windowsOrMacintosh(bytes: Uint8Array): LegacyEncoding {
  const western = new TextDecoder("windows-1252").decode(bytes);
  if (CENTRAL_EUROPEAN.test(western) || isCzech(western)) return "windows-1250";
  return MACINTOSH.test(western) ? "macintosh" : "windows-1252";
}

function isCzech(western: string): boolean {
  const { letters, others } = CZECH;
  const hasTwo = western.includes("\u00f8") && western.includes("\u00ec");
  return !NO_CZECH.test(western) && (hasTwo || (letters.test(western) && others.test(western)));
}

function isCyrillic(bytes: Uint8Array): boolean {
  return hasWords(new TextDecoder("windows-1251").decode(bytes), CYRILLIC);
}

/** Whether nearly all letters beyond ASCII stand in Cyrillic words. */
function hasWords(text: string, words: RegExp): boolean {
  const letters = text.match(OTHER_THAN_ASCII)?.length ?? 0;
  const inWords = text.match(words)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  return inWords > 0 && inWords >= letters * LEAST_CYRILLIC && !NO_CYRILLIC.test(text);
}

/** A word in small letters, perhaps with a capital at its beginning. Bytes of Japanese and Chinese make none of these. */
const CYRILLIC_OF_DOS = /[\u0410-\u044f\u0401\u0451][\u0430-\u044f\u0451]+/g;

/** So many letters must stand in words of three or more: `« é` of Windows, with a hard blank, is one as well. */
const LEAST_OF_DOS = 6;

/** The most frequent letters of Russian: in Windows their bytes are signs, and in DOS those of Windows are rarer letters. */
const FREQUENT = /[\u0430\u0435\u0438\u043d\u043e\u0442]/g;

/** Whether bytes are Cyrillic words of the code page 866 of DOS. The small letters of Windows make words there, too, but rare ones. */
function isCyrillicOfDos(bytes: Uint8Array): boolean {
  const [dos, windows] = ["cp866", "windows-1251"].map((label) => new TextDecoder(label).decode(bytes));
  if (dos === undefined || windows === undefined || !hasWords(dos, CYRILLIC_OF_DOS)) return false;
  const long = dos.match(CYRILLIC_OF_DOS)?.filter(({ length }) => length > 2) ?? [];
  if (long.join("").length < LEAST_OF_DOS) return false;
  return (dos.match(FREQUENT)?.length ?? 0) > (windows.match(FREQUENT)?.length ?? 0);
}
