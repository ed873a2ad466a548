/** All blocks of a roster in one list. */
import type { Block } from "../../pipelines/ownership/block.ts";
import { contradictions } from "../../pipelines/ownership/contradictions.ts";

/** Takes what `contradictions` takes. */
export async function blocksOf(...given: Parameters<typeof contradictions>): Promise<readonly Block[]> {
  const all: Block[] = [];
  for await (const some of contradictions(...given)) all.push(...some);
  return all;
}
