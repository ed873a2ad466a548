/** Holds requests back until they may leave. */
import type { Fetcher, Outcome } from "./exchange.ts";

/** Says whether requests may leave. A worker of a fleet has one: it may send only while the journal of its athlete is its own. */
export interface Permit {
  /**
   * Settles when a request may leave. This takes no time while the permit was confirmed lately. Otherwise it asks, and waits as long as
   * nobody answers.
   *
   * @throws FatalError reason `journal` when the permit is lost; the signal's reason when it is aborted during the wait
   */
  check(signal: AbortSignal): Promise<void>;
  /** Whether a request may leave at this moment, by what is known without asking. It is read right before the first byte leaves. */
  readonly isConfirmed: boolean;
}

/**
 * A fetcher that sends each request only with a permit. It asks twice: when the turn of a request has come, and right before its first byte is
 * written. In between a connection may have to be made, and the process may stand still.
 *
 * @throws (from `exchange`) FatalError as `Permit.check`
 */
export function permitted(fetcher: Fetcher, permit: Permit): Fetcher {
  return {
    async exchange(request, signal): Promise<Outcome> {
      for (;;) {
        try {
          await permit.check(signal);
        } catch (error) {
          if (!signal.aborted || error !== signal.reason) throw error;
          return { kind: "stopped", isSent: false };
        }
        const outcome = await fetcher.exchange({ ...request, mayLeave: () => permit.isConfirmed }, signal);
        if (outcome.kind !== "withheld") return outcome;
      }
    },
    close: () => fetcher.close(),
  };
}
