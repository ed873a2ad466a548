import { setTimeout as wait } from "node:timers/promises";

/** Time and chance, handed in so that tests can move the one and fix the other. */
export interface Clock {
  /** Milliseconds by a clock that nobody sets: for waiting, and for how long something took. Where it begins says nothing. */
  now(): number;
  /** Milliseconds since 1970 UTC, for dates that are read or shown. Never for waiting: it may be set at any moment. */
  date(): number;
  /** Settles after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

/** The machine's own. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
  random: () => Math.random(),
};
