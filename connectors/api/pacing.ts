/**
 * How fast we ask: so many requests under way, so many a second, and nothing at all while the service wants to be left
 * alone. bottleneck spaces the starts; the pause and the bound are ours.
 */
import Bottleneck from "bottleneck";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { type Clock, systemClock } from "./clock.ts";

/** What has been asked for so far. */
export interface PacingCounts {
  readonly waiting: number;
  readonly running: number;
  readonly started: number;
  readonly pauses: number;
}

/** Lets tasks through at a pace. One for each service; all of its requests go through it. */
export interface Pacing {
  /** How many tasks may run at once. */
  readonly inFlight: number;
  /**
   * Runs the task when its turn comes, and gives what it gives or throws what it throws.
   *
   * @throws the signal's reason when it is aborted before the task starts; once started, stopping is the task's own matter
   * @throws RangeError when `queue` tasks wait already: callers work in lanes and never get there
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Starts nothing for `ms` milliseconds, then goes on at a slower pace. Longer pauses win over shorter ones. */
  pause(ms: number): void;
  /** What is being waited for, for the progress line: `the service, which asked for 12 s`. Undefined when nothing is. */
  waiting(): string | undefined;
  readonly counts: PacingCounts;
}

export interface PacingOptions {
  /** Starts a second; undefined for as fast as answers come. */
  readonly rate?: number | undefined;
  readonly inFlight?: number;
  /** Tasks that may wait. */
  readonly queue?: number;
  readonly clock?: Clock;
}

/** Starts stand this much further apart than the rate says, so that network jitter can't push two into one window. */
const GUARD = 1.03;

/** A pause means that the pace was too fast: it drops to this share, never below the floor, and recovers by the minute. */
const SLOWER = 0.7;
const SLOWEST = 0.1;
const RECOVERY_A_MINUTE = 1.1;

/** A turn that came while nothing may start: the task goes back to the end of the queue. */
const SHUT = Symbol("shut");

/**
 * A pacing for one service.
 *
 * @throws RangeError for a rate or number of tasks that isn't above 0
 */
export function openPacing(options: PacingOptions = {}): Pacing {
  return new BottleneckPacing(options);
}

class BottleneckPacing implements Pacing {
  readonly inFlight: number;
  readonly #rate: number | undefined;
  readonly #queue: number;
  readonly #clock: Clock;
  readonly #limiter: Bottleneck;
  /** Share of the rate that is used now. */
  #share = 1;
  #slowedAt = 0;
  #pausedUntil = 0;
  #waiting = 0;
  #running = 0;
  #started = 0;
  #pauses = 0;

  constructor({ rate, inFlight = REQUESTS_IN_FLIGHT, queue = 1000, clock = systemClock }: PacingOptions) {
    if (rate !== undefined && !(rate > 0 && Number.isFinite(rate))) {
      throw new RangeError(`Cannot pace requests: the rate must be above 0, it is ${rate}`);
    }
    if (!(Number.isInteger(inFlight) && inFlight > 0)) {
      throw new RangeError(`Cannot pace requests: the number in flight must be above 0, it is ${inFlight}`);
    }
    this.inFlight = inFlight;
    this.#rate = rate;
    this.#queue = queue;
    this.#clock = clock;
    this.#limiter = new Bottleneck({ maxConcurrent: inFlight, minTime: this.#spacingMs() });
  }

  get counts(): PacingCounts {
    return { waiting: this.#waiting, running: this.#running, started: this.#started, pauses: this.#pauses };
  }

  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= this.#queue) {
      throw new RangeError(`Cannot queue another request: ${this.#waiting} wait already`);
    }
    this.#waiting++;
    let isStarted = false;
    const start = (): Promise<T> => {
      isStarted = true;
      this.#waiting--;
      return this.#execute(task);
    };
    try {
      for (;;) {
        await this.#open(signal);
        const result = await this.#turn(start, signal);
        if (result !== SHUT) return result;
      }
    } finally {
      if (!isStarted) this.#waiting--;
    }
  }

  pause(ms: number): void {
    const now = this.#clock.now();
    // Several requests under way are turned away by one limit: the pace drops once.
    if (now >= this.#pausedUntil) {
      this.#pauses++;
      this.#share = Math.max(SLOWEST, this.#share * SLOWER);
      this.#slowedAt = now;
      this.#setSpacing();
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
  }

  waiting(): string | undefined {
    const left = this.#pausedUntil - this.#clock.now();
    return left > 0 ? `the service, which asked for a pause (${Math.ceil(left / 1000)} s left)` : undefined;
  }

  /** Settles when no pause is on. */
  async #open(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#clock.sleep(left, signal);
  }

  #left(): number {
    return this.#pausedUntil - this.#clock.now();
  }

  #turn<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T | typeof SHUT> {
    return new Promise<T | typeof SHUT>((resolve, reject) => {
      let isStarted = false;
      const onAbort = () => {
        if (!isStarted) reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#limiter
        .schedule(async () => {
          if (signal.aborted || this.#left() > 0) return SHUT;
          isStarted = true;
          return await start();
        })
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", onAbort));
    });
  }

  async #execute<T>(task: () => Promise<T>): Promise<T> {
    this.#started++;
    this.#running++;
    this.#recover();
    try {
      return await task();
    } finally {
      this.#running--;
    }
  }

  #recover(): void {
    if (this.#share >= 1) return;
    const minutes = Math.floor((this.#clock.now() - this.#slowedAt) / 60_000);
    if (minutes < 1) return;
    this.#share = Math.min(1, this.#share * RECOVERY_A_MINUTE ** minutes);
    this.#slowedAt += minutes * 60_000;
    this.#setSpacing();
  }

  #spacingMs(): number {
    return this.#rate === undefined ? 0 : (1000 * GUARD) / (this.#rate * this.#share);
  }

  #setSpacing(): void {
    if (this.#rate !== undefined) this.#limiter.updateSettings({ minTime: this.#spacingMs() });
  }
}
