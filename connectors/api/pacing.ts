/**
 * How fast we ask: so many requests under way, so many a second, and nothing at all while the service wants to be left
 * alone. bottleneck keeps the queue and the number under way. All waiting is ours: it goes by a clock that nobody sets, and
 * bottleneck's goes by the wall clock, which may be set back an hour. `pace.ts` learns how fast is right.
 */
import Bottleneck from "bottleneck";
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Pace } from "./pace.ts";
import { Starts } from "./starts.ts";
import { Turnstile } from "./turnstile.ts";

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
   * @throws RangeError when `queue` tasks wait already: callers have a fixed number of workers and never get there
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * The service turned a request away: nothing starts for `ms` milliseconds, where it asked for that. Then it goes on, at a slower pace
   * where that was the reason (see `Pace`). Longer pauses win over shorter ones.
   *
   * @param startedAt when that request left, by the clock: what left before the pace was lowered doesn't lower it again
   */
  pause(ms: number, startedAt?: number): void;
  /** The service had time for a request, whatever it said to it. @param startedAt when that request left */
  accepted(startedAt: number): void;
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

/** Members of a host that are turned away within this time of each other met the host's limit, not their own. */
const TOGETHER_MS = 10_000;

/** A turn that came while nothing may start: the task waits once more. */
const SHUT = Symbol("shut");

/**
 * bottleneck has a task wait until `minTime` after the start before it, by the wall clock, even where `minTime` is 0: set back an hour,
 * that clock has it wait an hour. With this, each start before was long enough ago.
 */
const NEVER_WAITED = Number.NEGATIVE_INFINITY;

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
  readonly #pace: Pace;
  readonly #starts: Starts;
  /** One at a time waits for the moment it may start; the others wait behind it. */
  readonly #gate = new Turnstile();
  readonly #host: Pacing | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
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
    const ceiling = rate ?? Number.POSITIVE_INFINITY;
    this.#pace = new Pace({ start: start ?? ceiling, ceiling });
    this.#starts = new Starts(rate);
    this.#setSpacing();
    this.#limiter = new Bottleneck({ maxConcurrent: inFlight, minTime: NEVER_WAITED });
    // The very first is compared with the moment at which the limiter was made.
    void this.#limiter.schedule(async () => undefined);
  }

  get counts(): PacingCounts {
    return { waiting: this.#waiting, running: this.#running, started: this.#started, pauses: this.#pauses };
  }

  get perSecond(): number | undefined {
    return Number.isFinite(this.#pace.perSecond) ? this.#pace.perSecond : undefined;
  }

  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#waiting >= this.#queue) {
      throw new RangeError(`Cannot queue another request: ${this.#waiting} wait already`);
    }
    this.#waiting++;
    let isStarted = false;
    try {
      return await this.#turn(signal, () =>
        this.#begin(signal, () => {
          isStarted = true;
          this.#waiting--;
          return this.#execute(task);
        }),
      );
    } finally {
      if (!isStarted) this.#waiting--;
    }
  }

  pause(ms: number, startedAt = this.#clock.now()): void {
    const now = this.#clock.now();
    // Several requests under way are turned away by one limit: that is one pause.
    const isPaused = now < this.#pausedUntil;
    if (ms > 0 && !isPaused) this.#pauses++;
    const holdMs = this.#pace.turnedAway(now, startedAt, isPaused ? 0 : ms);
    this.#setSpacing();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(ms, holdMs));
    this.#host?.memberTurnedAway(this, ms, startedAt);
  }

  accepted(startedAt: number): void {
    if (this.#pace.accepted(this.#clock.now(), startedAt)) this.#setSpacing();
    this.#host?.accepted(startedAt);
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

  /** Runs an action when there is room for one more under way. One that still waits for that leaves when it is told to stop. */
  #turn<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#limiter
        .schedule(async () => {
          signal.removeEventListener("abort", onAbort);
          signal.throwIfAborted();
          return await action();
        })
        .then(resolve, reject);
    });
  }

  /** Starts a task as soon as it may, here and at the host. */
  async #begin<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter(signal);
    const startNow = async (): Promise<T | typeof SHUT> => {
      // What the host held back for a while may come at a bad moment.
      if (signal.aborted || this.#leftMs() > 0) return SHUT;
      this.#note(this.#clock.now());
      leave();
      return start();
    };
    try {
      for (;;) {
        await this.#open(signal);
        const result = await (this.#host === undefined ? startNow() : this.#host.run(startNow, signal));
        if (result !== SHUT) return result;
      }
    } finally {
      leave();
    }
  }

  /** Settles when a task may start. */
  async #open(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (let left = this.#leftMs(); left > 0; left = this.#leftMs()) await this.#clock.sleep(Math.ceil(left), signal);
  }

  /** Milliseconds in which nothing may start: a pause, or too soon after the starts before. */
  #leftMs(): number {
    const now = this.#clock.now();
    return Math.max(this.#pausedUntil - now, this.#starts.leftMs(now));
  }

  #note(now: number): void {
    this.#starts.started(now);
    if (this.#pace.started(now)) this.#setSpacing();
  }

  async #execute<T>(task: () => Promise<T>): Promise<T> {
    this.#started++;
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
    }
  }

  #setSpacing(): void {
    this.#starts.space(1000 / this.#pace.perSecond);
  }
}
