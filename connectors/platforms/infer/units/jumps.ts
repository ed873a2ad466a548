/** Finds numbers that jump once, by the factor between two units, and stay there: kilometres that become miles, kilograms that become pounds. */

/** So many numbers must lie on each side. */
const LEAST_ROWS = 4;

/** This share of each side may be as large as the other side. */
const MOST_STRAYS = 0.1;

/** How far the medians may be from the factor. Those of twenty runs each are seven hundredths off by chance. */
const TOLERANCE = 0.12;

/** A jump. */
export interface Jump<T> {
  /** The first row with the other unit. */
  readonly first: T;
  /** The larger median over the smaller one. */
  readonly factor: number;
  /** Whether the numbers are smaller from there on. */
  readonly isDown: boolean;
}

/**
 * Where numbers jump by a factor, once; undefined if they don't.
 *
 * @param unit the factor between the two units, above 1
 * @param rows positive numbers in the order of the table
 */
export function jumpBy<T extends { readonly value: number }>(unit: number, rows: readonly T[]): Jump<T> | undefined {
  const sorted = rows.map(({ value }) => value).toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor(sorted.length * 0.1)], sorted[Math.floor(sorted.length * 0.9)]];
  if (rows.length < 2 * LEAST_ROWS || high / low < unit * (1 - TOLERANCE)) return undefined;
  const isHigh = rows.map(({ value }) => value > Math.sqrt(low * high));
  const at = splitOf(isHigh);
  const first = rows[at];
  if (at < LEAST_ROWS || rows.length - at < LEAST_ROWS || first === undefined) return undefined;
  const sides = [isHigh.slice(0, at), isHigh.slice(at)].map((side) => side.filter(Boolean).length / side.length);
  if (sides.some((share) => share > MOST_STRAYS && share < 1 - MOST_STRAYS)) return undefined;
  const [before, behind] = [medianOf(rows.slice(0, at)), medianOf(rows.slice(at))];
  const factor = Math.max(before, behind) / Math.min(before, behind);
  if (Math.abs(factor / unit - 1) > TOLERANCE) return undefined;
  return { first, factor, isDown: before > behind };
}

/** The place at which most of one kind lie before, and most of the other behind it. */
function splitOf(isHigh: readonly boolean[]): number {
  let [sum, most, at] = [0, 0, 0];
  const mean = isHigh.filter(Boolean).length / isHigh.length;
  for (const [index, one] of isHigh.entries()) {
    sum += Number(one) - mean;
    if (Math.abs(sum) > most) [most, at] = [Math.abs(sum), index + 1];
  }
  return at;
}

function medianOf(side: readonly { readonly value: number }[]): number {
  const sorted = side.map(({ value }) => value).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
