/** Lists by several words, in the order in which they were filled. */
export class Positions<T> {
  readonly #all = new Map<string, T[]>();

  add(words: readonly string[], one: T): void {
    const key = words.join("\u0000");
    const list = this.#all.get(key);
    if (list === undefined) this.#all.set(key, [one]);
    else if (list.at(-1) !== one) list.push(one);
  }

  /** The list of these words; an empty one when nothing was added. */
  at(words: readonly string[]): readonly T[] {
    return this.#all.get(words.join("\u0000")) ?? [];
  }
}

/** The numbers of several ascending lists, ascending and each once. They are found while they are asked for. */
export function* ascending(lists: readonly (readonly number[])[]): Generator<number> {
  const next = lists.map(() => 0);
  for (;;) {
    let least: number | undefined;
    for (const [index, list] of lists.entries()) {
      const one = list[next[index] ?? 0];
      if (one !== undefined && (least === undefined || one < least)) least = one;
    }
    if (least === undefined) return;
    yield least;
    for (const [index, list] of lists.entries())
      if (list[next[index] ?? 0] === least) next[index] = (next[index] ?? 0) + 1;
  }
}
