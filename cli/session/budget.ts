/**
 * The limits of a command: requests, time, failed records. At a limit, logferry finishes the current work and begins nothing new, and the
 * run can be resumed. The budget also counts the requests of commands without limits.
 */
import type { Fetcher } from "../../connectors/api/exchange.ts";
import { orAborted } from "../../connectors/api/or-aborted.ts";
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { REQUESTS_TO_OPEN } from "../../pipelines/journal/cost.ts";
import type { OptionValues } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { count } from "../terminal/output.ts";
import { durationMs } from "../wording/durations.ts";

/** A command's limits, and their use so far. */
export interface Budget {
  /** Aborted when a limit is reached. */
  readonly signal: AbortSignal;
  /** The limit that was reached, for the closing sentence: `the 500 requests of --max-requests are used up`. */
  readonly why: string | undefined;
  /** Whether requests or time have a limit. */
  readonly isBounded: boolean;
  /** Requests that logferry has sent so far. */
  readonly used: number;
  /** Requests that logferry may still send. */
  readonly left: number;
  /** Counts the requests of a fetcher, and sends none after the limit. */
  counted(fetcher: Fetcher): Fetcher;
  /** Reserves the requests of a record before the record begins. If too few are left, the run ends there. */
  mayBegin(requests: number): boolean;
  /** Counts a record that was refused or failed. */
  reserve(): void;
  /** Turns an error that comes from a limit into the error that ends the command. Other errors stay as they are. */
  explain(error: unknown): unknown;
  [Symbol.dispose](): void;
}

/** Limits that hold over several commands, such as a quota of requests a day. */
export interface LongLimits {
  /** Why no request may be sent now; undefined if one may. */
  whyNotSend(): string | undefined;
  /** Why no record may be begun now that takes so many requests; undefined if one may, and then its requests are reserved. */
  whyNotBegin(requests: number): string | undefined;
  /** Counts a request. */
  sent(): void;
  /** Requests that may still be sent, as far as the limits count them. */
  readonly left: number;
}

/** The requests of one piece of work that several commands or workers do, one after the other. */
export interface Tally {
  /** Requests that count toward `--max-requests` already. */
  readonly before: number;
  /**
   * Settles when a request may be sent: it is written down where the next worker finds it.
   *
   * @param used requests of this command, with this one
   * @param most the largest number of requests of all together
   * @throws FatalError when another worker has the work by now
   */
  willSend?(used: number, most: number): Promise<void>;
}

/** The longest delay that setTimeout accepts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The budget of a command. Its time begins now.
 *
 * @param long limits that hold longer than the command
 * @param tally of the work that this command goes on with
 * @throws UsageError when the limit on requests is too low to open the log
 */
export function openBudget(
  options: Pick<OptionValues, "maxRequests" | "maxDuration" | "onErrors">,
  long?: LongLimits,
  tally: Tally = { before: 0 },
): Budget {
  const { maxRequests = Number.POSITIVE_INFINITY, maxDuration, onErrors } = options;
  const { before } = tally;
  if (maxRequests - before <= REQUESTS_TO_OPEN) {
    throw new UsageError(`--max-requests ${maxRequests} is too few: opening the log takes ${REQUESTS_TO_OPEN}`);
  }
  const mostWrong = toleratedErrors(onErrors);
  const controller = new AbortController();
  let [used, promised, wrong] = [0, 0, 0];
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    controller.abort();
  };
  const usedUp = `the ${count(maxRequests)} requests of --max-requests are used up`;
  const timer =
    maxDuration === undefined
      ? undefined
      : setTimeout(
          () => end(`the ${maxDuration} of --max-duration are over`),
          Math.min(LONGEST_TIMER_MS, durationMs(maxDuration) ?? 0),
        ).unref();
  return {
    signal: controller.signal,
    get why() {
      return why;
    },
    isBounded: options.maxRequests !== undefined || maxDuration !== undefined || long !== undefined,
    get used() {
      return used;
    },
    get left() {
      return Math.min(maxRequests - before - used, long?.left ?? Number.POSITIVE_INFINITY);
    },
    counted: (fetcher) => ({
      async exchange(request, signal) {
        const closed = before + used >= maxRequests ? usedUp : long?.whyNotSend();
        if (closed !== undefined) {
          end(closed);
          throw new RetryableError("run/no-requests-left", `Stopped: ${closed}`);
        }
        used++;
        long?.sent();
        const isStopped = await isStoppedFirst(tally.willSend?.(used, maxRequests), signal);
        return isStopped ? { kind: "stopped", isSent: false } : await fetcher.exchange(request, signal);
      },
      close: () => fetcher.close(),
    }),
    mayBegin(requests) {
      // Retries and the listings of a settling come on top of the reserved requests.
      const committed = Math.max(used, promised) + requests;
      const closed = before + committed > maxRequests ? usedUp : long?.whyNotBegin(requests);
      if (closed === undefined) promised = committed;
      else end(closed);
      return closed === undefined;
    },
    reserve() {
      if (++wrong <= mostWrong) return;
      end(`${count(wrong)} ${wrong === 1 ? "record was" : "records were"} refused or failed (--on-errors ${onErrors})`);
    },
    explain(error) {
      const isOurs = error instanceof RetryableError && /^(api\/stopped|run\/no-requests-left)$/.test(error.code);
      if (why === undefined || !isOurs) return error;
      return new FatalError(
        "run/used-up",
        "journal",
        `Stopped early, before anything was changed: ${why}. Allow more, or run it again later.`,
        { cause: error },
      );
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Waits until a request is written down. @returns whether the signal was aborted before */
async function isStoppedFirst(written: Promise<void> | undefined, signal: AbortSignal): Promise<boolean> {
  // Nobody hears of an error that comes after the signal.
  written?.catch(() => undefined);
  try {
    if (written !== undefined) await orAborted(written, signal);
    return false;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return true;
  }
}

/** The number of failed records that a run tolerates. */
function toleratedErrors(onErrors: string | undefined): number {
  if (onErrors === undefined || onErrors === "continue") return Number.POSITIVE_INFINITY;
  return onErrors === "stop" ? 0 : Number(onErrors);
}
