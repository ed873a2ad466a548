import { orAborted } from "./or-aborted.ts";

/** Lets callers through one at a time, in the order they came. */
export class Turnstile {
  #last: Promise<void> = Promise.resolve();

  /**
   * Settles when all earlier callers have left.
   *
   * @returns lets the next caller in; safe to call twice
   * @throws the signal's reason when it is aborted during the wait; the other callers keep their order
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    const mine = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => mine.promise);
    try {
      await orAborted(before, signal);
    } catch (error) {
      mine.resolve();
      throw error;
    }
    return mine.resolve;
  }
}
