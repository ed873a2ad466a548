/**
 * What becomes of records when the request for them goes wrong: refused, in doubt, or planned as before; and when that stops a run.
 */
import { FatalError, ItemError, RetryableError, UnknownOutcomeError } from "../../connectors/errors.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import type { LoadContext } from "./load-context.ts";
import { refusal } from "./refusal.ts";

/** This many lost answers one after the other, and the service is not well: stop, resumable. */
const LOST_ANSWERS_TO_STOP = 5;

/** A read that failed as often as it may be tried: of one record, that is no reason to stop for all the others. */
const FAILED_READ = /^api\/(http-5\d\d|unreadable|answer-lost)$/;

/** Guards the requests of a round, and remembers how many answers were lost. */
export class Guard {
  /** Answers lost in this round. */
  lostAnswers = 0;
  readonly #startedAt: number;
  /** By the monotonic clock, when an answer was lost last. */
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

  /** For how long it has been there, in milliseconds. */
  ageMs(): number {
    return this.#monotonic() - this.#startedAt;
  }

  /** For how long no answer was lost. The wall clock may be set meanwhile; this one can't. */
  quietMs(): number {
    return this.#monotonic() - this.#lostAt;
  }

  /** To be told of an answer that was lost, or that proves nothing. */
  answerLost(): void {
    this.lostAnswers++;
    this.#lostAt = this.#monotonic();
  }

  /** To be told of an answer that came: the service is well. */
  answered(): void {
    this.#lostInARow = 0;
  }

  /**
   * Runs an action and puts its lines where its error says.
   *
   * @throws FatalError that stops the run; whatever is neither about one record nor about one answer
   */
  async run(lines: readonly Line[], action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const open = await this.#stillInFlight(lines);
      if (error instanceof ItemError) return this.#refuse(open, error);
      if (error instanceof UnknownOutcomeError) return this.#doubt(open, error);
      if (error instanceof RetryableError) return this.#putOff(open, error);
      if (error instanceof FatalError) await this.#giveUp(open, error);
      throw error;
    }
  }

  /** Reads a source file; a file that changed or can't be read fails its lines and nothing else. */
  async read<T>(lines: readonly Line[], read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
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
      // What has an id is only ever written over, and that can be repeated.
      await this.#context.journal.receive(line, line.remoteId === undefined ? "in-doubt" : "planned", {
        reason: error.message,
        intendedAt: this.#context.now(),
      });
    }
    // Stopped by a person, not by the service: nothing is wrong with it.
    if (this.#context.signal.aborted) return;
    if (++this.#lostInARow < LOST_ANSWERS_TO_STOP || this.#context.isWaitedFor?.() === true) return;
    throw new FatalError(
      "load/answers-lost",
      "service",
      `Stopped: ${this.#lostInARow} answers of the service were lost one after the other (the last: ${error.message}). Run the same command again later: nothing is repeated.`,
      { cause: error },
    );
  }

  async #putOff(open: readonly Line[], error: RetryableError): Promise<void> {
    for (const line of open) await this.#context.journal.receive(line, "planned", { reason: error.message });
    if (this.#context.signal.aborted) return;
    if (FAILED_READ.test(error.code) && ++this.#lostInARow < LOST_ANSWERS_TO_STOP) return;
    throw new FatalError(
      "load/service-unwell",
      "service",
      `Stopped: ${error.message}. Run the same command again later: nothing is repeated.`,
      { cause: error },
    );
  }

  /**
   * A refused token did nothing; a service that turned out to be another one may have: a redirect can follow the deed. Where the journal
   * itself fails, the line stays in flight, to be looked up.
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
