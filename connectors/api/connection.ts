/**
 * A connection to one user's log: the address, the token, the pace. It sends requests as the table of operations describes them, and sends
 * them again if that can do no harm. It returns an envelope or throws a TransferError. The error never holds the token.
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
import { signalJoiner } from "./or-aborted.ts";
import { openPacing, type Pacing, type PacingOptions } from "./pacing.ts";
import { exactRedactor, type Redact, redactor } from "./redact.ts";
import { type Busy, type JsonObject, judge, type Verdict } from "./reply.ts";
import { buildRequest, type Parts, type WireRequest } from "./request.ts";
import { withoutSecretIds, withoutSecretTexts } from "./secret-ids.ts";

/** The parts of a connection. */
export interface ConnectionOptions {
  /** `{base_url}` of the document. */
  readonly baseUrl: string;
  /** The access token. Without one, only `exchangeAuthorizationToken` works. */
  readonly token?: string | undefined;
  /** The caller's own pacing. If left out, `rate` and `inFlight` make one. */
  readonly pacing?: Pacing;
  /** Limit, in requests a second. If left out, it is the polite default. If it is `undefined`, requests go as fast as answers come. */
  readonly rate?: number | undefined;
  /** The health of the service. Pass one if several connections lead to the same service. */
  readonly health?: ServiceHealth;
  /** How long to wait for a failing service, in milliseconds; `PATIENCE_MS` if left out. */
  readonly patienceMs?: number | undefined;
  /** Most requests under way at once; the polite default if left out. */
  readonly inFlight?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Carries the requests; if left out, undici over a few connections. */
  readonly fetcher?: Fetcher;
  readonly clock?: Clock;
  /** Receives remarks about the service's answers. */
  readonly report?: (issue: Issue) => void;
  /** Allows plain HTTP to other machines. */
  readonly insecureHttp?: boolean;
}

/** Sends operations. Calls may overlap, because the pacing keeps them apart. */
export interface Connection extends AsyncDisposable {
  readonly pacing: Pacing;
  /** The service's address, for people and for the place of an issue. */
  readonly host: string;
  readonly report: (issue: Issue) => void;
  /** Removes this connection's secrets from a text. */
  readonly redact: Redact;
  /** Describes the current wait, for the progress line; undefined when there is no wait. */
  waiting(): string | undefined;
  /** True while requests are held back until a failing service is well again. */
  readonly isHeldBack: boolean;
  /**
   * Sends one operation and returns its envelope, with code 0.
   *
   * A GET or a PUT does no harm twice, so it is sent again after a lost or unreadable answer. Any request is sent again if it provably
   * never left, or if the service turned it away (429): at most `ATTEMPTS` times in all, with growing pauses, while few requests need it.
   * If a service keeps failing, all requests wait for it (`ServiceHealth`). Only `get` in call.ts repeats a request besides, when the
   * answer holds another record.
   *
   * A read asks caches not to answer. A listing also has an address that no cache has seen, unless the service refuses that.
   *
   * @param onCached called with the evidence when a cache answered a listing nevertheless
   * @throws RetryableError nothing happened, and all attempts are used; `api/stopped` if the signal was aborted before the request left,
   *   or during the wait before the next attempt
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
  /** Ends the open requests and closes the sockets. */
  close(): Promise<void>;
}

/** Most times a request is sent: in case of failures, and in case of a busy service that turns it away. */
export const ATTEMPTS = { failed: 5, busy: 12 } as const;

/** Backoff in milliseconds: a random share of a ceiling. The ceiling doubles from the first value to the longest. */
export const BACKOFF = { firstMs: 500, longestMs: 60_000 } as const;

/** A service may answer with these codes to a query that it doesn't understand. */
const REFUSES_A_QUERY = /^api\/(http-400|http-422|code-\d+)$/;

/** If a service asks for a longer wait than this, the run stops. It can be resumed, and the message gives the time. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * Opens a connection, without sending anything yet.
 *
 * @throws FatalError `api/bad-url` for an address that must not get a token (see `checkedBaseUrl`)
 */
export function openConnection(options: ConnectionOptions): Connection {
  return new ApiConnection(options);
}

/** Waits of this length or more are shown on the progress line. */
const SILENCE_MS = 2_000;

/** Defaults that are polite to a service with unknown limits. */
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
  /** The message of a 401. The service refused the token, so no further request carries it. */
  #refusal: string | undefined;
  readonly #serviceClock = new ServiceClock();
  /** Requests that wait on their own, and when each comes back. */
  readonly #asleep = new Set<{ readonly at: number }>();
  /** True if the service refuses query parameters that it doesn't know. */
  #isStrict = false;
  /** The end of a pause longer than `LONGEST_WAIT_MS`. The controller tells the requests that wait for their turn. */
  #leftAloneUntil = Number.NEGATIVE_INFINITY;
  #leftAlone = new AbortController();
  readonly #either = signalJoiner();

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
    // One signal stops many requests at a time. Without this, Node would warn of a leak at the eleventh.
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
        // A pause that the service asked for is for every request, so the pacing waits. Otherwise only this request waits.
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

  readonly close = () => this.#fetcher.close();
  readonly [Symbol.asyncDispose] = () => this.close();

  async #admission(operation: Operation, signal: AbortSignal): Promise<Admission> {
    try {
      return await this.#health.admit(operation.action, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new RetryableError("api/stopped", `Cannot ${operation.action}: stopped before it was sent`);
    }
  }

  /** One answer counts for every request. Requests that wait for their turn fail now, and not at the end of the pause. */
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
      const start = () => {
        startedAt = this.#clock.now();
        return this.#fetcher.exchange(request, signal);
      };
      const outcome = await this.pacing.run(start, this.#either(signal, leftAlone));
      return { outcome: unlessStopped(outcome, signal), startedAt: startedAt ?? this.#clock.now() };
    } catch (error) {
      admission.dropped();
      if (startedAt === undefined && leftAlone.aborted && !signal.aborted) this.#refuseWhileLeftAlone(operation);
      if (startedAt !== undefined || !signal.aborted) throw error;
      return { outcome: { kind: "stopped", isSent: false }, startedAt: this.#clock.now() };
    }
  }

  /** Tells the pacing how busy the service is, by its answer. 503 "Service Unavailable" means busy, with a time or without. */
  #pace(outcome: Outcome, busy: Busy | undefined, startedAt: number): void {
    if (busy !== undefined) this.pacing.pause(Math.min(busy.waitMs ?? 0, LONGEST_WAIT_MS), startedAt);
    else if (outcome.kind !== "answer") return;
    else if (outcome.status === 503) this.pacing.pause(0, startedAt);
    else this.pacing.accepted(startedAt);
  }

  /** The evidence that a cache gave the answer; undefined if there is none. */
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

  /** The wait of requests that were turned away. The progress line shows it if no other request is open. */
  #waitingToAskAgain(): string | undefined {
    if (this.pacing.counts.running > 0) return undefined;
    const left = Math.min(...[...this.#asleep].map(({ at }) => at)) - this.#clock.now();
    if (!Number.isFinite(left) || left < SILENCE_MS) return undefined;
    return `the service, which turned a request away (asked again in ${Math.ceil(left / 1000)} s)`;
  }
}

/**
 * Sets ids that quote a secret to null. A read that has such an id fails, because the records with these ids would be taken for missing.
 */
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
    // A rate of the caller is also the first pace.
    ...("rate" in options && { start: options.rate, rate: options.rate }),
    ...defined({ inFlight: options.inFlight }),
  };
}

/** Tells the health of the service the result of a request. A refusal is an answer, and a busy service is not a failing one. */
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

/** A success that our own abort cut off says nothing about the service. Any other answer is understood by its status alone. */
function unlessStopped(outcome: Outcome, signal: AbortSignal): Outcome {
  const isCut = outcome.kind === "answer" && outcome.cut !== undefined && outcome.status >= 200 && outcome.status < 300;
  return isCut && signal.aborted ? { kind: "stopped", isSent: true } : outcome;
}

/** The error for a request that was stopped before it could be sent again. */
function stoppedAfter(error: TransferError): TransferError {
  const message = `${error.message}. Stopped before it was sent again`;
  return error instanceof UnknownOutcomeError
    ? new UnknownOutcomeError("api/stopped", message, { cause: error })
    : new RetryableError("api/stopped", message, { cause: error });
}

/** The error for a service that asks for a pause longer than `LONGEST_WAIT_MS`. */
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

/** Whether sending again can do no harm: nothing happened, or a second time changes nothing more. */
function mayRepeat(operation: Operation, error: TransferError): boolean {
  if (error.code === "api/stopped") return false;
  return error instanceof RetryableError || (error instanceof UnknownOutcomeError && operation.repeatable);
}

/** The parts of a form that no text may repeat. */
function secretsOf(parts: Parts): Record<string, string> {
  return Object.fromEntries(Object.entries(parts.form ?? {}).filter(([name]) => /secret|code$|token/.test(name)));
}
