/**
 * Titles that name a time of day: "Morning Run", "Lauf am Abend", "Sortie à vélo le midi". A platform gives such titles by the clock on the
 * athlete's wall, so they say whether a local time can be right.
 */
import type { LocalTime } from "../calendar.ts";

/** The hours of the day that a word can mean, the second one left out; past 24 they are of the next morning. */
interface PartOfDay {
  readonly from: number;
  readonly until: number;
  /** Words of the languages that exports are met in; one that ends in `*` may begin a longer word (`Abendlauf`). */
  readonly words: string;
}

/**
 * Wider than any platform's own bounds: only a title that can't be right counts against a time. A part stands before the ones whose words it
 * holds: `Nachmittag` before `Mittag`, `après-midi` before `midi`.
 */
const PARTS: readonly PartOfDay[] = [
  {
    from: 11,
    until: 19,
    words: "afternoon, nachmittag*, après midi, middag*, namiddag*, eftermiddag*, iltapäivä*, pomeriggio, pomeridiana",
  },
  { from: 11, until: 22, words: "tarde, vespertina" },
  {
    from: 3,
    until: 13,
    words:
      "morning, morgen*, vormittag*, matin, matinal, matinale, ochtend*, aamu*, mañana, matutina, morgon*, förmiddag*, mattina, mattutina, manhã",
  },
  { from: 10, until: 15, words: "lunch*, lounas*, noon, midday, mittag*, midi, mediodía, almuerzo, pranzo, almoço" },
  { from: 15, until: 24, words: "evening, abend*, soir, soirée, avond*, ilta*, kväll*, sera, serale" },
  {
    from: 19,
    until: 30,
    words: "night, nacht*, nuit, nocturne, yö*, noche, nocturna, natt*, notte, notturna, noite, noturna",
  },
];

const PATTERNS = PARTS.map(({ words, ...hours }) => ({ ...hours, pattern: patternOf(words) }));

/** Words as one pattern of alternatives, each from its first letter on. */
function patternOf(words: string): RegExp {
  const alternatives = words.split(", ").map((word) => (word.endsWith("*") ? word.slice(0, -1) : `${word}(?!\\p{L})`));
  return new RegExp(`(?<!\\p{L})(?:${alternatives.join("|")})`, "u");
}

/** Characters of a title that are looked at: a time of day stands in a short one. */
const LONGEST_TITLE = 200;

/**
 * Whether a title fits a time of day.
 *
 * @returns undefined where the title names none
 */
export function fitsTimeOfDay(title: string, time: LocalTime): boolean | undefined {
  const text = title.slice(0, LONGEST_TITLE).normalize("NFC").toLowerCase().replaceAll(/[-_]/g, " ");
  const part = PATTERNS.find(({ pattern }) => pattern.test(text));
  if (part === undefined) return undefined;
  const hour = Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;
  return [hour, hour + 24].some((one) => one >= part.from && one < part.until);
}
