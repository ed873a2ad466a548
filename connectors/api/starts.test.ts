import { expect, test } from "vitest";
import { GUARD } from "./pace.ts";
import { Starts } from "./starts.ts";

/** The starts of a hundred seconds on a machine that stalls now and then. The rate was asked for, or found out below it. */
function startsOf(rate: number, stallMs: number, every: number, asked = rate): readonly number[] {
  const starts = new Starts(asked);
  starts.space((1000 * GUARD) / rate);
  const all: number[] = [];
  for (let now = 0; now < 100_000; ) {
    now += Math.max(0, starts.leftMs(now));
    if (all.length % every === every - 1) now += stallMs;
    starts.started(now);
    all.push(now);
  }
  return all;
}

function mostInASecond(starts: readonly number[]): number {
  return Math.max(...starts.map((from, index) => starts.slice(index).filter((at) => at < from + 1000).length));
}

test("the same goes for a pace that was found out, below the one that was asked for", () => {
  const starts = startsOf(20, 100, 13, 40);
  expect(starts.length).toBeGreaterThanOrEqual(0.97 * 20 * 100);
  expect(mostInASecond(starts)).toBeLessThanOrEqual(20);
});

test("a pace that falls counts what started at the faster one", () => {
  const starts = new Starts(undefined);
  starts.space((1000 * GUARD) / 40);
  for (let number = 0; number < 40; number++) starts.started(number * 25);
  starts.space((1000 * GUARD) / 10);
  // The last second has forty starts. The tenth last was at 750 ms, and must be more than a second ago.
  expect(975 + starts.leftMs(975)).toBeGreaterThanOrEqual(1750);
});

test.each([
  [5, 100, 7],
  [20, 100, 13],
  [40, 60, 9],
  [40, 200, 500],
])(
  "at %d a second, a machine that stalls for %d ms at every %d. start keeps 97 % of that, and no second holds more",
  (rate, stallMs, every) => {
    const starts = startsOf(rate, stallMs, every);
    expect(starts.length).toBeGreaterThanOrEqual(0.97 * rate * 100);
    expect(mostInASecond(starts)).toBeLessThanOrEqual(rate);
  },
);
