/** Work that keeps the only thread busy, one part in each turn of the event loop. */

/** The callers go one after the other. Between two of them the service answers every request that has arrived meanwhile. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a turn of the event loop that belongs to this caller alone. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
