/**
 * What an account remembers outside every journal: that a run is sending, and may be cut off. A service may still do what the run sent,
 * and a journal that knows nothing of it would send the same once more. So another journal waits first.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Journal } from "../journal/journal.ts";

/** A run that sends, or was cut off. */
export interface CutOff {
  /** Which journal knows what was sent. */
  readonly journal: string;
  /** Where it lay, for a message. */
  readonly path: string;
  /** When the run began: milliseconds since 1970, by the clock on the wall. For a message: nothing is reckoned with it. */
  readonly since: number;
  /** Requests that may be under way at once. */
  readonly inFlight: number;
}

/** The memory of one account: a file that its owner alone can read, beside the account's lock, whose holder alone may use it. */
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

  /** The run of another journal that was cut off, or whose answers are not all looked up; undefined where there is none. */
  ofAnother(): CutOff | undefined {
    const found = this.#read();
    return found?.journal === this.#mine.journal ? undefined : found;
  }

  /** Keeps, on the disk, that requests are about to leave. */
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

  /** Forgets it, where everything that this journal sent is known to be done or not. */
  async settle(journal: Journal): Promise<void> {
    if (this.#read()?.journal !== this.#mine.journal) return;
    if ((await journal.doubtful()).length > 0) return;
    rmSync(this.#path, { force: true });
    this.#isKept = false;
  }

  /** After the wait: whatever another run had sent is in the log by now, or never will be. */
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
      // A file that can't be read says that something was under way, and no more.
      return { journal: "", path: "", since: 0, inFlight: 0 };
    }
  }
}
