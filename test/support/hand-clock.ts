/** A clock that a test moves by hand. Whoever sleeps wakes when the clock has come to the end of the sleep. */
import type { Clock } from "../../connectors/api/clock.ts";

/** A clock that stands still until it is moved. */
export interface HandClock extends Clock {
  /** Moves both clocks, and wakes who is due. It settles when those have had their turn. */
  move(ms: number): Promise<void>;
  /** Moves the wall clock alone, as after a machine slept. */
  moveWall(ms: number): void;
  /** The sleeps that are not over, in milliseconds from now. */
  readonly asleep: readonly number[];
}

/** A clock that begins on 1 January 2026. */
export function handClock(): HandClock {
  let now = 1_000;
  let wall = Date.parse("2026-01-01T00:00:00Z");
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    date: () => wall,
    random: () => 1,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
        sleepers.add(sleeper);
      }),
    async move(ms) {
      now += ms;
      wall += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake();
      await new Promise(setImmediate);
    },
    moveWall(ms) {
      wall += ms;
    },
    get asleep() {
      return [...sleepers].map(({ at }) => at - now);
    },
  };
}
