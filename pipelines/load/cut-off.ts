/**
 * Remembers, for each account and outside every journal, that a run is sending and may be cut off. The service may still carry out requests
 * of that run. Another journal does not know of them, and would send the same records again. So the other journal waits first.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Journal } from "../journal/journal.ts";

/** A run that is sending, or was cut off. */
export interface CutOff {
  /** The journal that knows the requests of the run. */
  readonly journal: string;
  /** The path of that journal, for a message. */
  readonly path: string;
  /** When the run began: milliseconds since 1970, by the wall clock. It is for messages only, and is never used to compute. */
  readonly since: number;
  /** Highest number of requests that may be open at once. */
  readonly inFlight: number;
}

/** The memory of one account: a file beside the account's lock, which only its owner can read. Only the holder of the lock may use it. */
export class AccountMemory {
  readonly #path: string;
  readonly #mine: Omit<CutOff, "since">;
  readonly #now: () => number;
  #isKept = false;

  /** @param path of the file */
  constructor(path: string, mine: Omit<CutOff, "since">, now: () => number) {
    this.#path = path;
    this.#mine = mine;
    this.#now = now;
  }

  /** The run of another journal that was cut off, or that has answers to look up; undefined if there is none. */
  ofAnother(): CutOff | undefined {
    const found = this.#read();
    return found?.journal === this.#mine.journal ? undefined : found;
  }

  /** Writes to the disk that requests are about to leave. */
  sending(): void {
    if (this.#isKept) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const fresh = `${this.#path}.new`;
    rmSync(fresh, { force: true });
    const file = openSync(fresh, "wx", 0o600);
    try {
      writeSync(file, `${JSON.stringify({ ...this.#mine, since: this.#now() })}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, this.#path);
    this.#isKept = true;
  }

  /** Forgets the run, once the outcome of every request of this journal is known. */
  async settle(journal: Journal): Promise<void> {
    if (this.#read()?.journal !== this.#mine.journal) return;
    if ((await journal.doubtful()).length > 0) return;
    rmSync(this.#path, { force: true });
    this.#isKept = false;
  }

  /** Call this after the wait: the log has carried out the other run's requests by now, or never will. */
  forgetAnother(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): CutOff | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      const { journal = "", path = "", since = 0, inFlight = 0 } = JSON.parse(text) as Partial<CutOff>;
      return { journal, path, since, inFlight };
    } catch {
      // A file that can't be read only proves that a run was sending.
      return { journal: "", path: "", since: 0, inFlight: 0 };
    }
  }
}
