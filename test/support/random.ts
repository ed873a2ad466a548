/** Repeatable chance, seeded by LOGFERRY_TEST_SEED. The tests that use the seed print it. */
export const SEED = Number(process.env.LOGFERRY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Marsaglia's xorshift32, as shares of 1. */
export function randomOf(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
