/** Tells the code pages of DOS from the encodings of Windows and of old Macintoshes. */
import type { DosPage } from "./dos-pages.ts";

/** A text in Latin-1 has one character a byte, so patterns can look at bytes. */
const asCharacters = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/**
 * Bytes inside of a word that only DOS makes letters of: `ü`, `é`, `â`, `ä` and `å`, `í`, `ó`, `ú` and `ñ`. In Windows they are signs or nothing, and on
 * a Macintosh signs, or capitals as `Å` in `BrÅcke`. `à` isn't among them: Windows has `…` there, which stands between words. At the end of a word, `ü`, `é`, `â` and `ä` are as telling.
 */
const LETTERS_OF_DOS = /[A-Za-z][\x81-\x84\x86\xa1-\xa4](?=[a-z])|[a-z][\x81-\x84](?![A-Za-z])/g;

/** Bytes inside of a word that are no small letters of the page 850, or such as hardly any word has: the text is in another encoding. */
const NONE_OF_DOS = /[a-z][^\0-\x8d\x91\x93-\x98\x9b\xa0-\xa4\xc6\xe1\xe4\xec](?=[a-z])/;

/** `ã` and `õ`, which are `Æ` and `ä` in Windows. */
const RARE = /[a-z][\xc6\xe4](?=[a-z])/g;

/** A byte that Windows-1252 lacks beside a letter, or has as a quotation mark, a bullet or an angle inside of a word: `ö` of DOS in `schöne`. */
const NO_WINDOWS = /[a-z][\x81\x8d\x8f\x90\x9d]|[\x81\x8d\x8f\x90\x9d][a-z]|[A-Za-z][\x93-\x95\x9b](?=[a-z])/;
const LACKING = /[\x81\x8d\x8f\x90\x9d]/;

/** Bytes that are other characters in the two pages, and no letters inside of a word. */
const APART =
  /[\x9b\x9d\x9e\xa9\xb5-\xb8\xbd\xbe\xc6\xc7\xcf-\xd8\xdd\xde\xe0\xe2-\xe5\xe7-\xf0\xf2-\xf5\xf7\xf9\xfb\xfc]/;
const INSIDE_WORDS = /[A-Za-z][\x9b\xc6\xe4](?=[a-z])/g;

/** The encodings that fit, the likeliest first. */
type Fitting = readonly [DosPage, ...(DosPage | "macintosh" | "windows-1252")[]];

/**
 * Looks for DOS in a text that is not UTF-8.
 *
 * @returns `proven` if nothing else makes words of it, and `possible` if Windows doesn't, but a Macintosh may
 */
export function dosPagesOf(bytes: Uint8Array): { readonly proven?: Fitting; readonly possible?: Fitting } {
  const text = asCharacters(bytes);
  if (NONE_OF_DOS.test(text)) return {};
  const letters = text.match(LETTERS_OF_DOS)?.length ?? 0;
  const rare = text.match(RARE)?.length ?? 0;
  if (letters > rare) return { proven: APART.test(text.replaceAll(INSIDE_WORDS, "")) ? ["cp850", "cp437"] : ["cp850"] };
  if (letters > 0 || !NO_WINDOWS.test(text)) return {};
  return { possible: ["cp850", "macintosh", ...(LACKING.test(text) ? [] : (["windows-1252"] as const))] };
}
