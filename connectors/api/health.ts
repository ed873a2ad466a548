/**
 * How a service is: how often it may be asked again, and whether it may be asked at all. One for each service; the connections of
 * several tokens may share it.
 */
import { RetryableError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import { orAborted } from "./or-aborted.ts";

/** So many failures one after the other, and the service is left alone for a while. */
export const FAILURES_TO_OPEN = 5;

/** Milliseconds until a single request is tried again: the first time, doubled each time, up to the longest. */
export const PROBE_AFTER = { firstMs: 30_000, longestMs: 300_000 } as const;

/** How long a service that fails is waited for in all, in milliseconds. */
export const PATIENCE_MS = 600_000;

/** Requests that may be sent again after a failure: so many, and this share of those that went well. */
export const RETRIES = { least: 10, share: 0.1 } as const;

export interface HealthOptions {
  readonly clock?: Clock;
  /** How long a service that fails is waited for before `admit` throws; 0 for not at all. */
  readonly patienceMs?: number | undefined;
}

/** May be asked before a request is sent, and is told what became of it. */
export interface ServiceHealth {
  /**
   * Settles when a request may leave: at once while the service is well. Where it failed `FAILURES_TO_OPEN` times in a row, one
   * request is let through after a while, and the others wait for what becomes of it. A service that never answered well is no
   * service that was lost: it is not waited for.
   *
   * @param action for the message, after "Cannot": `save the workout`
   * @returns what must be told how it went, once
   * @throws RetryableError `api/service-failing` when the service failed for longer than it is waited for
   * @throws the signal's reason when it is aborted before
   */
  admit(action: string, signal: AbortSignal): Promise<Admission>;
  /** True while the service is not well: requests are held back, or given up. */
  readonly isOpen: boolean;
  /** True while requests are held back and not given up. */
  readonly isWaitedFor: boolean;
  /** Whether one more request may be sent again; counts it. */
  mayRetry(): boolean;
  /** What is being waited for, for the progress line; undefined when nothing is. */
  waiting(): string | undefined;
}

/** One request, let through. */
export interface Admission {
  /** The service answered, whatever it said. `isWell`: it did what it was asked. */
  answered(isWell: boolean): void;
  /** No answer, or an unusable one. @param found what was met, for the message */
  failed(found: string): void;
  /** It never came to it. Nothing after one of the others. */
  dropped(): void;
}

/** A service that is taken to be well. */
export function openHealth(options: HealthOptions = {}): ServiceHealth {
  return new Breaker(options);
}

class Breaker implements ServiceHealth {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** Requests that went well, and that were sent again. */
  #well = 0;
  #retries = 0;
  #failuresInARow = 0;
  #lastFound = "";
  #failingSince = 0;
  /** When the next request is tried; undefined while the service is well. */
  #probeAt: number | undefined;
  #probes = 0;
  #isGivenUp = false;
  /** Settles when the request that is tried is over. */
  #probe: PromiseWithResolvers<void> | undefined;

  constructor({ clock = systemClock, patienceMs = PATIENCE_MS }: HealthOptions) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  get isOpen(): boolean {
    return this.#probeAt !== undefined;
  }

  get isWaitedFor(): boolean {
    return this.isOpen && !this.#isGivenUp;
  }

  async admit(action: string, signal: AbortSignal): Promise<Admission> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#probeAt === undefined) return this.#admission(undefined);
      if (this.#isGivenUp) throw this.#givenUp(action);
      const left = this.#probeAt - this.#clock.now();
      if (left > 0) await this.#clock.sleep(left, signal);
      else if (this.#probe === undefined) {
        this.#probe = Promise.withResolvers<void>();
        return this.#admission(this.#probe);
      } else await orAborted(this.#probe.promise, signal);
    }
  }

  mayRetry(): boolean {
    if (this.#retries + 1 > RETRIES.least + RETRIES.share * this.#well) return false;
    this.#retries++;
    return true;
  }

  waiting(): string | undefined {
    if (this.#probeAt === undefined || this.#isGivenUp) return undefined;
    const left = Math.ceil((this.#probeAt - this.#clock.now()) / 1000);
    const when = left > 0 ? `tried again in ${left} s` : "being tried again";
    return `the service, which failed ${this.#failuresInARow} times in a row (${when})`;
  }

  #admission(probe: PromiseWithResolvers<void> | undefined): Admission {
    let isOver = false;
    const over = (note: () => void) => {
      if (isOver) return;
      isOver = true;
      note();
      if (probe === undefined) return;
      if (this.#probe === probe) this.#probe = undefined;
      probe.resolve();
    };
    return {
      answered: (isWell) => over(() => this.#answered(isWell)),
      failed: (found) => over(() => this.#failed(found, probe !== undefined)),
      dropped: () => over(() => undefined),
    };
  }

  #answered(isWell: boolean): void {
    if (isWell) this.#well++;
    this.#failuresInARow = 0;
    this.#probes = 0;
    this.#probeAt = undefined;
  }

  #failed(found: string, isProbe: boolean): void {
    if (this.#failuresInARow++ === 0) this.#failingSince = this.#clock.now();
    this.#lastFound = found;
    // What left before the others were held back says nothing new.
    if (this.#probeAt !== undefined && !isProbe) return;
    if (this.#failuresInARow < FAILURES_TO_OPEN || this.#well === 0) return;
    const now = this.#clock.now();
    const waitMs = Math.min(PROBE_AFTER.longestMs, PROBE_AFTER.firstMs * 2 ** this.#probes++);
    // Many clients that lost the same service shouldn't come back together.
    this.#probeAt = now + Math.round(waitMs * (0.8 + 0.2 * this.#clock.random()));
    this.#isGivenUp = this.#probeAt - this.#failingSince > this.#patienceMs;
  }

  #givenUp(action: string): RetryableError {
    const seconds = Math.round((this.#clock.now() - this.#failingSince) / 1000);
    const lasting = seconds === 0 ? "" : ` within ${seconds} s`;
    return new RetryableError(
      "api/service-failing",
      `Cannot ${action}: the service failed ${this.#failuresInARow} times in a row${lasting}, the last time because ${this.#lastFound}`,
    );
  }
}
