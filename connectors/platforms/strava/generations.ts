/**
 * Where the columns of activities.csv stand. The platform has added columns nine times since 2018, some of them in the middle,
 * and several share one name; so a column is found by its place in its generation, and the header's words only check that.
 */
import { COLUMNS, MEDIA } from "./map.ts";

/** One generation: the canonical positions of its columns, in its own order. */
export interface Generation {
  readonly name: string;
  /** When exports of this form were seen. */
  readonly seen: string;
  readonly positions: readonly number[];
  /** The first header, where nothing else tells it from another generation of as many columns. */
  readonly first?: string;
}

/** The positions from `first` to `last`, both included. */
function from(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

// The first exports with a second block had neither the first Max Heart Rate (7) nor Activity Private Note (10).
const EARLY_SECOND_BLOCK = [...from(0, 6), 8, 9, ...from(11, 80)];

/** Source: eleven real exports; the names are ours. */
export const GENERATIONS: readonly Generation[] = [
  // Its distance is in metres, like the later second block's: that is all that tells it from the next but for its header.
  { name: "a", seen: "until June 2019", positions: [0, 1, 2, 3, 4, 5, 17, 9, 11, 12], first: "id" },
  { name: "b", seen: "2019 to 2020", positions: [0, 1, 2, 3, 4, 5, 6, 9, 11, 12] },
  { name: "b", seen: "2019 to 2020", positions: [0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 12] },
  { name: "c", seen: "2020 to 2021", positions: EARLY_SECOND_BLOCK },
  { name: "c", seen: "2020 to 2021", positions: [...EARLY_SECOND_BLOCK, 81] },
  // Of the 86 columns it isn't known which of 84 and 85 is the missing one: the header tells.
  { name: "d", seen: "2022 to 2023", positions: [...from(0, 84), MEDIA] },
  { name: "d", seen: "2022 to 2023", positions: [...from(0, 83), 85, MEDIA] },
  { name: "d", seen: "2022 to 2023", positions: [...from(0, 85), MEDIA] },
  { name: "e", seen: "June 2024", positions: [...from(0, 90), MEDIA] },
  { name: "f", seen: "2024 to early 2025", positions: [...from(0, 92), MEDIA] },
  { name: "g", seen: "autumn 2025", positions: [...from(0, 97), MEDIA] },
  { name: "h", seen: "late 2025 to early 2026", positions: [...from(0, 99), MEDIA] },
  { name: "i", seen: "from April 2026", positions: [...from(0, 101), MEDIA] },
];

/** From this many columns on, the first 91 have kept their places whatever was added behind them. */
const STABLE_FROM = 92;
const STABLE = from(0, 90);

/** A header that was understood. */
export interface Layout {
  readonly generation: string;
  /** Index in the row of each canonical position; undefined for a column this file has not. */
  readonly indexOf: (canonical: number) => number | undefined;
  /** Columns that no generation has: index and name. */
  readonly unknown: readonly { index: number; name: string }[];
  /** Columns with a word we don't know among many that we do: read by their place, as `as`, and to be remarked on. */
  readonly unfamiliar: readonly { index: number; name: string; as: string }[];
  readonly width: number;
  /** How many headers were words we know. 0: a language nobody here has met, read by position alone. */
  readonly wordsKnown: number;
}

/**
 * Understands a header, or says what stands against it.
 *
 * @param header the fields of the first line, as they are
 * @returns the layout; or, as text for a message, what was seen that fits no generation
 */
export function findLayout(header: readonly string[]): Layout | string {
  const words = header.map(cleanHeader);
  const candidates: Generation[] = GENERATIONS.filter(({ positions }) => positions.length === words.length);
  if (candidates.length === 0 && words.length >= STABLE_FROM) {
    const last = words.length - 1;
    const positions = words.map((_, index) => STABLE[index] ?? (index === last ? MEDIA : -1));
    candidates.push({ name: `unknown (${words.length} columns)`, seen: "never", positions });
  }
  if (candidates.length === 0) return `${words.length} columns, of which no form is known`;
  const judged = candidates.map((generation) => ({ generation, ...judge(words, generation) }));
  const sound = judged.filter(({ against }) => against === undefined).sort((a, b) => b.known - a.known);
  const best = sound[0];
  if (best === undefined) return judged[0]?.against ?? "";
  const indexes = new Map(best.generation.positions.map((canonical, index) => [canonical, index]));
  return {
    generation: best.generation.name,
    indexOf: (canonical: number) => indexes.get(canonical),
    unknown: words.flatMap((name, index) => (best.generation.positions[index] === -1 ? [{ index, name }] : [])),
    unfamiliar: best.known * 2 > words.length ? unfamiliarIn(words, best.generation) : [],
    width: words.length,
    wordsKnown: best.known,
  };
}

/**
 * A header without the packing of some exports: a byte order mark, an HTML `span`, and the notice that a translation is
 * missing, of which the last part names the column (`...horton_values.avg_flow`).
 */
export function cleanHeader(header: string): string {
  const word = header
    .replace(/^\ufeff/, "")
    .replace(/<[^<>]{0,400}>/g, "")
    .trim();
  return /^translation missing: \S{0,400}\.(\w{1,60})$/.exec(word)?.[1]?.replaceAll("_", " ") ?? word;
}

/** How many headers stand where they should, and the first one that stands elsewhere. */
function judge(
  words: readonly string[],
  { positions, first }: Generation,
): { known: number; against: string | undefined } {
  let known = 0;
  if (first !== undefined && words[0] !== first)
    return { known, against: `the first column is ${JSON.stringify(words[0])}` };
  for (const [index, word] of words.entries()) {
    const at = positions[index] ?? -1;
    const places = PLACES.get(fold(word));
    if (places === undefined || at === -1) continue;
    // "Distance" of the oldest form stands for the metres of the second block; both are called that.
    if (!places.includes(at)) {
      const expected = COLUMNS[at]?.en ?? "";
      return {
        known,
        against: `column ${index + 1} of ${words.length} is ${JSON.stringify(word)}, where ${expected} belongs`,
      };
    }
    known++;
  }
  return { known, against: undefined };
}

function unfamiliarIn(words: readonly string[], { positions }: Generation): Layout["unfamiliar"] {
  return words.flatMap((name, index) => {
    const as = COLUMNS[positions[index] ?? -1]?.en;
    return as === undefined || PLACES.has(fold(name)) ? [] : [{ index, name, as }];
  });
}

/** Where a word can stand. */
const PLACES = new Map<string, number[]>();
for (const [position, { en, de, fr, also = [] }] of COLUMNS.entries()) {
  for (const word of new Set([en, de, fr, ...also].filter((each) => each !== undefined).map(fold))) {
    PLACES.set(word, [...(PLACES.get(word) ?? []), position]);
  }
}

function fold(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s_]+/g, " ");
}
