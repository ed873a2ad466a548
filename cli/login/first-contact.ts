/**
 * The first contact with a service. In the middle of a run, logferry waits for a service that doesn't answer. At the beginning, an address
 * that doesn't answer is most likely wrong, and a person waits for the prompt.
 */
import { ATTEMPTS } from "../../connectors/api/connection.ts";
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import { FatalError } from "../../connectors/errors.ts";

/** Milliseconds until the first answer: how long logferry tries again, and how long it waits for one answer. */
export const FIRST_CONTACT = { tryMs: 2_000, answerMs: 15_000 } as const;

/** Parts that a test can replace. */
export interface FirstContactTimes {
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
