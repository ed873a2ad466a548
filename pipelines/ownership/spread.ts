/** Summarises many values by a usual and a high value, without keeping each value. */

/** The spread of values. */
export interface Spread {
  readonly count: number;
  /** Half of the values are at or below it. */
  readonly median: number;
  /** Nineteen of twenty values are at or below it. Single spikes of a sensor don't change it. */
  readonly high: number;
}

/** Counts values one by one. */
export interface Tally {
  readonly count: number;
  add(value: number): void;
  /** @throws RangeError when nothing was added */
  spread(): Spread;
}

/**
 * Makes a tally.
 *
 * @param steps number of steps in a unit: 10 for tenths. Values that are not between 0 and 1000 are ignored
 */
export function tallyOf(steps: number): Tally {
  const counts = new Map<number, number>();
  let count = 0;
  const below = (share: number) => {
    let passed = 0;
    for (const step of [...counts.keys()].sort((a, b) => a - b)) {
      passed += counts.get(step) ?? 0;
      if (passed >= count * share) return step / steps;
    }
    throw new RangeError("Cannot tell how values lie: there are none");
  };
  return {
    get count() {
      return count;
    },
    add(value) {
      if (!(value > 0 && value < 1000)) return;
      const step = Math.round(value * steps);
      counts.set(step, (counts.get(step) ?? 0) + 1);
      count++;
    },
    spread: () => ({ count, median: below(0.5), high: below(0.95) }),
  };
}
