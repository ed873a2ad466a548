/** Words of notes that say another unit, in the languages of sheets: from a row on, or in one row. */
import { type UnitOf, unitSpelt } from "../../../../transforms/units.ts";
import { foldHeader, lengthUnit } from "../words/header-words.ts";

const words = (text: string): readonly string[] => text.split("|").map(foldHeader);

/** Words for "from here on". A unit may stand before them, too. */
const FROM_HERE = words(
  `from here|from here on|from here onwards|from now|from now on|from now onwards|from today|from today on|from this day on|from this week|from this week on|as of now|as of today|starting now|starting here|starting today
  |ab hier|ab jetzt|ab heute|ab nun|ab sofort|von hier an|von jetzt an|von nun an
  |a partir d'ici|à partir de maintenant|à partir d'aujourd'hui|à partir de là|dès maintenant|désormais|dorénavant
  |desde aquí|desde ahora|desde hoy|a partir de aquí|a partir de ahora|a partir de hoy|de ahora en adelante|de aquí en adelante
  |da qui|da qui in poi|da ora|da ora in poi|d'ora in poi|da adesso|da adesso in poi|da oggi|da oggi in poi|a partire da qui|a partire da ora|a partire da oggi
  |a partir daqui|a partir de agora|daqui em diante|de agora em diante|desde agora|desde hoje|a partir de hoje
  |vanaf hier|vanaf nu|vanaf vandaag|van nu af|van nu af aan|voortaan
  |från och med nu|från och med idag|från och med i dag|från och med här|från nu|härifrån
  |herfra|fra nu|fra nu af|fra og med nu|fra og med i dag|fra i dag
  |od teraz|odtąd|od dziś|od dzisiaj|od tego miejsca|od tej pory`.replaceAll(/\n\s*/g, ""),
);

/** Words for "now" and "changed". They say it in front of the unit, and behind it only with a word for `in`. */
const NOW = words(
  `now|switched|switching|switch|changed|changing|change|jetzt|nun|umgestellt|gewechselt|umgestiegen|maintenant|passé|passée|passage|changé|ahora|cambio|cambié|cambiado|ora|adesso|passato|cambiato
  |agora|mudei|mudança|nu|overgeschakeld|omgeschakeld|overgestapt|bytt|bytte|byter|skiftet|skifter|teraz|zmiana|przejście`.replaceAll(
    /\n\s*/g,
    "",
  ),
);

/** Words for `in`, and others between these and the unit. */
const IN = new Set(words("in|to|auf|en|aux|au|a|em|para|naar|op|i|till|til|w|na|to the|using|with|be|are"));
const FILLERS = new Set(
  words(
    `all|only|everything|distance|distances|the|alles|alle|nur|distanz|distanzen|tout|toutes|distances|todo|todas|distancia|distancias|tutto|tutte|distanza|distanze|tudo
    |distâncias|afstand|afstanden|allt|alla|distans|distanser|alt|distancer|wszystko|dystans|dystanse`.replaceAll(
      /\n\s*/g,
      "",
    ),
  ),
);

/** Names of units that no header has. */
const UNIT_WORDS = new Map<string, UnitOf<"distance"> | undefined>([
  ...words("milles|mille|milach|mili").map((word) => [word, "mi"] as const),
  ...(["metric", "imperial"] as const).map((word) => [word, undefined] as const),
]);

/** Short words that are no unit within a sentence: the French and Swedish `mil`, and the letters. */
const NO_UNITS = new Set(["m", "mil", "k", "sm", "y"]);

const unitOf = (word: string) => (NO_UNITS.has(word) ? undefined : (UNIT_WORDS.get(word) ?? lengthUnit(word)));
const isUnit = (word = "") => unitOf(word) !== undefined || UNIT_WORDS.has(word);

/** The words of a folded text, with the marks that part sentences as words of their own. */
const wordsOf = (folded: string): readonly string[] =>
  folded.replaceAll("’", "'").match(/[\p{L}\d'/]+|[.,;:!?()[\]–—-]/gu) ?? [];

/** Where a text has one of some phrases, the longest first: the words before and behind it. */
function around(tokens: readonly string[], phrases: readonly (readonly string[])[]) {
  for (const [at] of tokens.entries())
    for (const phrase of phrases)
      if (phrase.every((word, index) => tokens[at + index] === word))
        return { before: tokens.slice(0, at), after: tokens.slice(at + phrase.length) };
  return undefined;
}

const phrasesOf = (texts: readonly string[]) =>
  texts.map((text) => text.split(" ")).toSorted((a, b) => b.length - a.length);
const [HERE_PHRASES, NOW_PHRASES] = [phrasesOf(FROM_HERE), phrasesOf(NOW)];

/** Japanese has no spaces. */
const IN_JAPANESE =
  /(?:ここから|これから|今後|今から|今日から|以降)は?(?:マイル|キロ)|(?:マイル|キロ)(?:に変更|に切り替え|表示に)/;

/** Whether a unit follows: behind a word for `in`, or as the last word of its sentence. */
function unitFollows(after: readonly string[]): boolean {
  const rest = after.filter((word, at) => !(FILLERS.has(word) || (at === 0 && /^[:–—-]$/.test(word))));
  const [first = "", second = "", third = ""] = rest;
  if (IN.has(first)) return isUnit(second) && !/\d/.test(third);
  return isUnit(first) && (second === "" || /^[.,;:!?)\]–—-]$/.test(second));
}

/** Whether a text says that the unit changes: `from here in miles`, `miles from here on`, `switched to km`. A loop of 5 km from here doesn't. */
export function saysChange(text: string): boolean {
  const folded = foldHeader(text);
  if (IN_JAPANESE.test(folded)) return true;
  const tokens = wordsOf(folded);
  const here = around(tokens, HERE_PHRASES);
  if (here !== undefined) {
    const before = /^[–—-]$/.test(here.before.at(-1) ?? "") ? here.before.slice(0, -1) : here.before;
    const word = before.at(-2);
    // `more miles from now on` says how far somebody means to run.
    const isPlain = word === undefined || IN.has(word) || FILLERS.has(word) || !/^[\p{L}\d']/u.test(word);
    if (isUnit(before.at(-1)) && isPlain) return true;
    if (unitFollows(here.after)) return true;
  }
  const now = around(tokens, NOW_PHRASES);
  if (now === undefined) return false;
  const [unit = "", word = ""] = now.before.toReversed();
  return unitFollows(now.after) || (isUnit(unit) && IN.has(word));
}

/** A unit of another system behind a word for `in`: `distance in miles`. The pattern is also a rule of the mapping file. */
const IN_UNIT = {
  mi: /(?:^|[^\p{L}\d])(?:in|en|em|i|w|auf) (?:mi|miles?|meilen?|milles|millas?|miglia|milhas?|mijl|mijlen|milach|mile)(?:$|[^\p{L}\d/])|マイル/iu,
  km: /(?:^|[^\p{L}\d])(?:in|en|em|i|w|auf) (?:kms?|kilomet(?:er|ers|ern|re|res|rach)|kil[oó]metros|quil[oô]metros|chilometri)(?:$|[^\p{L}\d/])/iu,
} as const;

/** Words before such a unit that make it that of something else: `pace in min`, `splits in miles`. */
const OF_OTHERS =
  /(?:^|[^\p{L}])(?:pace|splits?|laps?|reps?|intervals?|runden|tempo|allure|ritmo|pass|speed)[^\p{L}]*$/u;

/** A text that is nothing but a unit, perhaps with words such as `today`: `(miles)`, `miles today`, `miles, not km`. */
const ALONE = new Set(
  words(
    "this|one|today|only|not|run|is|was|it|distance|heute|nur|nicht|diesmal|distanz|aujourd'hui|pas|hoy|no|oggi|non|hoje|nao|vandaag|niet|idag|inte|dag|ikke|dzis|nie",
  ),
);

/** A unit that a note can say. */
export type NotedUnit = keyof typeof IN_UNIT;

/** The pattern that finds a unit within a note, for a rule of the mapping file. */
export const patternOfUnit = (unit: NotedUnit): string => IN_UNIT[unit].source.replaceAll("\\/", "/");

/** Longer texts are somebody's words about more than the distance, and a rule sees only their beginning. */
const LONGEST_NOTE = 120;

/** Whether a note says of its own row that the distance is in a unit. */
export function saysUnit(text: string, unit: NotedUnit): boolean {
  return text.length <= LONGEST_NOTE && (withinNote(text, unit) || isAlone(text, unit));
}

/** Whether the pattern of a rule finds it. */
export function withinNote(text: string, unit: NotedUnit): boolean {
  const found = IN_UNIT[unit].exec(text);
  if (found === null) return false;
  if (found[0] === "マイル") return !/\d\s?$/.test(text.slice(0, found.index));
  // `in km 5` is a place on the way.
  const after = text.slice(found.index + found[0].length - 1);
  return !/^\W?\s*\d/.test(after) && !OF_OTHERS.test(text.slice(0, found.index).toLowerCase());
}

function isAlone(text: string, unit: NotedUnit): boolean {
  const [first = "", ...others] = wordsOf(foldHeader(text)).filter((word) => /[\p{L}\d]/u.test(word));
  const isThe = (word: string) => unitSpelt("distance", word) === unit || unitOf(word) === unit;
  const all = [first, ...others];
  const named = all.findIndex(isUnit);
  const which = all[named];
  return (
    which !== undefined && isThe(which) && all.every((word, at) => at === named || ALONE.has(word) || isUnit(word))
  );
}
