/** Whether two names are one person's: people write their own names in several ways, and two people share a family's. */

/** Case, accents and blanks make no difference: `José  MÜLLER` is `jose muller`. */
export function foldName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Case and blanks make no difference to a screen name; an accent does. */
export function foldWord(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, "");
}

/** What two names say of whether they are one person's. */
export type Likeness = "same" | "other" | "unknown";

/**
 * Compares a person's given and family name with what an athlete is called.
 *
 * - `same` where the given names meet, as words, an initial of one, or a beginning of three letters (`Alex` of `Alexandra`), and so do
 *   the family names where both sides have one: clubs have two Annas, and couples share a family's name.
 * - `unknown` where they can't be compared: nothing is said, or the alphabets differ.
 *
 * @param called each of them may be the athlete's: the roster's word, the log's given and family name
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

/** One word may be either name; of several, each of the person's names must be met by another one. */
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

/** Whether the first is the second, its initial, or its beginning. */
function isShort(short: string, long: string): boolean {
  return short === long || (long.startsWith(short) && (short.length === 1 || short.length >= 3));
}

/** The alphabets names are met in. */
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

/** The alphabet of a name, by its place in the list; -1 for another. */
function scriptOf(words: readonly string[]): number {
  return SCRIPTS.findIndex((script) => script.test(words.join("")));
}
