/**
 * Finds the columns of a table by place. Its platform adds columns over the years, some in the middle, and gives several the same name. So
 * each column is found by its place in its generation of the table. The header's words only confirm it.
 */

import { alignedPlaces } from "./aligned-places.ts";

/** One generation of a table: the canonical places of its columns, in its own order. -1 means a column that is in no generation. */
export interface Generation {
  readonly name: string;
  /** When tables of this form were seen. */
  readonly seen: string;
  readonly places: readonly number[];
  /** The first header. It is given where another generation has the same number of columns, and only this header differs. */
  readonly first?: string;
  /** Whether the places come from the words of a header that fits nothing else. */
  readonly byWords?: true;
}

/** The known columns of a table and their places. */
export interface Places {
  /** The names of each canonical column, in all languages and times. The first name is for messages. */
  readonly columns: readonly (readonly string[])[];
  readonly generations: readonly Generation[];
  /**
   * In a table of `width` columns or more, the first `kept` columns and the last column keep their places, whatever columns were added. Between
   * them, a header with a known word is the column of that word. Where this doesn't fit, a table of `least` columns or more is read by its
   * known words, which keep their order.
   */
  readonly stable: { readonly width: number; readonly kept: number; readonly least: number };
}

/** A header that was recognised. */
export interface Layout {
  readonly generation: string;
  /** Index in the row of each canonical place; undefined for a column that this file lacks. */
  readonly indexOf: (canonical: number) => number | undefined;
  /** Columns that are in no generation: index and name. */
  readonly unknown: readonly { index: number; name: string }[];
  /** Columns with an unknown word among many known ones. They are read by their place, as `as`, and reported in a remark. */
  readonly unfamiliar: readonly { index: number; name: string; as: string }[];
  readonly width: number;
  /** Number of headers with known words. 0 means an unknown language, so the table is read by place alone. */
  readonly wordsKnown: number;
  /** Whether its columns were found by their words, in another order or number than any generation has. */
  readonly byWords: boolean;
  /** Whether a table of this width may be an older one with a new column, so that places alone prove nothing. */
  readonly isDoubtful: boolean;
}

/** The places from `first` to `last`, both included. */
export function from(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Makes a function that recognises the headers of a table. The function takes the unchanged fields of the first line and returns the
 * layout. If the header fits no generation, it returns the difference as text for a message.
 */
export function layoutFinder(places: Places): (header: readonly string[]) => Layout | string {
  const placesOf = new Map<string, number[]>();
  for (const [place, spellings] of places.columns.entries())
    for (const word of new Set(spellings.map(fold))) placesOf.set(word, [...(placesOf.get(word) ?? []), place]);
  return (header) => {
    const words = header.map(cleanHeader);
    const found = findLayout(words, places, placesOf);
    if (typeof found !== "string") return found;
    // No known header is longer. So a hostile one doesn't take long.
    if (words.length > places.columns.length + 1) return found;
    return withoutRepeated(words, (others) => findLayout(others, places, placesOf)) ?? found;
  };
}

/**
 * The layout of a header with one column too many, whose name another column has: the known one, if the header fits it without exactly one of these
 * columns, word for word. The column is in no generation.
 */
function withoutRepeated(
  words: readonly string[],
  find: (words: readonly string[]) => Layout | string,
): Layout | undefined {
  const folded = words.map(fold);
  const fits = words.flatMap((name, index) => {
    if (folded.indexOf(fold(name)) === folded.lastIndexOf(fold(name))) return [];
    const layout = find(words.toSpliced(index, 1));
    const fitsWhole = typeof layout !== "string" && layout.wordsKnown === words.length - 1 && !layout.byWords;
    return fitsWhole ? [{ layout, index, name }] : [];
  });
  const [one] = fits;
  if (one === undefined || fits.length > 1) return undefined;
  const { layout, index, name } = one;
  const indexOf = (canonical: number) => {
    const at = layout.indexOf(canonical);
    return at !== undefined && at >= index ? at + 1 : at;
  };
  return { ...layout, indexOf, unknown: [{ index, name }], width: words.length };
}

type PlacesOf = ReadonlyMap<string, readonly number[]>;

function findLayout(words: readonly string[], table: Places, placesOf: PlacesOf): Layout | string {
  const candidates = candidatesFor(words, table, placesOf);
  if (candidates.length === 0) return `${words.length} columns, of which no form is known`;
  const nameOf = (place: number | undefined) => table.columns[place ?? -1]?.[0];
  const judged = candidates.map((generation) => ({ generation, ...judge(words, generation, placesOf, nameOf) }));
  const sound = judged.filter(({ against }) => against === undefined);
  const best =
    sound.filter(({ generation: { byWords } }) => byWords !== true).sort((a, b) => b.confirmed - a.confirmed)[0] ??
    sound[0];
  if (best === undefined) return judged[0]?.against ?? "";
  const { name: generation, places } = best.generation;
  const indexes = new Map(places.map((canonical, index) => [canonical, index]));
  const unfamiliar = words.flatMap((name, index) => {
    const as = nameOf(places[index]);
    return as === undefined || placesOf.has(fold(name)) ? [] : [{ index, name, as }];
  });
  return {
    generation,
    indexOf: (canonical: number) => indexes.get(canonical),
    unknown: words.flatMap((name, index) => (places[index] === -1 ? [{ index, name }] : [])),
    unfamiliar: best.confirmed * 2 > words.length ? unfamiliar : [],
    width: words.length,
    wordsKnown: best.confirmed,
    byWords: best.generation.byWords === true,
    isDoubtful:
      table.generations.every((each) => each.places.length !== words.length) ||
      table.generations.some((each) => each.places.length === words.length - 1),
  };
}

/**
 * The forms that a table may have, the likeliest first: each generation with the same number of columns. If there is none and the table is wide, the
 * form with the stable places. Last comes the form in which the headers with known words keep their order.
 */
function candidatesFor(words: readonly string[], table: Places, placesOf: PlacesOf): readonly Generation[] {
  const { stable, columns } = table;
  const first = table.generations.find((each) => each.first !== undefined && words.includes(each.first))?.first;
  const generations = table.generations.filter((each) => each.first === first);
  const complete = completeGeneration(words, { ...table, generations }, placesOf);
  if (complete !== undefined) return [complete];
  const candidates = generations.filter(({ places }) => places.length === words.length);
  const name = `unknown (${words.length} columns)`;
  const isNewer = candidates.length === 0 && words.length >= stable.width;
  const aligned =
    words.length < stable.least ? undefined : alignedPlaces(words, (word) => placesOf.get(fold(word)), columns.length);
  return [
    ...candidates,
    ...(isNewer ? [{ name, seen: "never", places: newerPlaces(words, table, placesOf) }] : []),
    ...(aligned === undefined ? [] : [{ name, seen: "never", places: aligned, byWords: true as const }]),
  ];
}

/**
 * The widest narrow generation of which each column stands in the header, with its word and once. Then the words count, in any order, and the other
 * columns are new. In wider tables several columns share a word.
 */
function completeGeneration(
  words: readonly string[],
  { generations, stable }: Places,
  placesOf: PlacesOf,
): Generation | undefined {
  if (words.length >= stable.least) return undefined;
  const widestFirst = generations.filter(({ places }) => places.length < stable.least);
  widestFirst.sort((a, b) => b.places.length - a.places.length);
  for (const { places, ...generation } of widestFirst) {
    const indexes = places.map((place) =>
      words.flatMap((word, index) => (placesOf.get(fold(word))?.includes(place) ? [index] : [])),
    );
    if (indexes.some(({ length }) => length !== 1)) continue;
    const placeAt = new Map(places.map((place, column) => [indexes[column]?.[0], place]));
    const found = words.map((_, index) => placeAt.get(index) ?? -1);
    if (found.filter((place) => place !== -1).length < places.length) continue;
    const { first: _, ...unordered } = generation;
    const isInOrder = words.length === places.length && found.every((place, index) => place === places[index]);
    return { ...unordered, places: found, ...(!isInOrder && { byWords: true as const }) };
  }
  return undefined;
}

/** The stable places, and between them the columns with known words: a table of next year still has this year's columns. */
function newerPlaces(words: readonly string[], { columns, stable }: Places, placesOf: PlacesOf): readonly number[] {
  const end = columns.length - 1;
  const named = words.findLastIndex((word) => placesOf.get(fold(word))?.includes(end));
  const last = named < stable.kept ? words.length - 1 : named;
  const free = new Set(from(stable.kept, end - 1));
  const byWord = (word: string) => placesOf.get(fold(word))?.find((each) => free.delete(each)) ?? -1;
  return words.map((word, index) => (index === last ? end : index < stable.kept ? index : byWord(word)));
}

/**
 * Cleans a header of the extras in some exports: a byte order mark, an HTML `span`, and the notice that a translation is missing. The last
 * part of that notice names the column (`...horton_values.avg_flow`).
 */
export function cleanHeader(header: string): string {
  const word = header
    .replace(/^\ufeff/, "")
    .replace(/<[^<>]{0,400}>/g, "")
    .trim();
  return /^translation missing: \S{0,400}\.(\w{1,60})$/.exec(word)?.[1]?.replaceAll("_", " ") ?? word;
}

/** The number of headers that confirm their places by their words, and the first header in a wrong place. */
function judge(
  words: readonly string[],
  { places, first }: Generation,
  placesOf: PlacesOf,
  nameOf: (place: number) => string | undefined,
): { confirmed: number; against: string | undefined } {
  let confirmed = 0;
  if (first !== undefined && words[0] !== first)
    return { confirmed, against: `the first column is ${JSON.stringify(words[0])}` };
  for (const [index, word] of words.entries()) {
    const at = places[index] ?? -1;
    const possible = placesOf.get(fold(word));
    if (possible === undefined || at === -1) continue;
    if (!possible.includes(at)) {
      const expected = nameOf(at) ?? "";
      return {
        confirmed,
        against: `column ${index + 1} of ${words.length} is ${JSON.stringify(word)}, where ${expected} belongs`,
      };
    }
    confirmed++;
  }
  return { confirmed, against: undefined };
}

function fold(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s_]+/g, " ");
}
