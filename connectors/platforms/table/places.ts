/**
 * Where the columns of a table stand whose platform adds columns over the years, some in the middle, and gives several one name. A column
 * is found by its place in its generation; the header's words only check that.
 */

/** One generation of a table: the canonical places of its columns, in its own order. -1 is a column that no generation has. */
export interface Generation {
  readonly name: string;
  /** When tables of this form were seen. */
  readonly seen: string;
  readonly places: readonly number[];
  /** The first header, where nothing else tells it from another generation of as many columns. */
  readonly first?: string;
}

/** What is known of the columns of a table and their places. */
export interface Places {
  /** What each canonical column is called, in all languages and times; the first is for messages. */
  readonly columns: readonly (readonly string[])[];
  readonly generations: readonly Generation[];
  /** In a table of `width` columns or more, the first `kept` and the last have their places whatever else was added. */
  readonly stable: { readonly width: number; readonly kept: number };
}

/** A header that was understood. */
export interface Layout {
  readonly generation: string;
  /** Index in the row of each canonical place; undefined for a column this file has not. */
  readonly indexOf: (canonical: number) => number | undefined;
  /** Columns that no generation has: index and name. */
  readonly unknown: readonly { index: number; name: string }[];
  /** Columns with a word we don't know among many that we do: read by their place, as `as`, and to be remarked on. */
  readonly unfamiliar: readonly { index: number; name: string; as: string }[];
  readonly width: number;
  /** How many headers were words we know. 0: a language nobody here has met, read by place alone. */
  readonly wordsKnown: number;
}

/** The places from `first` to `last`, both included. */
export function from(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Makes what understands the headers of a table, or says what stands against one. It takes the fields of the first line, as they are,
 * and gives the layout; or, as text for a message, what was seen that fits no generation.
 */
export function layoutFinder(places: Places): (header: readonly string[]) => Layout | string {
  const placesOf = new Map<string, number[]>();
  for (const [place, spellings] of places.columns.entries())
    for (const word of new Set(spellings.map(fold))) placesOf.set(word, [...(placesOf.get(word) ?? []), place]);
  return (header) => findLayout(header.map(cleanHeader), places, placesOf);
}

type PlacesOf = ReadonlyMap<string, readonly number[]>;

function findLayout(words: readonly string[], known: Places, placesOf: PlacesOf): Layout | string {
  const candidates = candidatesFor(words, known);
  if (candidates.length === 0) return `${words.length} columns, of which no form is known`;
  const nameOf = (place: number | undefined) => known.columns[place ?? -1]?.[0];
  const judged = candidates.map((generation) => ({ generation, ...judge(words, generation, placesOf, nameOf) }));
  const sound = judged.filter(({ against }) => against === undefined).sort((a, b) => b.known - a.known);
  const best = sound[0];
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
    unfamiliar: best.known * 2 > words.length ? unfamiliar : [],
    width: words.length,
    wordsKnown: best.known,
  };
}

/** The generations of as many columns; where there is none, and the table is wide enough, the places that have been kept. */
function candidatesFor(words: readonly string[], { columns, generations, stable }: Places): readonly Generation[] {
  const candidates = generations.filter(({ places }) => places.length === words.length);
  if (candidates.length > 0 || words.length < stable.width) return candidates;
  const last = words.length - 1;
  const places = words.map((_, index) => (index < stable.kept ? index : index === last ? columns.length - 1 : -1));
  return [{ name: `unknown (${words.length} columns)`, seen: "never", places }];
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
  { places, first }: Generation,
  placesOf: PlacesOf,
  nameOf: (place: number) => string | undefined,
): { known: number; against: string | undefined } {
  let known = 0;
  if (first !== undefined && words[0] !== first)
    return { known, against: `the first column is ${JSON.stringify(words[0])}` };
  for (const [index, word] of words.entries()) {
    const at = places[index] ?? -1;
    const possible = placesOf.get(fold(word));
    if (possible === undefined || at === -1) continue;
    if (!possible.includes(at)) {
      const expected = nameOf(at) ?? "";
      return {
        known,
        against: `column ${index + 1} of ${words.length} is ${JSON.stringify(word)}, where ${expected} belongs`,
      };
    }
    known++;
  }
  return { known, against: undefined };
}

function fold(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s_]+/g, " ");
}
