/**
 * When the next request may start: a spacing between two starts, and a bound on the starts of any second. Arithmetic over times that
 * are handed in (milliseconds of `Clock.now`); nothing waits here.
 *
 * The spacing is a generic cell rate algorithm: what a late timer lost is made up by the next starts, so that the pace is the one that
 * was asked for. A spacing counted from the start before loses every timer's lateness: 1 to 2 ms each, 1 % at 5 a second.
 */

import { GUARD } from "./pace.ts";

/** Milliseconds of lateness that are made up: a machine that others use stalls for that long now and then. Windows hold the bound. */
const MADE_UP_MS = 250;

/** Milliseconds that a window of starts is longer than it must be: a timer that was late must not make the next ones a burst. */
const WINDOW_SLACK_MS = 10;

/** The starts so far, as far as they bear on the next. */
export class Starts {
  readonly #most: StartWindow | undefined;
  /** What a second holds at the pace now: less than the most, where a service was found to allow less. */
  #pace: StartWindow | undefined;
  #spacingMs = 0;
  /** When the next one may start. */
  #next = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param most starts a second, never more in any second; undefined for no bound */
  constructor(most: number | undefined) {
    this.#most = most === undefined ? undefined : new StartWindow(most);
  }

  /** Sets the milliseconds between two starts, the last one and the next one too; 0 for as fast as may be. */
  space(ms: number): void {
    this.#spacingMs = ms;
    this.#next = this.#last + ms;
    this.#pace = ms > 0 ? new StartWindow((1000 * GUARD) / ms, this.#pace) : undefined;
  }

  started(now: number): void {
    // Later than that it was no timer: nothing was to be sent, or nothing might be.
    this.#next = (now - this.#next <= MADE_UP_MS ? this.#next : now) + this.#spacingMs;
    this.#last = now;
    this.#most?.started(now);
    this.#pace?.started(now);
  }

  /** Milliseconds until the next may start; 0 or less for now. */
  leftMs(now: number): number {
    return Math.max(this.#next - now, this.#most?.leftMs(now) ?? 0, this.#pace?.leftMs(now) ?? 0);
  }
}

/** The starts of as many as may start within a second, or within the time that one may start in. */
class StartWindow {
  readonly #most: number;
  readonly #ms: number;
  readonly #starts: number[];

  /** @param before the window of another rate: what started there counts here too */
  constructor(rate: number, before?: StartWindow) {
    // A pace was multiplied and divided on its way: 19.999999999 is 20.
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
