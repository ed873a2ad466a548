/**
 * How many requests a second: begins politely, is halved when the service turns us away, and finds the pace it takes by
 * halving the distance between what it took and what it didn't. Arithmetic over times that are handed in; nothing waits here.
 */

/** Where a pace begins and ends. */
export interface PaceOptions {
  /** Starts a second to begin with. */
  readonly start: number;
  /** Never more than this, however well it goes. */
  readonly ceiling: number;
}

/** Starts stand this much further apart than the rate says, so that network jitter can't push one too many into a window. */
export const GUARD = 1.03;

/** Starts a second that a pace never falls below: what wants fewer says so by `Retry-After`, and is waited for. */
const SLOWEST = 0.5;

/** Milliseconds without a refusal before a pace counts as taken; longer where the service asked for longer pauses. */
const TAKEN_MS = 5_000;

/** A service that never turned us away is asked for a tenth more each minute. */
const UNTROUBLED = { afterMs: 60_000, factor: 1.1 } as const;

/** Two paces this close are one. */
const SETTLED = 1.04;

/**
 * A settled pace tries a little more now and then, for limits change: more boldly while it goes well, less often when not. One
 * that failed costs a pause, which must be a small part of the time; after a breakdown there is more to win.
 */
const PROBE = {
  firstMs: 120_000,
  afterBreakdownMs: 30_000,
  pauses: 60,
  longestMs: 960_000,
  factor: 1.07,
  boldest: 2,
} as const;

/** How many starts back the pace that was really used is measured. */
const WINDOW_MS = 1_000;

/** A pace that learns. */
export class Pace {
  readonly #ceiling: number;
  /** Starts a second. */
  #now: number;
  /** The fastest that was taken for a while; 0 while nothing is known. */
  #taken = 0;
  /** The slowest that was too fast. */
  #tooFast = Number.POSITIVE_INFINITY;
  /** Whether it was turned away at the fastest pace that was taken, and not yet confirmed a slower one. */
  #isEdge = false;
  /** Whether it was turned away and nothing was taken for a while since. */
  #isRefused = false;
  #slowedAt = Number.NEGATIVE_INFINITY;
  /** Since when this pace is used without a refusal, and how long it must be. */
  #cleanSince: number | undefined;
  #takenAfterMs = TAKEN_MS;
  #probeMs: number = PROBE.firstMs;
  #probeFactor: number = PROBE.factor;
  #isProbing = false;
  /** Times of the starts within the last second. */
  readonly #starts: number[] = [];

  constructor({ start, ceiling }: PaceOptions) {
    this.#ceiling = ceiling / GUARD;
    this.#now = Math.min(this.#ceiling, start / GUARD);
  }

  /** Starts a second now. */
  get perSecond(): number {
    return this.#now;
  }

  /** A request starts. @returns true when the pace changed */
  started(now: number): boolean {
    this.#starts.push(now);
    this.#cleanSince ??= now;
    const cleanMs = now - this.#cleanSince;
    if (cleanMs < this.#takenAfterMs) return false;
    // What was not used proves nothing: a slow service, or nothing to do.
    if (this.#used(now) < 0.8 * this.#now - 1) {
      this.#cleanSince = now;
      return false;
    }
    this.#taken = Math.max(this.#taken, this.#now);
    this.#isEdge = false;
    this.#isRefused = false;
    if (this.#now >= this.#ceiling) {
      this.#tooFast = Number.POSITIVE_INFINITY;
      return false;
    }
    if (!Number.isFinite(this.#tooFast)) {
      return cleanMs < UNTROUBLED.afterMs ? false : this.#become(this.#now * UNTROUBLED.factor, now);
    }
    const between = (this.#now + this.#tooFast) / 2;
    if (between / this.#now >= SETTLED) return this.#become(between, now);
    if (!this.#isProbing && cleanMs < this.#probeMs) return false;
    // One that went well is followed by a bolder one: by 7 %, 14 %, 28 %, 56 %.
    this.#probeFactor = this.#isProbing ? Math.min(PROBE.boldest, 2 * this.#probeFactor - 1) : PROBE.factor;
    this.#isProbing = true;
    this.#tooFast = this.#now * this.#probeFactor;
    return this.#become(this.#tooFast, now);
  }

  /**
   * The service turned a request away. Those that left before the pace was lowered say nothing about the lower one.
   *
   * @param startedAt when the request left
   * @param pauseMs how long nothing will start now
   * @returns true when the pace changed
   */
  turnedAway(now: number, startedAt: number, pauseMs: number): boolean {
    if (startedAt <= this.#slowedAt) {
      this.#cleanSince = now + pauseMs;
      return false;
    }
    // Right after a pause what was used says nothing.
    const isMeasured = now - (this.#cleanSince ?? now) >= WINDOW_MS;
    const tooFast = Math.max(SLOWEST, isMeasured ? Math.min(this.#now, this.#used(now)) : this.#now);
    // Turned away at a pace that was taken before: it was at the edge. A second time, the limit is another one now.
    if (this.#taken >= tooFast / SETTLED) {
      this.#taken = this.#isEdge ? 0 : 0.9 * tooFast;
      this.#isEdge = true;
    }
    const isBreakdown = this.#isRefused && this.#taken === 0;
    this.#isRefused = true;
    this.#probeMs = isBreakdown
      ? PROBE.afterBreakdownMs
      : Math.min(
          PROBE.longestMs,
          Math.max(PROBE.firstMs, PROBE.pauses * pauseMs, this.#isProbing ? 2 * this.#probeMs : 0),
        );
    this.#isProbing = false;
    this.#tooFast = tooFast;
    this.#slowedAt = now;
    this.#takenAfterMs = Math.max(TAKEN_MS, 2 * pauseMs);
    this.#become(Math.max(this.#taken, tooFast / 2, Math.min(SLOWEST, this.#ceiling)), now);
    this.#cleanSince = now + pauseMs;
    return true;
  }

  #become(pace: number, now: number): true {
    this.#now = Math.min(pace, this.#ceiling);
    this.#cleanSince = now;
    return true;
  }

  /** Starts within the last second. */
  #used(now: number): number {
    const first = this.#starts.findIndex((start) => start > now - WINDOW_MS);
    this.#starts.splice(0, first === -1 ? this.#starts.length : first);
    return this.#starts.length;
  }
}
