/**
 * How fast we ask: so many requests under way, so many a second, and nothing at all while the service wants to be left
 * alone. bottleneck spaces the starts; the pause, the window and the bound are ours, and `pace.ts` learns how fast is right.
 */
import Bottleneck from "bottleneck";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Pace } from "./pace.ts";

/** What has been asked for so far. */
export interface PacingCounts {
  readonly waiting: number;
  readonly running: number;
  readonly started: number;
  readonly pauses: number;
}

/** Lets tasks through at a pace. One for each token; all of its requests go through it. Several may share one of their host. */
export interface Pacing {
  /** How many tasks may run at once. */
  readonly inFlight: number;
  /** Starts a second now; undefined for as fast as answers come. */
  readonly perSecond: number | undefined;
  /**
   * Runs the task when its turn comes, and gives what it gives or throws what it throws.
   *
   * @throws the signal's reason when it is aborted before the task starts; once started, stopping is the task's own matter
   * @throws RangeError when `queue` tasks wait already: callers work in lanes and never get there
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * The service turned a request away: nothing starts for `ms` milliseconds, then it goes on at a slower pace. Longer pauses
   * win over shorter ones; 0 only slows.
   *
   * @param startedAt when that request left, by the clock: what left before the pace was lowered doesn't lower it again
   */
  pause(ms: number, startedAt?: number): void;
  /** One of several that share this one was turned away: their host is slowed when it isn't the only one. */
  memberTurnedAway(member: object, ms: number, startedAt: number): void;
  /** What is being waited for, for the progress line: `the service, which asked for 12 s`. Undefined when nothing is. */
  waiting(): string | undefined;
  readonly counts: PacingCounts;
}

export interface PacingOptions {
  /** Starts a second, never more in any second; undefined for as fast as answers come, between the pauses that are asked for. */
  readonly rate?: number | undefined;
  /** Starts a second to begin with, where that is less than `rate`. */
  readonly start?: number | undefined;
  readonly inFlight?: number;
  /** Tasks that may wait. */
  readonly queue?: number;
  /** The pacing of the host, when several tokens use it: every task waits for its turn there too. */
  readonly host?: Pacing | undefined;
  readonly clock?: Clock;
}

/** Milliseconds that a window of starts is longer than it must be: a timer that was late must not make the next ones a burst. */
const WINDOW_SLACK_MS = 10;

/** Members of a host that are turned away within this time of each other met the host's limit, not their own. */
const TOGETHER_MS = 10_000;

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
  readonly #queue: number;
  readonly #clock: Clock;
  readonly #limiter: Bottleneck;
  readonly #pace: Pace | undefined;
  readonly #window: StartWindow | undefined;
  readonly #host: Pacing | undefined;
  #pausedUntil = 0;
  #lastTurnedAway: { readonly member: object; readonly at: number } | undefined;
  #waiting = 0;
  #running = 0;
  #started = 0;
  #pauses = 0;

  constructor(options: PacingOptions) {
    const { rate, start = rate, inFlight = REQUESTS_IN_FLIGHT, queue = 1000, clock = systemClock, host } = options;
    for (const value of [rate, start]) {
      if (value !== undefined && !(value > 0 && Number.isFinite(value))) {
        throw new RangeError(`Cannot pace requests: the rate must be above 0, it is ${value}`);
      }
    }
    if (!(Number.isInteger(inFlight) && inFlight > 0)) {
      throw new RangeError(`Cannot pace requests: the number in flight must be above 0, it is ${inFlight}`);
    }
    this.inFlight = inFlight;
    this.#queue = queue;
    this.#clock = clock;
    this.#host = host;
    this.#pace = rate === undefined ? undefined : new Pace({ start: start ?? rate, ceiling: rate });
    this.#window = rate === undefined ? undefined : new StartWindow(rate);
    this.#limiter = new Bottleneck({ maxConcurrent: inFlight, minTime: this.#spacingMs() });
  }

  get counts(): PacingCounts {
    return { waiting: this.#waiting, running: this.#running, started: this.#started, pauses: this.#pauses };
  }

  get perSecond(): number | undefined {
    return this.#pace?.perSecond;
  }

  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= this.#queue) {
      throw new RangeError(`Cannot queue another request: ${this.#waiting} wait already`);
    }
    this.#waiting++;
    let isStarted = false;
    // At the very start: what the host held back for a while may come too soon after the one before it.
    const start = async (): Promise<T | typeof SHUT> => {
      if (signal.aborted || this.#leftMs() > 0) return SHUT;
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

  pause(ms: number, startedAt = this.#clock.now()): void {
    const now = this.#clock.now();
    // Several requests under way are turned away by one limit: the pace drops once.
    if (now >= this.#pausedUntil) {
      if (ms > 0) this.#pauses++;
      if (this.#pace?.turnedAway(now, startedAt, ms)) this.#setSpacing();
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    this.#host?.memberTurnedAway(this, ms, startedAt);
  }

  memberTurnedAway(member: object, ms: number, startedAt: number): void {
    const now = this.#clock.now();
    const last = this.#lastTurnedAway;
    this.#lastTurnedAway = { member, at: now };
    if (last !== undefined && last.member !== member && now - last.at <= TOGETHER_MS) this.pause(ms, startedAt);
  }

  waiting(): string | undefined {
    const left = this.#pausedUntil - this.#clock.now();
    if (left <= 0) return this.#host?.waiting();
    return `the service, which asked for a pause (${Math.ceil(left / 1000)} s left)`;
  }

  /** Settles when a task may start, but for its turn. */
  async #open(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let left = this.#leftMs(); left > 0; left = this.#leftMs()) await this.#clock.sleep(left, signal);
  }

  /** Milliseconds in which nothing may start: a pause, or a window that is full. */
  #leftMs(): number {
    const now = this.#clock.now();
    return Math.max(this.#pausedUntil - now, this.#window?.leftMs(now) ?? 0);
  }

  #turn<T>(start: () => Promise<T | typeof SHUT>, signal: AbortSignal): Promise<T | typeof SHUT> {
    return new Promise<T | typeof SHUT>((resolve, reject) => {
      let isStarted = false;
      const onAbort = () => {
        if (!isStarted) reject(signal.reason);
      };
      const begin = (): Promise<T | typeof SHUT> => {
        isStarted = !signal.aborted;
        return start();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#limiter
        .schedule(async () => {
          if (signal.aborted || this.#leftMs() > 0) return SHUT;
          return this.#host === undefined ? await begin() : await this.#host.run(begin, signal);
        })
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", onAbort));
    });
  }

  async #execute<T>(task: () => Promise<T>): Promise<T> {
    this.#started++;
    this.#running++;
    const now = this.#clock.now();
    this.#window?.started(now);
    if (this.#pace?.started(now)) this.#setSpacing();
    try {
      return await task();
    } finally {
      this.#running--;
    }
  }

  #spacingMs(): number {
    return this.#pace === undefined ? 0 : 1000 / this.#pace.perSecond;
  }

  #setSpacing(): void {
    this.#limiter.updateSettings({ minTime: this.#spacingMs() });
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

  started(now: number): void {
    this.#starts.push(now);
    if (this.#starts.length > this.#most) this.#starts.shift();
  }

  /** Milliseconds until the next may start. */
  leftMs(now: number): number {
    const [oldest] = this.#starts;
    return oldest === undefined || this.#starts.length < this.#most ? 0 : oldest + this.#ms - now;
  }
}
