/**
 * Waits until the disk has the write-ahead log of a journal, while the process goes on. SQLite itself would stand still meanwhile: with
 * `synchronous=FULL`, a commit returns when the disk has it.
 *
 * With `synchronous=NORMAL` a commit is in the file of the log, and after one `fdatasync` it is on the disk, with all commits before it. What a
 * checkpoint has moved into the database by then, SQLite has synced itself. Source: https://sqlite.org/pragma.html#pragma_synchronous
 */
import { closeSync, fdatasync, openSync } from "node:fs";

/** The write-ahead log of an open journal. */
export class WriteAheadLog {
  readonly #path: string;
  readonly #syncFile: typeof fdatasync;
  #file: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failed: unknown;

  /**
   * @param path of the log: `journal.db-wal`. It must be there at the first `sync`
   * @param syncFile only a test has another one
   */
  constructor(path: string, syncFile: typeof fdatasync = fdatasync) {
    this.#path = path;
    this.#syncFile = syncFile;
  }

  /**
   * Waits for the disk. Calls at the same time share a wait.
   *
   * @returns settles when the disk has everything that was committed before the call. It rejects with the error of the system. Each later call does
   *   so, too: after an error, a system may say that all is well, though the disk lacks what was written before
   */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    // The one that is running may have begun before the latest commit. All that ask meanwhile share the next one.
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  /** Waits for what is running, and closes the file. */
  async close(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#wait().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #wait(): Promise<void> {
    if (this.#failed !== undefined) throw this.#failed;
    try {
      // For writing, because Windows syncs no file that is only read.
      this.#file ??= openSync(this.#path, "r+");
      const file = this.#file;
      await new Promise<void>((resolve, reject) => {
        this.#syncFile(file, (error) => (error === null ? resolve() : reject(error)));
      });
    } catch (error) {
      this.#failed = error;
      throw error;
    }
  }
}
