/** Finds a place in a list that is in the order of time, by halving. */

/** The place of the first one at this instant or later: as many are before it. */
export function firstAtLeast(sorted: readonly { readonly at: number }[], at: number): number {
  let [from, until] = [0, sorted.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if ((sorted[middle]?.at ?? at) < at) from = middle + 1;
    else until = middle;
  }
  return from;
}
