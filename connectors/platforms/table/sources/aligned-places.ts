/**
 * Finds the places of columns by the known words of a header. New columns in the middle of a table push the ones behind them to the right, so the
 * number of a column says little there. The words do: they keep their order.
 */

/** The canonical places of a word; undefined for an unknown word. */
export type PlacesOfWord = (word: string) => readonly number[] | undefined;

/** With fewer known words in their order, a header is another platform's, or in an unknown language. */
const LEAST_WORDS = 5;

/** A header with more columns than this for each known one is damaged. The search would grow with them. */
const MOST_WIDER = 4;

/**
 * The places of the words of a header: of as many known words as possible in the canonical order, of unknown words that stand alone between two
 * neighbours, and of words that only one column has. The other columns have -1.
 *
 * @param places number of canonical places
 * @returns undefined if the first two columns or too few words are known
 */
export function alignedPlaces(
  words: readonly string[],
  placesOf: PlacesOfWord,
  places: number,
): readonly number[] | undefined {
  if (words.length > MOST_WIDER * places) return undefined;
  const found = inOrder(words, placesOf, places);
  if (found.filter((place) => place !== -1).length < LEAST_WORDS) return undefined;
  fillGaps(found, words, placesOf, places);
  const free = new Set(Array.from({ length: places }, (_, place) => place).filter((place) => !found.includes(place)));
  for (const [index, word] of words.entries()) {
    const [only = -1, ...others] = placesOf(word) ?? [];
    if (found[index] === -1 && others.length === 0 && free.delete(only)) found[index] = only;
  }
  return found.includes(0) && found.includes(1) ? found : undefined;
}

/** The longest series of words that stand in the canonical order. */
function inOrder(words: readonly string[], placesOf: PlacesOfWord, places: number): number[] {
  // longest[i][p]: most words from index i on with places from p on.
  const longest = Array.from({ length: words.length + 1 }, () => new Array<number>(places + 1).fill(0));
  const at = (index: number, place: number) => longest[index]?.[place] ?? 0;
  const fits = words.map((word) => new Set(placesOf(word)));
  for (let index = words.length - 1; index >= 0; index--)
    for (let place = places - 1; place >= 0; place--) {
      const without = Math.max(at(index + 1, place), at(index, place + 1));
      const here = fits[index]?.has(place) === true ? 1 + at(index + 1, place + 1) : 0;
      (longest[index] as number[])[place] = Math.max(without, here);
    }
  const found = new Array<number>(words.length).fill(-1);
  let place = 0;
  for (let index = 0; index < words.length && place < places; ) {
    if (fits[index]?.has(place) === true && at(index, place) === 1 + at(index + 1, place + 1)) found[index++] = place++;
    else if (at(index, place) === at(index, place + 1)) place++;
    else index++;
  }
  return found;
}

/** Unknown words between two known ones are the columns between them, if there are as many. */
function fillGaps(found: number[], words: readonly string[], placesOf: PlacesOfWord, places: number): void {
  let before = -1;
  for (let index = 0; index <= words.length; index++) {
    const place = index === words.length ? places : found[index];
    if (place === -1 || place === undefined) continue;
    const first = before === -1 ? 0 : (found[before] ?? 0) + 1;
    const between = words.slice(before + 1, index);
    if (between.length === place - first)
      for (const [offset, word] of between.entries())
        if (placesOf(word) === undefined) found[before + 1 + offset] = first + offset;
    before = index;
  }
}
