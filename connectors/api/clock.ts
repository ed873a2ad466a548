import { setTimeout as wait } from "node:timers/promises";

/** Time and chance, handed in so that tests can move the one and fix the other. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Settles after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

/** The machine's own. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
  random: () => Math.random(),
};
