/**
 * What loading needs besides the run: the journal, the log, and what stands around them.
 */
import type { Sink } from "../../connectors/sink.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Kind } from "../../transforms/model/item.ts";
import type { Journal } from "../journal/journal.ts";
import type { Encode } from "../plan/encode.ts";
import type { SourceFiles } from "../sources/source-files.ts";
import type { MayBeSent } from "./look-ahead.ts";

/** What loading needs besides the run. */
export interface LoadContext {
  readonly journal: Journal;
  readonly sink: Sink;
  /** Bytes of the device files and course maps, from the sources. */
  readonly files: SourceFiles;
  /** A value as the log's save body. */
  readonly encode: Encode;
  /** Settles what is in doubt, given for how many milliseconds no answer was lost (see `settle`). @returns how many lines still are */
  readonly settle: (signal: AbortSignal, quietMs: number) => Promise<number>;
  /** Compares the log with what the plan assumes of some kinds; left out where the plan was made just now. */
  readonly check?: (kinds: readonly Kind[], signal: AbortSignal) => Promise<void>;
  /**
   * Tells workouts that may be sent before the whole log was listed from those that wait for it (see `lookAhead`). Left out, it is
   * listed first, and lost answers are settled first.
   *
   * @param inDoubt workouts whose answers were lost before
   * @throws what reading the listing throws
   */
  readonly lookAhead?: (inDoubt: number, signal: AbortSignal) => Promise<MayBeSent | undefined>;
  /** As of `SettleContext`: what was lost before is settled when so much time has passed. */
  readonly settleMs?: number;
  readonly report: (issue: Issue) => Promise<void>;
  readonly onProgress: (done: number, waiting?: string) => void;
  readonly now: () => number;
  /** Milliseconds by a clock that nobody sets; the system's where left out. */
  readonly monotonic?: () => number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** True while the connection holds requests back until a service that fails is well: lost answers are then no reason to stop. */
  readonly isWaitedFor?: () => boolean;
  /** True while no request is under way, and the next one waits: for a service that asked for a pause, or until it is asked again. */
  readonly isIdle?: () => boolean;
  /** Asked before a record is begun that takes so many requests. When it says no, it also aborts the signal. */
  readonly mayBegin?: (requests: number) => boolean;
  /** Told of every record that the log refused, or that could not be sent. */
  readonly onReserve?: () => void;
}
