/** Compares names of persons. People write their own name in several ways, and two people may share a family name. */

/** Removes differences of case, accents and blanks: `José  MÜLLER` becomes `jose muller`. */
export function foldName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Removes differences of case and blanks in a screen name. Accents stay. */
export function foldWord(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, "");
}

/** The result of comparing two names: the same person, another person, or unknown. */
export type Likeness = "same" | "other" | "unknown";

/**
 * Compares a person's given and family name with the names of an athlete.
 *
 * - `same` when the given names match: as equal words, as an initial, or as a beginning of at least three letters (`Alex` of `Alexandra`).
 * The family names must match too if both sides have one: clubs have two Annas, and couples share a family name.
 * - `unknown` when the names can't be compared, because one is missing or the alphabets differ.
 *
 * @param called names that the athlete may have: the name in the roster, and the given and family name in the log
 */
export function likenessOf(
  { givenName = "", familyName = "" }: { readonly givenName?: string; readonly familyName?: string },
  called: readonly string[],
): Likeness {
  const given = wordsOf(givenName);
  const family = wordsOf(familyName);
  const names = called.map(wordsOf).filter((words) => words.length > 0);
  if (given.length + family.length === 0 || names.length === 0) return "unknown";
  if (names.some((words) => isNamed(words, given, family))) return "same";
  const script = scriptOf([...given, ...family]);
  return names.some((words) => scriptOf(words) === script) ? "other" : "unknown";
}

/** A single word may be the given or the family name. With several words, both names of the person must match a word. */
function isNamed(words: readonly string[], given: readonly string[], family: readonly string[]): boolean {
  if (words.length === 1 || given.length === 0 || family.length === 0) return meets(words, [...given, ...family]);
  return meets(words, given) && meets(words, family);
}

function wordsOf(text: string): readonly string[] {
  return foldName(text)
    .split(" ")
    .filter((word) => word !== "");
}

function meets(words: readonly string[], own: readonly string[]): boolean {
  return own.some((one) => words.some((word) => isShort(one, word) || isShort(word, one)));
}

/** Whether the first word equals the second, is its initial, or is its beginning. */
function isShort(short: string, long: string): boolean {
  return short === long || (long.startsWith(short) && (short.length === 1 || short.length >= 3));
}

/** The alphabets that names may have. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Han}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
];

/** The alphabet of a name, as its index in the list; -1 for any other alphabet. */
function scriptOf(words: readonly string[]): number {
  return SCRIPTS.findIndex((script) => script.test(words.join("")));
}
