/**
 * Controls how fast we ask. It limits the requests under way and the starts in a second, and starts nothing during a pause that the service
 * asked for. `turns.ts` keeps the queue and the number under way. The waiting is our own, by a monotonic clock, because bottleneck waits by
 * the wall clock, which may be set back an hour. `pace.ts` learns the right pace.
 */
import { REQUESTS_IN_FLIGHT } from "../../transforms/assumptions.ts";
import { type Clock, systemClock } from "./clock.ts";
import { orAborted } from "./or-aborted.ts";
import { Pace } from "./pace.ts";
import { RunningTasks } from "./running-tasks.ts";
import { Starts } from "./starts.ts";
import { freeTurns, limitedTurns, type Turns } from "./turns.ts";

/** Counts of the tasks and pauses so far. */
export interface PacingCounts {
  readonly waiting: number;
  readonly running: number;
  readonly started: number;
  readonly pauses: number;
}

/**
 * Lets tasks through at a pace. There is one for each token, and all requests of the token go through it. Several may share the pacing of
 * their host.
 */
export interface Pacing {
  /** How many tasks may run at once. */
  readonly inFlight: number;
  /** Current pace, in starts a second; undefined for as fast as answers come. */
  readonly perSecond: number | undefined;
  /**
   * Runs the task when its turn comes. Returns or throws the result of the task.
   *
   * @throws the signal's reason when it is aborted before the task starts; a started task must watch the signal itself
   * @throws RangeError when `queue` tasks are already waiting; callers with a fixed number of workers never reach this limit
   */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Notes that the service turned a request away. If the service asked for a pause, nothing starts for `ms` milliseconds. Afterwards the
   * pace is slower if the pace was the reason (see `Pace`). A longer pause replaces a shorter one.
   *
   * @param startedAt when that request left, by the clock; requests that left before the pace was lowered don't lower it again
   */
  pause(ms: number, startedAt?: number): void;
  /** Notes that the service had time for a request, whatever it answered. @param startedAt when that request left */
  accepted(startedAt: number): void;
  /**
   * Notes that the service turned away a request of one of the pacings that share this host. The host slows down if several of them are
   * turned away.
   */
  memberTurnedAway(member: object, ms: number, startedAt: number): void;
  /** Describes the current wait, for the progress line: `the service, which asked for a pause (12 s left)`. Undefined when there is no wait. */
  waiting(): string | undefined;
  readonly counts: PacingCounts;
}

/** The limits of a `Pacing`: how fast, and how many at the same time. */
export interface PacingOptions {
  /** Limit on the starts in any second; undefined for as fast as answers come, except during pauses that the service asks for. */
  readonly rate?: number | undefined;
  /** First pace, in starts a second, if it is below `rate`. */
  readonly start?: number | undefined;
  readonly inFlight?: number;
  /** Most tasks that may wait. */
  readonly queue?: number;
  /** The pacing of the host, if several tokens use it. Every task waits for its turn there too. */
  readonly host?: Pacing | undefined;
  readonly clock?: Clock;
}

/** If two members of a host are turned away within this time, they met the limit of the host and not their own. */
const TOGETHER_MS = 10_000;

/** The result of a turn that came while nothing may start. The task waits once more. */
const SHUT = Symbol("shut");

/**
 * Makes a pacing for one service.
 *
 * @throws RangeError unless the rate and the number of tasks are above 0
 */
export function openPacing(options: PacingOptions = {}): Pacing {
  return new ServicePacing(options);
}

class ServicePacing implements Pacing {
  readonly inFlight: number;
  readonly #queue: number;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #pace: Pace;
  readonly #starts: Starts;
  /** Only the first task waits for the moment to start. The others wait behind it. */
  readonly #gate = new Turnstile();
  readonly #host: Pacing | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #lastTurnedAway: { readonly member: object; readonly at: number } | undefined;
  #waiting = 0;
  readonly #tasks = new RunningTasks();
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
    this.#turns = rate === undefined && start === undefined ? freeTurns(inFlight) : limitedTurns(inFlight);
  }

  get counts(): PacingCounts {
    const { running, started } = this.#tasks;
    return { waiting: this.#waiting, running, started, pauses: this.#pauses };
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
      return await this.#turns.run(
        () =>
          this.#begin(signal, () => {
            isStarted = true;
            this.#waiting--;
            return this.#tasks.run(task);
          }),
        signal,
      );
    } finally {
      if (!isStarted) this.#waiting--;
    }
  }

  pause(ms: number, startedAt = this.#clock.now()): void {
    const now = this.#clock.now();
    // One limit may turn several open requests away. They count as one pause.
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

  /** Starts a task as soon as this pacing and the host allow it. */
  async #begin<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter(signal);
    const startNow = async (): Promise<T | typeof SHUT> => {
      // The host may have held the task back, so this pacing may be paused by now.
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

  /** Milliseconds until a task may start: the rest of a pause, or the distance to the previous starts. */
  #leftMs(): number {
    const now = this.#clock.now();
    return Math.max(this.#pausedUntil - now, this.#starts.leftMs(now));
  }

  #note(now: number): void {
    this.#starts.started(now);
    if (this.#pace.started(now)) this.#setSpacing();
  }

  #setSpacing(): void {
    this.#starts.space(1000 / this.#pace.perSecond);
  }
}

/** Lets callers through one at a time, in the order they came. */
class Turnstile {
  /** Settles when the last caller has left. */
  #last: Promise<void> = Promise.resolve();
  /** Callers that are inside or wait. */
  #callers = 0;

  /**
   * Settles when all earlier callers have left.
   *
   * @returns lets the next caller in; safe to call twice
   * @throws the signal's reason when it is aborted during the wait; the other callers keep their order
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    const mine = Promise.withResolvers<void>();
    const before = this.#last;
    const isAlone = this.#callers++ === 0;
    let isGone = false;
    const leave = () => {
      if (!isGone) this.#callers--;
      isGone = true;
      mine.resolve();
    };
    this.#last = isAlone ? mine.promise : before.then(() => mine.promise);
    // Mostly nobody is there. A race with the signal would take a tenth of the time of a request.
    if (isAlone) return leave;
    try {
      await orAborted(before, signal);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }
}
