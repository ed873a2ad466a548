import { setTimeout as wait } from "node:timers/promises";

/** Time and randomness. Callers pass them in, so that tests can move the time and fix the randomness. */
export interface Clock {
  /** Milliseconds of a monotonic clock, for waiting and for durations. Its starting point means nothing. */
  now(): number;
  /** Milliseconds since 1970 UTC, for dates that are read or shown. Never for waiting: a person may set this clock at any moment. */
  date(): number;
  /** Settles after `ms` milliseconds. It rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number: at least 0, less than 1. */
  random(): number;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
  random: () => Math.random(),
};
