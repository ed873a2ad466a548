/** Many values as a few: what is usual, and what is high, without keeping each. */

/** How values lie. */
export interface Spread {
  readonly count: number;
  /** Half of them are at or below it. */
  readonly median: number;
  /** Nineteen of twenty are at or below it: a sensor's single spikes leave it where it is. */
  readonly high: number;
}

/** Counts values as they come. */
export interface Tally {
  readonly count: number;
  add(value: number): void;
  /** @throws RangeError when nothing was added */
  spread(): Spread;
}

/** @param steps how many different values to a unit: 10 for tenths. What is no sensible number is passed over. */
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
