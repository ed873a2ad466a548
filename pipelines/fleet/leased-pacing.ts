/**
 * The pacing of a host on one worker of a fleet. Each task waits for a slot of the shared pace. The worker leases slots in small blocks before it
 * needs them, so most requests wait for no round trip.
 */
import { type Clock, systemClock } from "../../connectors/api/clock.ts";
import { orAborted } from "../../connectors/api/or-aborted.ts";
import type { Pacing, PacingCounts } from "../../connectors/api/pacing.ts";
import { RunningTasks } from "../../connectors/api/running-tasks.ts";
import type { PaceTable } from "./paces.ts";

/**
 * A slot that passed by more milliseconds than this is not used: late starts would come closer together than the pace allows. Timers are late by a
 * few milliseconds, and by more on a busy machine.
 */
const LATE_MS = 50;

/** What a worker's pacing of a host needs. */
export interface LeasedPacingOptions {
  readonly table: PaceTable;
  /** The name of this worker, different for each. */
  readonly worker: string;
  /** The highest pace, in starts a second. */
  readonly ceiling: number;
  readonly clock?: Clock;
  /** Gets an error of the table, after which the requests go on to wait. */
  readonly onProblem?: (error: unknown) => void;
}

interface Waiting {
  readonly go: PromiseWithResolvers<void>;
  isGone: boolean;
}

/** Milliseconds after which a table that failed is asked again. */
const AGAIN_MS = 1_000;

/** A pacing for the athletes of one host on this worker. */
export class LeasedPacing implements Pacing {
  readonly inFlight = Number.POSITIVE_INFINITY;
  readonly #table: PaceTable;
  readonly #worker: string;
  readonly #ceiling: number;
  readonly #clock: Clock;
  readonly #onProblem: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  /** Leased slots, by this worker's clock. */
  #slots: number[] = [];
  /** Slots that passed without a request and were not reported yet, by the clock of the database. */
  #unused: number[] = [];
  /** The database's clock minus this one. */
  #ahead = 0;
  #rate: number | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #leasing: Promise<void> | undefined;
  #isPumping = false;
  #accounts = new WeakMap<object, string>();
  #accountCount = 0;
  readonly #tasks = new RunningTasks();
  #refused = 0;

  constructor({ table, worker, ceiling, clock = systemClock, onProblem = () => undefined }: LeasedPacingOptions) {
    this.#table = table;
    this.#worker = worker;
    this.#ceiling = ceiling;
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  get perSecond(): number | undefined {
    return this.#rate;
  }

  get counts(): PacingCounts {
    const waiting = this.#waiting.length;
    const { running, started } = this.#tasks;
    return { waiting, running, started, pauses: this.#refused };
  }

  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const mine: Waiting = { go: Promise.withResolvers<void>(), isGone: false };
    this.#waiting.push(mine);
    if (!this.#isPumping) void this.#pump();
    try {
      await orAborted(mine.go.promise, signal);
    } finally {
      mine.isGone = true;
    }
    return await this.#tasks.run(task);
  }

  /** Starts the tasks that wait, one a slot, in the order they came. */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    const never = new AbortController().signal;
    for (;;) {
      while (this.#waiting[0]?.isGone === true) this.#waiting.shift();
      if (this.#waiting.length === 0) break;
      const [slot] = this.#slots;
      if (slot === undefined) {
        await this.#lease();
        continue;
      }
      if (this.#slots.length < this.#waiting.length) void this.#lease();
      const left = slot - this.#clock.now();
      if (left > 0) {
        await this.#clock.sleep(Math.ceil(left), never);
        continue;
      }
      this.#slots.shift();
      const next = left < -LATE_MS ? undefined : this.#waiting.find(({ isGone }) => !isGone);
      if (next === undefined) {
        this.#unused.push(slot + this.#ahead);
        continue;
      }
      next.isGone = true;
      next.go.resolve();
    }
    this.#isPumping = false;
  }

  /** Leases slots for the tasks that have none yet. At most one lease is under way. */
  #lease(): Promise<void> {
    this.#leasing ??= this.#leaseNow().finally(() => {
      this.#leasing = undefined;
    });
    return this.#leasing;
  }

  async #leaseNow(): Promise<void> {
    const never = new AbortController().signal;
    const wanted = this.#waiting.filter(({ isGone }) => !isGone).length - this.#slots.length;
    if (wanted <= 0) return;
    try {
      const askedAt = this.#clock.now();
      const [worker, ceiling, unused] = [this.#worker, this.#ceiling, this.#takeUnused()];
      const asking = { worker, ceiling, unused, waiting: wanted, slots: wanted };
      const { slots, askAt, rate, notBefore, now } = await this.#table.lease(asking);
      // The database read its clock somewhere between the question and the answer.
      this.#ahead = now - (askedAt + this.#clock.now()) / 2;
      this.#rate = rate;
      this.#pauseUntil(notBefore - this.#ahead);
      this.#slots.push(...slots.map((slot) => slot - this.#ahead));
      const waitMs = askAt - this.#ahead - this.#clock.now();
      if (slots.length === 0 && waitMs > 0) await this.#clock.sleep(Math.ceil(waitMs), never);
    } catch (error) {
      this.#onProblem(error);
      await this.#clock.sleep(AGAIN_MS, never);
    }
  }

  /** Drops the slots before the end of a pause. */
  #pauseUntil(until: number): void {
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#unused.push(...this.#slots.filter((slot) => slot < until).map((slot) => slot + this.#ahead));
    this.#slots = this.#slots.filter((slot) => slot >= until);
  }

  /** The slots that passed without a request since this was last called. */
  #takeUnused(): readonly number[] {
    const unused = this.#unused;
    this.#unused = [];
    return unused;
  }

  pause(ms: number, startedAt = this.#clock.now()): void {
    this.memberTurnedAway(this, ms, startedAt);
  }

  accepted(): void {
    // The shared pace learns from slots and refusals. A report for each answer would be a round trip for each request.
  }

  memberTurnedAway(member: object, ms: number, startedAt: number): void {
    this.#refused++;
    const account = this.#accounts.get(member) ?? `${this.#worker} ${++this.#accountCount}`;
    this.#accounts.set(member, account);
    const refusal = { account, pauseMs: ms, startedAt: startedAt + this.#ahead, unused: this.#takeUnused() };
    void this.#table.turnedAway(refusal).then(
      ({ notBefore }) => this.#pauseUntil(notBefore - this.#ahead),
      (error: unknown) => this.#onProblem(error),
    );
  }

  waiting(): string | undefined {
    const left = this.#pausedUntil - this.#clock.now();
    return left <= 0 ? undefined : `the service, which asked for a pause (${Math.ceil(left / 1000)} s left)`;
  }
}
