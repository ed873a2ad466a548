/**
 * Titles that name a time of day: "Morning Run", "Lauf am Abend", "Sortie à vélo le midi". A platform chooses such a title by the athlete's
 * wall clock, so the title shows whether a local time can be right.
 */
import type { LocalTime } from "../calendar.ts";

/** The hours of the day that a word can mean, from the first up to but excluding the second. Hours past 24 belong to the next morning. */
interface PartOfDay {
  readonly from: number;
  readonly until: number;
  /** Words in the languages of real exports. A word that ends in `*` may begin a longer word (`Abendlauf`). */
  readonly words: string;
}

/**
 * These hours are wider than any platform's own bounds, so that only an impossible title counts against a time. A part comes before the
 * parts with words inside its own words: `Nachmittag` before `Mittag`, `après-midi` before `midi`.
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

/** Makes one pattern of alternatives, each of which begins at the start of a word. */
function patternOf(words: string): RegExp {
  const alternatives = words.split(", ").map((word) => (word.endsWith("*") ? word.slice(0, -1) : `${word}(?!\\p{L})`));
  return new RegExp(`(?<!\\p{L})(?:${alternatives.join("|")})`, "u");
}

/** The number of characters of a title that are searched: a title with a time of day is short. */
const LONGEST_TITLE = 200;

/**
 * Whether a title fits a time of day.
 *
 * @returns undefined if the title names no time of day
 */
export function fitsTimeOfDay(title: string, time: LocalTime): boolean | undefined {
  const text = title.slice(0, LONGEST_TITLE).normalize("NFC").toLowerCase().replaceAll(/[-_]/g, " ");
  const part = PATTERNS.find(({ pattern }) => pattern.test(text));
  if (part === undefined) return undefined;
  const hour = Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;
  return [hour, hour + 24].some((one) => one >= part.from && one < part.until);
}
