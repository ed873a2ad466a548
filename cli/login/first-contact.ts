/**
 * The first word with a service. In the middle of a run, a service that went away is waited for; at the beginning, an address
 * with nobody behind it is most likely a wrong one, and a person waits for the prompt.
 */
import { ATTEMPTS } from "../../connectors/api/connection.ts";
import type { Fetcher, Outcome } from "../../connectors/api/exchange.ts";
import { FatalError } from "../../connectors/errors.ts";

/** Milliseconds: how long it is tried again, and how long one answer is waited for, before there was any. */
export const FIRST_CONTACT = { tryMs: 2_000, answerMs: 15_000 } as const;

/** What can be put in place by a test. */
export interface FirstContactTimes {
  readonly now: () => number;
  /** A signal that aborts after so many milliseconds. */
  readonly after: (ms: number) => AbortSignal;
}

const REAL: FirstContactTimes = { now: () => performance.now(), after: (ms) => AbortSignal.timeout(ms) };

/**
 * A fetcher that gives up soon on a service that has not answered yet, and is the given one once any answer came.
 *
 * Until then, a request that wasn't answered within `FIRST_CONTACT.answerMs`, or that found nobody `tryMs` after the first or at
 * its last try, throws instead of being tried again for long. Requests before the first answer must change nothing: they only read.
 *
 * @param host the address as it may be shown: without the token
 * @throws (from `exchange`) FatalError reason `service`, code `api/unreachable`; `api/untrusted` where TLS is what failed
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
      // The last of its tries may come sooner: how far apart they are is left to chance.
      const isLast = ++failures >= ATTEMPTS.failed || now() - startedAt >= FIRST_CONTACT.tryMs;
      if (outcome.kind !== "answer" && isLast) throw unreachable(outcome.found);
      return outcome;
    },
    close: () => fetcher.close(),
  };
}
