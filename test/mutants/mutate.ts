import { BLIND, LONGEST_MUTANT } from "./operators.ts";
import type { Parser } from "./parsers.ts";
import { type Random, randomOf } from "./random.ts";

/** The input of an index, and the rest of its random numbers for the reader's own choices. */
export function mutantOf(
  { damage, words }: Pick<Parser, "damage" | "words">,
  seeds: readonly Buffer[],
  seed: number,
  index: number,
): { readonly input: Buffer; readonly random: Random } {
  const random = randomOf(seed, index);
  const context = { others: seeds, words };
  let input: Buffer = random.of(seeds);
  for (let left = random.of([1, 1, 2, 3, 8]); left > 0; left--) {
    const own = damage.length > 0 && random.once(2);
    input = random.of(own ? damage : BLIND)(input, random, context);
  }
  return { input: input.subarray(0, LONGEST_MUTANT), random };
}
