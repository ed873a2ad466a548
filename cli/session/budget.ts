/**
 * What a command may use up: requests, time, records that go wrong. When something of it is used up, what is under way is
 * finished and nothing new is begun; the run can be resumed. It also counts the requests of commands that have no bounds.
 */
import type { Fetcher } from "../../connectors/api/exchange.ts";
import { FatalError, RetryableError } from "../../connectors/errors.ts";
import { REQUESTS_TO_OPEN } from "../../pipelines/journal/cost.ts";
import type { OptionValues } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { count } from "../terminal/output.ts";
import { durationMs } from "../wording/durations.ts";

/** A command's bounds, and how much of them is used. */
export interface Budget {
  /** Aborted when something is used up. */
  readonly signal: AbortSignal;
  /** What is used up, for the closing sentence: `the 500 requests of --max-requests are used up`. */
  readonly why: string | undefined;
  /** Whether it has an end in requests or in time. */
  readonly isBounded: boolean;
  /** Requests that left so far. */
  readonly used: number;
  /** Requests that may still leave. */
  readonly left: number;
  /** Counts the requests that a fetcher carries, and lets none through when they are used up. */
  counted(fetcher: Fetcher): Fetcher;
  /** Reserves the requests of a record before it is begun. Without so many left, the run ends there. */
  mayBegin(requests: number): boolean;
  /** A record was refused or failed. */
  reserve(): void;
  /** An error that comes of being used up, as what ends the command; any other as it is. */
  explain(error: unknown): unknown;
  [Symbol.dispose](): void;
}

/** setTimeout takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The budget of a command, whose time begins now.
 *
 * @throws UsageError when fewer requests are allowed than it takes to open the log
 */
export function openBudget(options: Pick<OptionValues, "maxRequests" | "maxDuration" | "onErrors">): Budget {
  const { maxRequests = Number.POSITIVE_INFINITY, maxDuration, onErrors } = options;
  if (maxRequests <= REQUESTS_TO_OPEN) {
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
  const outOfRequests = () => end(`the ${count(maxRequests)} requests of --max-requests are used up`);
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
    isBounded: options.maxRequests !== undefined || maxDuration !== undefined,
    get used() {
      return used;
    },
    get left() {
      return maxRequests - used;
    },
    counted: (fetcher) => ({
      async exchange(request, signal) {
        if (used >= maxRequests) {
          outOfRequests();
          throw new RetryableError("run/no-requests-left", "Stopped: no requests are left of --max-requests");
        }
        used++;
        return await fetcher.exchange(request, signal);
      },
      close: () => fetcher.close(),
    }),
    mayBegin(requests) {
      // What is sent again, and the listings of a settling, come on top of what was reserved.
      const committed = Math.max(used, promised) + requests;
      if (committed > maxRequests) {
        outOfRequests();
        return false;
      }
      promised = committed;
      return true;
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

/** Records that may go wrong before a run stops. */
function toleratedErrors(onErrors: string | undefined): number {
  if (onErrors === undefined || onErrors === "continue") return Number.POSITIVE_INFINITY;
  return onErrors === "stop" ? 0 : Number(onErrors);
}
