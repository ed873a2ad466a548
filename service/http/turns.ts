/** Work that keeps the only thread busy, one piece a turn of the event loop. */

/** Whoever is waiting goes one after the other; between two of them every request that has arrived meanwhile is answered. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn, in a turn of the event loop that no other caller has. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
