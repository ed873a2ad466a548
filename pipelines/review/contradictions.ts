/** Finds answers that can't all be true: two workouts that are one with a third one, and yet two. */

/** An answer about the records with these keys. */
export interface Said {
  readonly keys: readonly [string, string];
  readonly answer: "one" | "two";
}

/**
 * The answers with which a new one can't be true.
 *
 * @param known the other answers, which agree among themselves
 * @returns undefined when all can be true
 */
export function contradictedBy(said: Said, known: readonly Said[]): readonly Said[] | undefined {
  const ones = known.filter(({ answer }) => answer === "one");
  if (said.answer === "two") return chain(said.keys, ones);
  for (const two of known) {
    if (two.answer === "one") continue;
    const links = chain(two.keys, [...ones, said]);
    if (links?.includes(said)) return [...links.filter((link) => link !== said), two];
  }
  return undefined;
}

/** The fewest answers that make two records one; undefined if none do. */
function chain([from, to]: Said["keys"], ones: readonly Said[]): readonly Said[] | undefined {
  const reached = new Map<string, readonly Said[]>([[from, []]]);
  for (const [key, links] of reached) {
    if (key === to) return links;
    for (const one of ones) {
      const next = one.keys[0] === key ? one.keys[1] : one.keys[1] === key ? one.keys[0] : undefined;
      if (next !== undefined && !reached.has(next)) reached.set(next, [...links, one]);
    }
  }
  return undefined;
}
