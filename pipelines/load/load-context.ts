/**
 * The things that loading needs besides the run: the journal, the log, and the callbacks of the caller.
 */
import type { Sink } from "../../connectors/sink.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Encode } from "../plan/log/encode.ts";
import type { SourceFiles } from "../sources/source-files.ts";
import type { MayBeSent } from "./look-ahead.ts";

/** The things that loading needs besides the run. */
export interface LoadContext {
  readonly journal: Journal;
  readonly sink: Sink;
  /** Bytes of the device files and course maps, from the sources. */
  readonly files: SourceFiles;
  /** Turns a value into the log's save body. */
  readonly encode: Encode;
  /**
   * Settles lines in doubt (see `settle`). `quietMs`: milliseconds since an answer was last lost.
   *
   * @returns how many lines are still in doubt
   */
  readonly settle: (signal: AbortSignal, quietMs: number) => Promise<number>;
  /** Compares the log with the assumptions of the plan, for some kinds. Left out if the plan was made just now. */
  readonly check?: (kinds: readonly Kind[], signal: AbortSignal) => Promise<void>;
  /**
   * Tells workouts that may be sent at once from workouts that wait until the whole log is listed (see `lookAhead`). If left out, logferry
   * first settles lost answers and lists the log.
   *
   * @param inDoubt number of workouts whose answers were lost earlier
   * @throws any error of reading the listing
   */
  readonly lookAhead?: (inDoubt: number, signal: AbortSignal) => Promise<MayBeSent | undefined>;
  /** As in `SettleContext`: milliseconds after which earlier lost answers are settled. */
  readonly settleMs?: number;
  readonly report: (issue: Issue) => Promise<void>;
  readonly onProgress: (done: number, waiting?: string) => void;
  readonly now: () => number;
  /** Milliseconds of a monotonic clock; by default the system's. */
  readonly monotonic?: () => number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** True while the connection holds requests back until a failing service recovers. Lost answers then don't stop the run. */
  readonly isWaitedFor?: () => boolean;
  /** True while no request is open and the next one waits: for a pause that the service asked for, or for the next try. */
  readonly isIdle?: () => boolean;
  /** Called before a record is begun, with the number of its requests. When it returns false, it also aborts the signal. */
  readonly mayBegin?: (requests: number) => boolean;
  /** Called for every record that the log refused, or that could not be sent. */
  readonly onReserve?: () => void;
}
