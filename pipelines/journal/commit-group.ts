/**
 * Makes the intents and receipts of several open requests durable together. A commit costs a wait for the disk, which is the same for one
 * line and for eight. So logferry first handles all answers that have arrived, and then commits their writes together.
 */
import type { JournalDatabase } from "./database.ts";

interface Asked {
  readonly body: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Collects writes into one transaction for each turn of the event loop. */
export class CommitGroup {
  readonly #database: JournalDatabase;
  #asked: Asked[] = [];

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  /**
   * Runs a body in a transaction, which may contain other bodies too.
   *
   * @returns settles when the writes are durable
   * @throws the error of this body, without effect on the others; or the error that prevents writing to the journal
   */
  add(body: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#asked.push({ body, resolve, reject }) === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits all bodies so far. */
  flush(): void {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    try {
      this.#transact(asked);
      for (const { resolve } of asked) resolve();
    } catch (error) {
      // One of several bodies failed, or the disk did. Each body is committed alone, so that each caller gets its own result.
      if (asked.length === 1) asked[0]?.reject(error);
      else for (const one of asked) this.#commitAlone(one);
    }
  }

  #commitAlone(one: Asked): void {
    try {
      this.#transact([one]);
      one.resolve();
    } catch (error) {
      one.reject(error);
    }
  }

  #transact(asked: readonly Asked[]): void {
    this.#database.commit();
    this.#database.transaction(() => {
      for (const { body } of asked) body();
    });
  }
}
