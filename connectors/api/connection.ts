/**
 * A connection to one user's log: the address, the token, the pace. It sends what the table of operations says, again where
 * that can do no harm, and answers with an envelope or a TransferError that never holds the token.
 */

import { setMaxListeners } from "node:events";
import { MOST_REQUESTS_PER_SECOND, REQUESTS_IN_FLIGHT, REQUESTS_PER_SECOND } from "../../transforms/assumptions.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { FatalError, ItemError, RetryableError, type TransferError, UnknownOutcomeError } from "../errors.ts";
import { checkedBaseUrl } from "./base-url.ts";
import { cacheWord, ServiceClock, UNSEEN, unseenValue } from "./caches.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Fetcher, type Outcome, poolFetcher, TIMEOUTS, type Timeouts } from "./exchange.ts";
import { type Admission, openHealth, type ServiceHealth } from "./health.ts";
import type { Operation } from "./operations.ts";
import { openPacing, type Pacing, type PacingOptions } from "./pacing.ts";
import { exactRedactor, type Redact, redactor } from "./redact.ts";
import { type Busy, type JsonObject, judge, type Verdict } from "./reply.ts";
import { buildRequest, type Parts, type WireRequest } from "./request.ts";
import { withoutSecretIds, withoutSecretTexts } from "./secret-ids.ts";

/** What a connection is made of. */
export interface ConnectionOptions {
  /** `{base_url}` of the document. */
  readonly baseUrl: string;
  /** The access token. Left out where there is none yet: only `exchangeAuthorizationToken` works then. */
  readonly token?: string | undefined;
  /** A pacing of one's own; without it, `rate` and `inFlight` make one. */
  readonly pacing?: Pacing;
  /** Requests a second: the polite default where left out, as fast as answers come where given as `undefined`. */
  readonly rate?: number | undefined;
  /** How the service is: of one's own, where several connections lead to it. */
  readonly health?: ServiceHealth;
  /** How long a service that fails is waited for, in milliseconds; `PATIENCE_MS` where left out. */
  readonly patienceMs?: number | undefined;
  /** Requests under way at once; the polite default where left out. */
  readonly inFlight?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Carries the requests; undici over a few connections where left out. */
  readonly fetcher?: Fetcher;
  readonly clock?: Clock;
  /** Remarks about what the service answers. */
  readonly report?: (issue: Issue) => void;
  /** Lets plain HTTP go to other machines. */
  readonly insecureHttp?: boolean;
}

/** Sends operations. Calls may overlap; the pacing keeps them apart. */
export interface Connection {
  readonly pacing: Pacing;
  /** The service's address, for people and for the place of an issue. */
  readonly host: string;
  readonly report: (issue: Issue) => void;
  /** Takes this connection's secrets out of a text. */
  readonly redact: Redact;
  /** What is being waited for, for the progress line; undefined when nothing is. */
  waiting(): string | undefined;
  /** True while requests are held back until a service that fails is well again. */
  readonly isHeldBack: boolean;
  /**
   * Sends one operation and gives its envelope, whose code is 0.
   *
   * What can't do harm twice (GET, PUT) is sent again after a lost or unreadable answer, and anything after a request that
   * provably never left or that the service turned away (429): `ATTEMPTS` times in all, further and further apart, while there are
   * few such requests. A service that keeps failing is left alone and waited for (`ServiceHealth`). Nothing else repeats a request.
   *
   * A read asks caches in between to stand aside; a listing also has an address that no cache has seen, unless the service refuses that.
   *
   * @param onCached is told what shows that a listing came out of a cache nevertheless
   * @throws RetryableError nothing happened, and it was tried often enough; `api/stopped` where the signal was aborted before it left, or while
   *   it was waited to send it again
   * @throws ItemError the service refuses this record, or doesn't have it (`api/gone`)
   * @throws UnknownOutcomeError it may have happened: the answer to a POST or a PUT was lost or can't be read
   * @throws FatalError the token is refused (reason `login`); the address is no such service (reason `service`)
   */
  send(
    operation: Operation,
    parts: Parts,
    signal: AbortSignal,
    onCached?: (evidence: string) => void,
  ): Promise<JsonObject>;
  /** Ends what is under way and lets go of the sockets. */
  close(): Promise<void>;
}

/** Times a request is sent at most: after a failure, and after being turned away by a busy service. */
export const ATTEMPTS = { failed: 5, busy: 12 } as const;

/** Backoff in milliseconds: a random share of a ceiling that doubles from the first to the last. */
export const BACKOFF = { firstMs: 500, longestMs: 60_000 } as const;

/** Answers of a service to a query that it doesn't understand. */
const REFUSES_A_QUERY = /^api\/(http-400|http-422|code-\d+)$/;

/** A longer wait than this is not waited out: the run stops, resumable, and says how long. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * Opens a connection. Nothing is sent yet.
 *
 * @throws FatalError `api/bad-url` for an address that must not get a token (see `checkedBaseUrl`)
 */
export function openConnection(options: ConnectionOptions): Connection {
  return new ApiConnection(options);
}

/** A wait as long as this is told of. */
const SILENCE_MS = 2_000;

/** Polite to a service whose limits nobody knows. */
const POLITE: PacingOptions = {
  start: REQUESTS_PER_SECOND,
  rate: MOST_REQUESTS_PER_SECOND,
  inFlight: REQUESTS_IN_FLIGHT,
};

class ApiConnection implements Connection {
  readonly pacing: Pacing;
  readonly host: string;
  readonly report: (issue: Issue) => void;
  readonly redact: Redact;
  readonly #token: string | undefined;
  readonly #redactToken: Redact;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #fetcher: Fetcher;
  readonly #health: ServiceHealth;
  /** The message of a 401: the token is good for nothing more, and no further request carries it. */
  #refusal: string | undefined;
  readonly #serviceClock = new ServiceClock();
  /** When the requests that wait by themselves come back. */
  readonly #asleep = new Set<{ readonly at: number }>();
  /** The service refuses a query parameter that it doesn't know. */
  #isStrict = false;
  /** Until when the service wants to be left alone, where that is longer than anybody waits; and what tells those who wait for their turn. */
  #leftAloneUntil = Number.NEGATIVE_INFINITY;
  #leftAlone = new AbortController();

  constructor(options: ConnectionOptions) {
    const { origin, prefix } = checkedBaseUrl(options.baseUrl, options.insecureHttp);
    this.#clock = options.clock ?? systemClock;
    this.pacing = options.pacing ?? openPacing({ ...POLITE, ...pick(options), clock: this.#clock });
    this.#health = options.health ?? openHealth({ clock: this.#clock, patienceMs: options.patienceMs });
    this.host = `${URL.parse(origin)?.host ?? origin}${prefix}`;
    this.report = options.report ?? (() => undefined);
    this.#token = options.token;
    this.redact = redactor([options.token ?? ""]);
    this.#redactToken = exactRedactor([options.token ?? ""]);
    this.#prefix = prefix;
    this.#fetcher = options.fetcher ?? poolFetcher(origin, this.pacing.inFlight, { ...TIMEOUTS, ...options.timeouts });
  }

  async send(
    operation: Operation,
    parts: Parts,
    signal: AbortSignal,
    onCached: (evidence: string) => void = () => undefined,
  ): Promise<JsonObject> {
    if (!operation.listing || this.#isStrict) return this.#send(operation, parts, signal, onCached);
    const unseen = { ...parts, query: { ...parts.query, [UNSEEN]: unseenValue() } };
    try {
      return await this.#send(operation, unseen, signal, onCached);
    } catch (error) {
      if (!(error instanceof ItemError && REFUSES_A_QUERY.test(error.code))) throw error;
      const envelope = await this.#send(operation, parts, signal, onCached);
      this.#isStrict = true;
      return envelope;
    }
  }

  async #send(
    operation: Operation,
    parts: Parts,
    signal: AbortSignal,
    onCached: (evidence: string) => void,
  ): Promise<JsonObject> {
    const isLogin = parts.form !== undefined;
    if (!isLogin && this.#token === undefined) {
      throw new FatalError("api/no-token", "login", `Cannot ${operation.action}: there is no access token yet`);
    }
    // One signal stops many requests at a time; Node would warn of a leak at the eleventh.
    setMaxListeners(0, signal);
    const redact = isLogin ? redactor([...Object.values(secretsOf(parts)), this.#token ?? ""]) : this.redact;
    const request = await buildRequest(operation, parts, this.#prefix, isLogin ? undefined : this.#token);
    for (let failures = 1, turnedAway = 1; ; ) {
      if (this.#refusal !== undefined && !isLogin) throw new FatalError("api/http-401", "login", this.#refusal);
      this.#refuseWhileLeftAlone(operation);
      const admission = await this.#admission(operation, signal);
      const { outcome, startedAt } = await this.#exchange(operation, request, admission, signal);
      if (outcome.kind === "answer" && !operation.listing) this.#serviceClock.answered(outcome.date, this.#clock.now());
      const verdict = judge(operation, outcome, redact, this.#clock.date());
      note(admission, verdict);
      if (verdict.kind === "value") {
        this.pacing.accepted(startedAt);
        const evidence = operation.listing ? this.#cachedBy(outcome, startedAt) : undefined;
        if (evidence !== undefined) onCached(evidence);
        const answer = withoutSecrets(operation, verdict.value, redact);
        return isLogin ? answer : withoutSecretTexts(answer, this.#redactToken);
      }
      const { error, busy } = verdict;
      if (error instanceof FatalError && error.code === "api/http-401" && !isLogin) this.#refusal = error.message;
      const isTurnedAway = busy !== undefined && error instanceof RetryableError;
      const waitMs = busy?.waitMs ?? this.#backoff(isTurnedAway ? turnedAway : failures);
      this.#pace(outcome, busy, startedAt);
      if (signal.aborted && mayRepeat(operation, error)) throw stoppedAfter(error);
      if (waitMs > LONGEST_WAIT_MS) {
        this.#leaveAloneUntil(this.#clock.now() + waitMs);
        throw tooLong(error, operation, waitMs, this.#clock.date());
      }
      if (!mayRepeat(operation, error)) throw error;
      if (isTurnedAway) {
        if (turnedAway++ >= ATTEMPTS.busy) throw givenUp(error, ATTEMPTS.busy);
        // A pause that the service asked for is everybody's, and the pacing waits. Without one, this request alone comes back later.
        if (busy.waitMs === undefined) await this.#sleep(waitMs, signal, error);
      } else if (!this.#health.isOpen) {
        if (failures++ >= ATTEMPTS.failed || !this.#health.mayRetry()) throw error;
        if (busy?.waitMs === undefined) await this.#sleep(waitMs, signal, error);
      }
    }
  }

  get isHeldBack(): boolean {
    return this.#health.isWaitedFor;
  }

  waiting(): string | undefined {
    return this.pacing.waiting() ?? this.#health.waiting() ?? this.#waitingToAskAgain();
  }

  close(): Promise<void> {
    return this.#fetcher.close();
  }

  async #admission(operation: Operation, signal: AbortSignal): Promise<Admission> {
    try {
      return await this.#health.admit(operation.action, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new RetryableError("api/stopped", `Cannot ${operation.action}: stopped before it was sent`);
    }
  }

  /** One answer is for everybody: whoever waits for a turn learns of it now, and not when the pause is over. */
  #leaveAloneUntil(until: number): void {
    this.#leftAloneUntil = Math.max(this.#leftAloneUntil, until);
    this.#leftAlone.abort();
    this.#leftAlone = new AbortController();
    setMaxListeners(0, this.#leftAlone.signal);
  }

  #refuseWhileLeftAlone(operation: Operation): void {
    const leftMs = this.#leftAloneUntil - this.#clock.now();
    if (leftMs <= 0) return;
    const neverSent = new RetryableError("api/left-alone", `Cannot ${operation.action}: it was not sent`);
    throw tooLong(neverSent, operation, leftMs, this.#clock.date());
  }

  async #exchange(
    operation: Operation,
    request: WireRequest,
    admission: Admission,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly startedAt: number }> {
    let startedAt: number | undefined;
    const leftAlone = this.#leftAlone.signal;
    try {
      const outcome = await this.pacing.run(
        () => {
          startedAt = this.#clock.now();
          return this.#fetcher.exchange(request, signal);
        },
        AbortSignal.any([signal, leftAlone]),
      );
      return { outcome: unlessStopped(outcome, signal), startedAt: startedAt ?? this.#clock.now() };
    } catch (error) {
      admission.dropped();
      if (startedAt === undefined && leftAlone.aborted && !signal.aborted) this.#refuseWhileLeftAlone(operation);
      if (startedAt !== undefined || !signal.aborted) throw error;
      return { outcome: { kind: "stopped", isSent: false }, startedAt: this.#clock.now() };
    }
  }

  /** Tells the pacing what an answer says of how busy the service is. "Service Unavailable" says it, with a time or without. */
  #pace(outcome: Outcome, busy: Busy | undefined, startedAt: number): void {
    if (busy !== undefined) this.pacing.pause(Math.min(busy.waitMs ?? 0, LONGEST_WAIT_MS), startedAt);
    else if (outcome.kind !== "answer") return;
    else if (outcome.status === 503) this.pacing.pause(0, startedAt);
    else this.pacing.accepted(startedAt);
  }

  /** What shows that an answer was not made for us. */
  #cachedBy(outcome: Outcome, startedAt: number): string | undefined {
    if (outcome.kind !== "answer") return undefined;
    const seconds = this.#serviceClock.secondsTooOld(outcome.date, startedAt);
    return cacheWord(outcome) ?? (seconds === undefined ? undefined : `made ${seconds} s before it was asked for`);
  }

  /** "Full jitter": anywhere between 0 and the ceiling, so that many clients don't come back together. */
  #backoff(attempt: number): number {
    const ceiling = Math.min(BACKOFF.longestMs, BACKOFF.firstMs * 2 ** (attempt - 1));
    return Math.round(this.#clock.random() * ceiling);
  }

  async #sleep(ms: number, signal: AbortSignal, error: TransferError): Promise<void> {
    const until = { at: this.#clock.now() + ms };
    this.#asleep.add(until);
    try {
      await this.#clock.sleep(ms, signal);
    } catch (reason) {
      throw signal.aborted ? stoppedAfter(error) : reason;
    } finally {
      this.#asleep.delete(until);
    }
  }

  /** Requests that were turned away come back later by themselves. Where no other is under way, a person would notice the silence. */
  #waitingToAskAgain(): string | undefined {
    if (this.pacing.counts.running > 0) return undefined;
    const left = Math.min(...[...this.#asleep].map(({ at }) => at)) - this.#clock.now();
    if (!Number.isFinite(left) || left < SILENCE_MS) return undefined;
    return `the service, which turned a request away (asked again in ${Math.ceil(left / 1000)} s)`;
  }
}

/** An answer without ids that quote a secret. A reading that has one can't be gone by: what it names would be taken for missing. */
function withoutSecrets(operation: Operation, envelope: JsonObject, redact: Redact): JsonObject {
  const clean = withoutSecretIds(envelope, redact);
  if (clean === envelope || operation.method !== "GET") return clean;
  throw new FatalError(
    "api/secret-id",
    "service",
    `Cannot ${operation.action}: the service answered with an id that contains the access token`,
  );
}

function pick(options: ConnectionOptions): PacingOptions {
  return {
    // A rate of one's own is begun with.
    ...("rate" in options && { start: options.rate, rate: options.rate }),
    ...defined({ inFlight: options.inFlight }),
  };
}

/** Tells the health of the service what became of a request: a refusal is an answer, and a busy service is not a sick one. */
function note(admission: Admission, verdict: Verdict): void {
  if (verdict.kind === "value") {
    admission.answered(true);
    return;
  }
  const { error, busy } = verdict;
  const isLost = error instanceof RetryableError || error instanceof UnknownOutcomeError;
  if (error.code === "api/stopped") admission.dropped();
  else if (!isLost || busy !== undefined || error.code === "api/http-409") admission.answered(false);
  else admission.failed(error.message.replace(/^Cannot [^:]*: /, ""));
}

/** An answer that our own stopping cut off says nothing of the service. Any but a success is known by its status, cut or whole. */
function unlessStopped(outcome: Outcome, signal: AbortSignal): Outcome {
  const isCut = outcome.kind === "answer" && outcome.cut !== undefined && outcome.status >= 200 && outcome.status < 300;
  return isCut && signal.aborted ? { kind: "stopped", isSent: true } : outcome;
}

/** What is thrown for a request that would have been sent again, had nobody stopped it. */
function stoppedAfter(error: TransferError): TransferError {
  const message = `${error.message}. Stopped before it was sent again`;
  return error instanceof UnknownOutcomeError
    ? new UnknownOutcomeError("api/stopped", message, { cause: error })
    : new RetryableError("api/stopped", message, { cause: error });
}

/** What is said of a service that wants to be left alone for longer than anybody waits. */
function tooLong(error: TransferError, operation: Operation, waitMs: number, now: number): TransferError {
  const hours = Math.round(waitMs / 3_600_000);
  const until = new Date(Math.min(now + waitMs, 8.64e15)).toISOString().slice(0, 16).replace("T", " ");
  const message = `Cannot ${operation.action}: the service wants to be left alone for ${hours} hours, until ${until} UTC`;
  return error instanceof RetryableError
    ? new RetryableError("api/wait-too-long", message, { waitMs, cause: error })
    : new UnknownOutcomeError(error.code, `${error.message}. ${message}`, { cause: error });
}

function givenUp(error: TransferError, times: number): TransferError {
  return new RetryableError(error.code, `${error.message}, ${times} times in a row`, {
    waitMs: (error as RetryableError).waitMs,
    cause: error,
  });
}

/** Whether sending again can do no harm: nothing happened, or the operation comes to the same twice. */
function mayRepeat(operation: Operation, error: TransferError): boolean {
  if (error.code === "api/stopped") return false;
  return error instanceof RetryableError || (error instanceof UnknownOutcomeError && operation.repeatable);
}

/** What of a form must not be repeated. */
function secretsOf(parts: Parts): Record<string, string> {
  return Object.fromEntries(Object.entries(parts.form ?? {}).filter(([name]) => /secret|code$|token/.test(name)));
}
