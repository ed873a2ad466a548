/**
 * Counts what became of requests: how many of the last ones a service turned away, and how many it took within a second. It never waits and
 * reads no clock.
 */

/** Milliseconds over which services most often count their limit: one second. */
export const WINDOW_MS = 1_000;

/**
 * `LAST`: answers that are checked for a burst. `BURST`: refusals among them that make one. `MOST`: answers that the share looks back at. Older
 * answers count less and less.
 */
const LAST = 8;
const BURST = 6;
const MOST = 400;

/** The answers to requests that started at one pace. */
export class Tally {
  /** The number of answers, and the number of refusals among them. */
  answers = 0;
  refused = 0;
  /** Milliseconds spent in pauses that the service asked for. */
  pausedMs = 0;
  /** The most requests seen to be taken within the second before a refusal. If the service has a limit per second, this is the limit. */
  limit = 0;
  #last: boolean[] = [];

  /** Counts one answer. @param taken how many requests the service took within the second before a refused one */
  count(isRefused: boolean, pausedMs = 0, taken = 0): void {
    this.answers++;
    if (isRefused) this.refused++;
    this.pausedMs += pausedMs;
    this.limit = Math.max(this.limit, taken);
    this.#last = [...this.#last, isRefused].slice(-LAST);
    if (this.answers < MOST) return;
    this.answers /= 2;
    this.refused /= 2;
    this.pausedMs /= 2;
  }

  /** The share of the answers that turned a request away. */
  get share(): number {
    return this.answers === 0 ? 0 : this.refused / this.answers;
  }

  /** Whether most of the last few answers turned a request away: the service is full, or does nothing at all. */
  get isBurst(): boolean {
    return this.#last.filter((one) => one).length >= BURST;
  }
}

/** The starts of requests in the last second or so, and whether each was turned away. */
export class Taken {
  #starts: { readonly at: number; isRefused: boolean }[] = [];

  started(now: number): void {
    this.#starts.push({ at: now, isRefused: false });
    // Answers come late, so starts are kept for a few windows. Nothing asks for older ones.
    if (this.#starts.length > 64 && (this.#starts[0]?.at ?? now) < now - 10 * WINDOW_MS)
      this.#starts = this.#starts.filter(({ at }) => at >= now - 5 * WINDOW_MS);
  }

  refused(startedAt: number): void {
    const start = this.#starts.findLast(({ at, isRefused }) => !isRefused && at <= startedAt);
    if (start !== undefined) start.isRefused = true;
  }

  /** How many of the requests that started within the second before a moment were taken. */
  within(moment: number): number {
    return this.#before(moment).length;
  }

  /** When the first of them leaves the window. If the service has a limit per second, it takes the next request then. */
  roomAt(moment: number): number {
    return (this.#before(moment)[0]?.at ?? moment) + WINDOW_MS;
  }

  #before(moment: number): { readonly at: number }[] {
    return this.#starts.filter(({ at, isRefused }) => !isRefused && at <= moment && at > moment - WINDOW_MS);
  }
}
