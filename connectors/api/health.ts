/**
 * Tracks whether a service is well: whether logferry may ask it, and how often it may send requests again. There is one for each service,
 * and the connections of several tokens may share it.
 */
import { RetryableError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import { orAborted } from "./or-aborted.ts";

/** After this many failures in a row, requests to the service stop for a while. */
export const FAILURES_TO_OPEN = 5;

/** Milliseconds until a single request is tried again. The time doubles with each failure, from `firstMs` up to `longestMs`. */
export const PROBE_AFTER = { firstMs: 30_000, longestMs: 300_000 } as const;

/** How long logferry waits for a failing service in all, in milliseconds. */
export const PATIENCE_MS = 600_000;

/** Limit on the requests sent again after a failure: `least`, plus this share of the successful requests. */
export const RETRIES = { least: 10, share: 0.1 } as const;

/** The clock and the patience of a `ServiceHealth`. */
export interface HealthOptions {
  readonly clock?: Clock;
  /** Milliseconds to wait for a failing service before `admit` throws; 0 to throw at once. */
  readonly patienceMs?: number | undefined;
}

/** The permission to send one request. */
export interface Admission {
  /** The service answered, with a success or a refusal. `isWell`: it did the request. */
  answered(isWell: boolean): void;
  /** No answer came, or an unusable one. @param found the cause, for the message */
  failed(found: string): void;
  /** The request was not sent, or its result says nothing. Has no effect after one of the others. */
  dropped(): void;
}

/** Starts with a service that counts as well. */
export function openHealth(options: HealthOptions = {}): ServiceHealth {
  return new ServiceHealth(options);
}

/** Callers ask it before they send a request, and tell it the result. */
export class ServiceHealth {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** Successful requests, and requests that were sent again. */
  #well = 0;
  #retries = 0;
  #failuresInARow = 0;
  #lastFound = "";
  #failingSince = 0;
  /** When the next request is tried; undefined while the service is well. */
  #probeAt: number | undefined;
  #probes = 0;
  #isGivenUp = false;
  /** Settles when the trial request is over. */
  #probe: PromiseWithResolvers<void> | undefined;

  constructor({ clock = systemClock, patienceMs = PATIENCE_MS }: HealthOptions) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** True while the service is not well. Requests are then held back, or given up. */
  get isOpen(): boolean {
    return this.#probeAt !== undefined;
  }

  /** True while requests are held back, but not given up. */
  get isWaitedFor(): boolean {
    return this.isOpen && !this.#isGivenUp;
  }

  /**
   * Settles when a request may leave: at once while the service is well. After `FAILURES_TO_OPEN` failures in a row, it lets one request
   * through after a while, and the others wait for its result. If the service never answered well, logferry does not wait for it.
   *
   * @param action for the message, after "Cannot": `save the workout`
   * @returns the admission; the caller tells it the result, once
   * @throws RetryableError `api/service-failing` when the service fails for longer than the patience
   * @throws the signal's reason when it is aborted first
   */
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

  /** Whether one more request may be sent again. Each yes is counted. */
  mayRetry(): boolean {
    if (this.#retries + 1 > RETRIES.least + RETRIES.share * this.#well) return false;
    this.#retries++;
    return true;
  }

  /** Describes the current wait, for the progress line; undefined when there is no wait. */
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
    // A request that left before the others were held back says nothing new.
    if (this.#probeAt !== undefined && !isProbe) return;
    if (this.#failuresInARow < FAILURES_TO_OPEN || this.#well === 0) return;
    const now = this.#clock.now();
    const waitMs = Math.min(PROBE_AFTER.longestMs, PROBE_AFTER.firstMs * 2 ** this.#probes++);
    const endsAt = this.#failingSince + this.#patienceMs;
    // The random part keeps many clients that lost the same service from coming back together. The last trial comes when the patience ends: a
    // person who waits 20 s is not answered at once.
    this.#probeAt = Math.min(now + Math.round(waitMs * (0.8 + 0.2 * this.#clock.random())), Math.max(now, endsAt));
    this.#isGivenUp = now >= endsAt;
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
