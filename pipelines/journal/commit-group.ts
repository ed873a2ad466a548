/**
 * Intents and receipts of requests that are under way together, made durable together: to wait for the disk is what a commit
 * costs, and it costs the same for one line and for eight. What was asked for while answers came in is committed once
 * they are all looked at.
 */
import type { JournalDatabase } from "./database.ts";

interface Asked {
  readonly body: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers what is to be durable into one transaction for each turn of the event loop. */
export class CommitGroup {
  readonly #database: JournalDatabase;
  #asked: Asked[] = [];

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  /**
   * Runs a body in a transaction, perhaps with those of others.
   *
   * @returns settles when it is durable
   * @throws what the body throws, which concerns no other body; or what keeps the journal from being written
   */
  add(body: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#asked.push({ body, resolve, reject }) === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits what was asked for so far. */
  flush(): void {
    const asked = this.#asked;
    if (asked.length === 0) return;
    this.#asked = [];
    try {
      this.#transact(asked);
      for (const { resolve } of asked) resolve();
    } catch (error) {
      // One of several is to blame, or the disk: each is told for itself.
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
