/**
 * Computes when the next request may start, from a spacing between two starts and a limit on the starts in any second. This class only
 * computes: callers pass the time (milliseconds of `Clock.now`), and do the waiting.
 *
 * The spacing is a generic cell rate algorithm: the next starts make up for a late timer, so that the requested pace is kept. A spacing
 * counted from the start before would lose the lateness of every timer: 1 to 2 ms each, which is 1 % at 5 starts a second.
 */

import { GUARD } from "./pace.ts";

/**
 * Milliseconds of lateness that are made up. A machine that others use stalls for that long now and then. The windows still keep the limit.
 */
const MADE_UP_MS = 250;

/** Milliseconds that a window of starts is longer than necessary, so that the starts after a late timer don't become a burst. */
const WINDOW_SLACK_MS = 10;

/** The recent starts, as far as the next start depends on them. */
export class Starts {
  readonly #most: StartWindow | undefined;
  /** Limit on a second's starts at the current pace. It is below `#most` if the service was found to allow less. */
  #pace: StartWindow | undefined;
  #spacingMs = 0;
  /** When the next request may start. */
  #next = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param most limit on the starts in any second; undefined for no limit */
  constructor(most: number | undefined) {
    this.#most = most === undefined ? undefined : new StartWindow(most);
  }

  /** Sets the milliseconds between two starts, also between the last one and the next one; 0 for as fast as possible. */
  space(ms: number): void {
    this.#spacingMs = ms;
    this.#next = this.#last + ms;
    this.#pace = ms > 0 ? new StartWindow((1000 * GUARD) / ms, this.#pace) : undefined;
  }

  started(now: number): void {
    // A longer delay was not a late timer: there was nothing to send, or nothing was allowed to start.
    this.#next = (now - this.#next <= MADE_UP_MS ? this.#next : now) + this.#spacingMs;
    this.#last = now;
    this.#most?.started(now);
    this.#pace?.started(now);
  }

  /** Milliseconds until the next request may start; 0 or less if it may start now. */
  leftMs(now: number): number {
    return Math.max(this.#next - now, this.#most?.leftMs(now) ?? 0, this.#pace?.leftMs(now) ?? 0);
  }
}

/** The starts within a second, or within the time of one start if that is longer. */
class StartWindow {
  readonly #most: number;
  readonly #ms: number;
  readonly #starts: number[];

  /** @param before the window of another rate; its starts count here too */
  constructor(rate: number, before?: StartWindow) {
    // The pace was multiplied and divided on its way here, so 19.999999999 means 20.
    this.#most = Math.max(1, Math.floor(rate + 1e-6));
    this.#ms = (this.#most * 1000) / rate + WINDOW_SLACK_MS;
    this.#starts = before === undefined ? [] : before.#starts.slice(-this.#most);
  }

  started(now: number): void {
    this.#starts.push(now);
    if (this.#starts.length > this.#most) this.#starts.shift();
  }

  leftMs(now: number): number {
    const oldest = this.#starts.at(-this.#most);
    return oldest === undefined ? 0 : oldest + this.#ms - now;
  }
}
