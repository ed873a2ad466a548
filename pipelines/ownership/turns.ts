/** Lets the other work of this process have its turns during a long computation: heartbeats, claims, and other athletes. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Turns of the event loop that a long computation gives away. */
export interface Turns {
  /** Whether the computation went on for long enough. Cheap: ask it after each small part. */
  isDue(): boolean;
  /** Settles after everything else that waits in this process had its turn. */
  give(): Promise<void>;
}

/** Milliseconds that a computation goes on without a pause. A heartbeat that is late by so much is in time. */
const MOST_MS = 20;

/** Turns by the monotonic clock. */
export function turnsByClock(): Turns {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= MOST_MS,
    async give() {
      await nextTurn();
      since = performance.now();
    },
  };
}
