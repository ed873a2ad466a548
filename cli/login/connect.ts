/** Connects to a log, at the right pace. */
import { checkedBaseUrl } from "../../connectors/api/base-url.ts";
import { ATTEMPTS, type Connection, openConnection } from "../../connectors/api/connection.ts";
import { type Fetcher, type Outcome, poolFetcher, TIMEOUTS, timeoutsFor } from "../../connectors/api/exchange.ts";
import { openPacing, type Pacing } from "../../connectors/api/pacing.ts";
import { FatalError } from "../../connectors/errors.ts";
import { type LogView, readAccount } from "../../pipelines/log/log-view.ts";
import { pace } from "./pace.ts";

/** The account of a token, which the service names. */
export async function checkAccount(url: string, token: string, signal: AbortSignal): Promise<LogView["account"]> {
  await using connection = connectTo(url, token);
  return await readAccount(connection, signal);
}

/**
 * A connection for a few requests, which gives up soon if the service doesn't answer.
 *
 * @param token undefined for the token endpoint
 * @param wrap may wrap the fetcher
 */
export function connectTo(
  url: string,
  token: string | undefined,
  wrap: (fetcher: Fetcher) => Fetcher = (fetcher) => fetcher,
): Connection {
  return connect(url, token, { ...pace({ url }), inFlight: 1, wrap });
}

/** The settings of a connection. */
interface ConnectOptions {
  readonly start: number | undefined;
  readonly rate: number | undefined;
  readonly inFlight: number;
  readonly host?: Pacing | undefined;
  readonly wrap?: (fetcher: Fetcher) => Fetcher;
  readonly timeoutSeconds?: number | undefined;
  readonly patienceMs?: number | undefined;
}

/** A connection that gives up soon if the service doesn't answer the first request. */
export function connect(url: string, token: string | undefined, options: ConnectOptions): Connection {
  const { start, rate, inFlight, host, wrap = (fetcher) => fetcher, timeoutSeconds, patienceMs } = options;
  const { origin, prefix } = checkedBaseUrl(url);
  const timeouts = timeoutSeconds === undefined ? TIMEOUTS : timeoutsFor(timeoutSeconds * 1000);
  const fetcher = wrap(givingUpSoon(poolFetcher(origin, inFlight, timeouts), `${origin}${prefix}`));
  const pacing = openPacing({ start, rate, inFlight, host });
  return openConnection({ baseUrl: url, token, pacing, fetcher, patienceMs });
}

// The first contact with a service. In the middle of a run, logferry waits for a service that doesn't answer. At the beginning, an address
// that doesn't answer is most likely wrong, and a person waits for the prompt.

/** Milliseconds until the first answer: how long logferry tries again, and how long it waits for one answer. */
const FIRST_CONTACT = { tryMs: 2_000, answerMs: 15_000 } as const;

/** Parts that a test can replace. */
interface FirstContactTimes {
  readonly now: () => number;
  /** A signal that aborts after this many milliseconds. */
  readonly after: (ms: number) => AbortSignal;
}

const REAL: FirstContactTimes = { now: () => performance.now(), after: (ms) => AbortSignal.timeout(ms) };

/**
 * A fetcher that gives up soon on a service that has not answered yet. After the first answer, it works like the given fetcher.
 *
 * Before the first answer, it throws when a request gets no answer within `FIRST_CONTACT.answerMs`. It also throws when a connection fails
 * `tryMs` after the first request, or at the last try. The given fetcher would try again for long. Requests before the first answer must
 * only read.
 *
 * @param host the address in its printable form, without the token
 * @throws (from `exchange`) FatalError reason `service`, code `api/unreachable`; `api/untrusted` when TLS failed
 */
export function givingUpSoon(fetcher: Fetcher, host: string, { now, after }: FirstContactTimes = REAL): Fetcher {
  let hasAnswered = false;
  let startedAt: number | undefined;
  let failures = 0;

  const unreachable = (found: string) =>
    new FatalError(
      "api/unreachable",
      "service",
      `Cannot reach the log at ${host}: ${found}. Is the address right, and the service up?`,
    );

  const untrusted = (found: string) =>
    new FatalError(
      "api/untrusted",
      "service",
      `Cannot reach the log at ${host} safely: ${found}. Nothing was sent. Is the address right?`,
    );

  return {
    async exchange(request, signal): Promise<Outcome> {
      if (hasAnswered) return fetcher.exchange(request, signal);
      startedAt ??= now();
      const deadline = after(FIRST_CONTACT.answerMs);
      const outcome = await fetcher.exchange(request, AbortSignal.any([signal, deadline]));
      if (outcome.kind === "withheld") return outcome;
      if (outcome.kind === "answer") hasAnswered = true;
      if (hasAnswered || signal.aborted) return outcome;
      if (outcome.kind === "never-sent" && outcome.isTrust) throw untrusted(outcome.found);
      if (outcome.kind === "stopped") throw unreachable(`no answer came within ${FIRST_CONTACT.answerMs / 1000} s`);
      // The last try may come earlier, because the pauses between tries are random.
      const isLast = ++failures >= ATTEMPTS.failed || now() - startedAt >= FIRST_CONTACT.tryMs;
      if (outcome.kind !== "answer" && isLast) throw unreachable(outcome.found);
      return outcome;
    },
    close: () => fetcher.close(),
  };
}
