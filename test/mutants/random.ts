/** Repeatable random numbers: the same seed and index give the same input on every machine. */

/** A source of numbers. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** One of these. */
  of<T>(choices: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** Source: "mulberry32", a generator of 32 bits of state by Tommy Ettinger, in the public domain. */
export function randomOf(seed: number, index: number): Random {
  // Neighbouring indices must not begin alike: mixed by the constants of MurmurHash3's finalizer.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  next();
  const below = (limit: number) => (limit <= 1 ? 0 : next() % limit);
  return {
    below,
    of: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    once: (times) => below(times) === 0,
  };
}
