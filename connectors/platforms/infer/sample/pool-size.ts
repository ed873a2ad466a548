/** Finds the length of the pool beside swims: `25m`, `50`. It is none of a workout. */
import { foldHeader } from "../words/header-words.ts";
import { roughNumber, splitAmount } from "../words/values.ts";

/** Words for a pool, folded, alone or with its length. */
const POOL =
  /(?:^|\s)(?:pool|becken|beckenlange|bahnlange|bassin|piscine|piscina|vasca|zwembad|bassang|bassanglangd|basen|svommehal)(?:$|[\s(/-])|プール/;

/** Metres and yards that pools have at the most. */
const LONGEST = 60;

/** A pool has one length, and people swim in a few. */
const MOST_POOLS = 4;

/** Whether the cells below a header are lengths of pools. A distance that somebody swam in one is longer. */
export function isPoolSize(name: string, filled: readonly string[]): boolean {
  if (filled.length === 0 || !POOL.test(foldHeader(name))) return false;
  const lengths = filled.map((cell) => roughNumber(splitAmount(cell).number));
  return lengths.every((length) => length > 0 && length <= LONGEST) && new Set(lengths).size <= MOST_POOLS;
}
