/**
 * Decides the outcome of records when their request goes wrong: refused, in doubt, or planned as before. It also decides when to stop the
 * run.
 */

import { FatalError, ItemError, RetryableError, saysGone, UnknownOutcomeError } from "../../connectors/errors.ts";
import { asSentence } from "../../transforms/text/sentence.ts";
import type { Line, LineState } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { LOG_CHANGED } from "./check-assumptions.ts";
import type { LoadContext } from "./load-context.ts";

/** After this many lost answers in a row, the service has a problem. The run stops and can be resumed. */
const LOST_ANSWERS_TO_STOP = 5;

/** A read that failed up to the retry limit. If it concerns one record only, the others can go on. */
const FAILED_READ = /^api\/(http-5\d\d|unreadable|answer-lost)$/;

/** Answers that came, and that no training log gives. A later try doesn't help: the address is wrong, or the service is broken. */
const BROKEN_ANSWER = /^api\/(unreadable|no-id)$/;

/** Guards the requests of a round, and remembers how many answers were lost. */
export class Guard {
  #lostAnswers = 0;
  #putOffCount = 0;
  readonly #startedAt: number;
  /** When an answer was last lost, by the monotonic clock. */
  #lostAt: number;
  #lostInARow = 0;
  readonly #run: Run;
  readonly #context: LoadContext;
  readonly #monotonic: () => number;

  constructor(run: Run, context: LoadContext) {
    this.#run = run;
    this.#context = context;
    this.#monotonic = context.monotonic ?? (() => performance.now());
    this.#startedAt = this.#monotonic();
    this.#lostAt = this.#startedAt;
  }

  /** Answers lost in this round. */
  get lostAnswers(): number {
    return this.#lostAnswers;
  }

  /** Records of this round that are planned again, because something about them could not be read. */
  get putOff(): number {
    return this.#putOffCount;
  }

  /** Call this before each round. */
  beginRound(): void {
    this.#lostAnswers = 0;
    this.#putOffCount = 0;
  }

  /** Milliseconds since this guard was made. */
  ageMs(): number {
    return this.#monotonic() - this.#startedAt;
  }

  /** Milliseconds since an answer was last lost. The monotonic clock measures them, because people can set the wall clock meanwhile. */
  quietMs(): number {
    return this.#monotonic() - this.#lostAt;
  }

  /** Call this when an answer was lost, or proves nothing. */
  answerLost(): void {
    this.#lostAnswers++;
    this.#lostAt = this.#monotonic();
  }

  /** Call this when an answer came, which shows that the service works. */
  answered(): void {
    this.#lostInARow = 0;
  }

  /**
   * Runs an action. If it fails, sets the state of its lines according to the error.
   *
   * @throws FatalError that stops the run, and any error that is about more than one record or one answer
   */
  async run(lines: readonly Line[], action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const open = await this.#stillInFlight(lines);
      if (error instanceof ItemError) return this.#refuse(open, error);
      if (error instanceof UnknownOutcomeError) return this.#doubt(open, error);
      if (error instanceof RetryableError) return this.#putOff(open, error);
      if (this.#isStop(error)) return this.#planAgain(open, "stopped before it was sent");
      if (error instanceof FatalError) await this.#giveUp(open, error);
      throw error;
    }
  }

  /** Reads a source file. If the file changed or can't be read, only its own lines fail. After a stop they stay planned. */
  async read<T>(lines: readonly Line[], read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (this.#isStop(error)) return undefined;
      if (!(error instanceof ItemError)) throw error;
      for (const line of lines) {
        await this.#context.journal.patchLine(line.run, line.seq, {
          state: "failed",
          reason: `${error.code}: ${error.message}`,
        });
        this.#context.onReserve?.();
      }
      return undefined;
    }
  }

  /** Whether a stop ended the reading of a source file. A request that is stopped says so as a TransferError. */
  #isStop(error: unknown): boolean {
    const { signal } = this.#context;
    return signal.aborted && error === signal.reason;
  }

  async #planAgain(open: readonly Line[], reason: string): Promise<void> {
    for (const line of open) await this.#context.journal.receive(line, "planned", { reason });
  }

  async #refuse(open: readonly Line[], error: ItemError): Promise<void> {
    for (const line of open) {
      await this.#context.journal.receive(line, ...refusal(line, error, this.#run));
      this.#context.onReserve?.();
    }
    this.answered();
  }

  async #doubt(open: readonly Line[], error: UnknownOutcomeError): Promise<void> {
    this.answerLost();
    for (const line of open) {
      // A line with an id is only overwritten, and this can safely be repeated.
      await this.#context.journal.receive(line, line.remoteId === undefined ? "in-doubt" : "planned", {
        reason: error.message,
        intendedAt: this.#context.now(),
      });
    }
    // A person stopped the run, so the service has no problem.
    if (this.#context.signal.aborted) return;
    if (++this.#lostInARow < LOST_ANSWERS_TO_STOP || this.#context.isWaitedFor?.() === true) return;
    throw new FatalError(
      BROKEN_ANSWER.test(error.code) ? "load/answers-unreadable" : "load/answers-lost",
      "service",
      `Stopped: ${this.#lostInARow} answers of the service were lost one after the other (the last: ${error.message}). Run the same command again later: nothing is repeated.`,
      { cause: error },
    );
  }

  async #putOff(open: readonly Line[], error: RetryableError): Promise<void> {
    await this.#planAgain(open, error.message);
    this.#putOffCount += open.length;
    if (this.#context.signal.aborted) return;
    if (FAILED_READ.test(error.code) && ++this.#lostInARow < LOST_ANSWERS_TO_STOP) return;
    throw new FatalError(
      BROKEN_ANSWER.test(error.code) ? "load/answers-unreadable" : "load/service-unwell",
      "service",
      `Stopped: ${asSentence(error.message)} Run the same command again later: nothing is repeated.`,
      { cause: error },
    );
  }

  /**
   * Sets the state of open lines when the run must stop. If the service refused the token, it did nothing. If it turned out to be another
   * service, it may have acted: a redirect can come after the write. If the journal itself fails, the lines stay in flight and are looked
   * up later.
   */
  async #giveUp(open: readonly Line[], error: FatalError): Promise<void> {
    if (error.reason === "journal") return;
    for (const line of open) {
      const mayBeDone = error.reason === "service" && line.remoteId === undefined;
      await this.#context.journal.receive(line, mayBeDone ? "in-doubt" : "planned", { reason: error.message });
    }
  }

  async #stillInFlight(lines: readonly Line[]): Promise<readonly Line[]> {
    const open: Line[] = [];
    for (const line of lines) {
      const now = await this.#context.journal.line(line.run, line.seq);
      if (now?.state === "in-flight") open.push(now);
    }
    return open;
  }
}

// Words the journal's entry for a record that the log refused: the reason, the values that the log holds all the same, and the command to
// type.

/**
 * The new state of a line that the log refused. If the line's record is gone, the plan was made for another state of the log.
 *
 * @returns the state, and the patch with the reason
 */
function refusal(line: Line, error: ItemError, run: Run): readonly [LineState, { readonly reason: string }] {
  const { remoteId } = line;
  if (saysGone(error) && remoteId !== undefined)
    return ["failed", { reason: `${LOG_CHANGED}: ${remoteId} is no longer in the log. Plan again` }];
  return ["refused", { reason: `${error.code}: ${error.message}${whatStands(line, run)}` }];
}

/**
 * Says that the existing record is still in the log, although the log refused new values. A run that restores a snapshot is not retried.
 */
function whatStands({ action, uploadMethod, remoteId }: Line, { options }: Run): string {
  if (remoteId === undefined) return "";
  const isImported = action === "create" && uploadMethod === "import";
  const how = isImported
    ? ", with the values that the log made of the device file: its date and time may be hours off"
    : "";
  const next = options.restores === undefined ? ". Once the cause is mended: logferry retry" : "";
  return `. The log holds the record as ${remoteId}${how}${next}`;
}
