/** Counts the tasks of a pacing that have begun. */
export class RunningTasks {
  #running = 0;
  #started = 0;

  /** Tasks under way. */
  get running(): number {
    return this.#running;
  }

  /** Tasks so far, also those that ended or failed. */
  get started(): number {
    return this.#started;
  }

  /** Runs a task, and counts it. @returns its result @throws its error */
  async run<T>(task: () => Promise<T>): Promise<T> {
    this.#started++;
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
    }
  }
}
