/** A set of fingerprints for tens of millions, in four bytes each. It may take one in billions for another: what it finds is looked at again. */
export class MarkSet {
  readonly #table: Uint32Array;

  /** @param most the number of fingerprints that will be added at the most */
  constructor(most: number) {
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2 * most, 16))));
  }

  add(mark: string): void {
    const { word, index } = this.#find(mark);
    this.#table[index] = word;
  }

  has(mark: string): boolean {
    return this.#table[this.#find(mark).index] !== 0;
  }

  /** The place of a fingerprint, or the free place for it. There is always a free one, since half of the table stays empty. */
  #find(mark: string): { readonly word: number; readonly index: number } {
    const [first, second] = twoHashes(mark);
    const last = this.#table.length - 1;
    let index = first & last;
    // 0 is a free place.
    const word = second === 0 ? 1 : second;
    for (;;) {
      const there = this.#table[index];
      if (there === 0 || there === word) return { word, index };
      index = (index + 1) & last;
    }
  }
}

/** Two independent hashes of 32 bits. Fingerprints are hashes already, so mixing their characters once is enough. */
function twoHashes(mark: string): readonly [number, number] {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < mark.length; index++) {
    const code = mark.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return [(a ^ (a >>> 15)) >>> 0, b >>> 0];
}
