/** Waits for PostgreSQL. A database that is away comes back, so logferry asks again until it answers. */
import type { Clock } from "../../connectors/api/clock.ts";
import { FatalError } from "../../connectors/errors.ts";
import { Unreachable } from "./ask.ts";

/** How to wait. */
export interface Patience {
  readonly clock: Clock;
  /** Ends the wait. Where its reason is a FatalError, that is thrown. */
  readonly signal: AbortSignal;
  /** Is told why logferry waits, and `undefined` once PostgreSQL answers again. */
  readonly onWait: (reason: string | undefined) => void;
}

/** The pauses between two questions, in milliseconds: a random share of a limit that doubles from the first to the longest. */
const PAUSE = { firstMs: 100, longestMs: 5_000 } as const;

/**
 * Asks until PostgreSQL answers.
 *
 * @param question may be asked more than once, and must do no harm then
 * @throws the error of the question, unless it is Unreachable; FatalError `journal/unreachable` when the wait is ended by the signal
 */
export async function untilAnswered<T>({ clock, signal, onWait }: Patience, question: () => Promise<T>): Promise<T> {
  for (let asked = 1; ; asked++) {
    try {
      const answer = await question();
      if (asked > 1) onWait(undefined);
      return answer;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (signal.aborted) throw ended(signal, error);
      onWait(error.message);
      const limit = Math.min(PAUSE.longestMs, PAUSE.firstMs * 2 ** (asked - 1));
      try {
        await clock.sleep(Math.round(limit * (0.5 + clock.random() / 2)), signal);
      } catch (reason) {
        throw signal.aborted ? ended(signal, error) : reason;
      }
    }
  }
}

function ended(signal: AbortSignal, { message }: Unreachable): FatalError {
  if (signal.reason instanceof FatalError) return signal.reason;
  return new FatalError(
    "journal/unreachable",
    "journal",
    `Cannot reach the journal in PostgreSQL: ${message}. Nothing more is sent. Run the same command again once PostgreSQL is back.`,
  );
}
