/**
 * When the next request may start: a spacing between two starts, and a bound on the starts of any second. Arithmetic over times that
 * are handed in (milliseconds of `Clock.now`); nothing waits here.
 *
 * The spacing is a generic cell rate algorithm: what a late timer lost is made up by the next starts, so that the pace is the one that
 * was asked for. A spacing counted from the start before loses every timer's lateness: 1 to 2 ms each, 1 % at 5 a second.
 */

/** Milliseconds of lateness that are made up. Less than the guard leaves in a second (25 ms), so that no second holds one too many. */
const MADE_UP_MS = 20;

/** The same at the fastest pace, where the window itself holds the second: a machine that others use stalls for that long now and then. */
const MADE_UP_IN_WINDOW_MS = 250;

/** Milliseconds that a window of starts is longer than it must be: a timer that was late must not make the next ones a burst. */
const WINDOW_SLACK_MS = 10;

/** The starts so far, as far as they bear on the next. */
export class Starts {
  readonly #window: StartWindow | undefined;
  #spacingMs = 0;
  /** When the next one may start. */
  #next = Number.NEGATIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param most starts a second, never more in any second; undefined for no bound */
  constructor(most: number | undefined) {
    this.#window = most === undefined ? undefined : new StartWindow(most);
  }

  /** Sets the time between two starts, the last one and the next one too. */
  space(ms: number): void {
    this.#spacingMs = ms;
    this.#next = this.#last + ms;
  }

  started(now: number): void {
    // Later than that it was no timer: nothing was to be sent, or nothing might be.
    const most = this.#window?.holds(this.#spacingMs) ? MADE_UP_IN_WINDOW_MS : MADE_UP_MS;
    this.#next = (now - this.#next <= most ? this.#next : now) + this.#spacingMs;
    this.#last = now;
    this.#window?.started(now);
  }

  /** Milliseconds until the next may start; 0 or less for now. */
  leftMs(now: number): number {
    return Math.max(this.#next - now, this.#window?.leftMs(now) ?? 0);
  }
}

/** The starts of as many as may start within a second, or within the time that one may start in. */
class StartWindow {
  readonly #most: number;
  readonly #ms: number;
  readonly #starts: number[] = [];

  constructor(rate: number) {
    this.#most = Math.max(1, Math.floor(rate));
    this.#ms = (this.#most * 1000) / rate + WINDOW_SLACK_MS;
  }

  /** Whether starts so far apart are about as many as may be: no slower pace is kept by this window. */
  holds(spacingMs: number): boolean {
    return spacingMs * this.#most <= this.#ms + MADE_UP_MS;
  }

  started(now: number): void {
    this.#starts.push(now);
    if (this.#starts.length > this.#most) this.#starts.shift();
  }

  leftMs(now: number): number {
    const [oldest] = this.#starts;
    return oldest === undefined || this.#starts.length < this.#most ? 0 : oldest + this.#ms - now;
  }
}
