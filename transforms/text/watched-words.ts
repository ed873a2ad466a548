/** A list of words that says which of them somebody asked for. */

/** A map that tells when one of its words is asked for. To ask whether it has a word is no use of the word. */
export class WatchedWords<T> extends Map<string, T> {
  readonly #use: (word: string) => void;

  /** @param use called with each word that is in the map, whenever its value is asked for */
  constructor(entries: Iterable<readonly [string, T]>, use: (word: string) => void) {
    super(entries);
    this.#use = use;
  }

  override get(word: string): T | undefined {
    if (this.has(word)) this.#use(word);
    return super.get(word);
  }
}
