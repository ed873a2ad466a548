/**
 * Scans the device files of a large archive in a second thread, a few files ahead of their reader. The thread unpacks, checks, hashes and scans. The
 * reader decides about each file and writes the journal meanwhile.
 */
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Issue } from "../../transforms/model/issue.ts";
import type { Archive, Entry, PackedEntry } from "../containers/archive.ts";
import { toHex } from "../containers/read-hashes.ts";
import type { Answer, End, Question } from "./scan-ahead-thread.ts";
import { issueOf, type Scanned, scanFile } from "./scan-file.ts";

/** A start of the thread takes as long as scanning some hundred files. */
const LEAST_BYTES = 16 * 2 ** 20;

/** Unpacked bytes that are scanned ahead. They bound the memory, whatever the archive holds. */
const AHEAD_BYTES = 4 * 2 ** 20;

/** Files in one message, because each message costs as much as deciding about a file. */
const TOGETHER = 8;

const isEnough = (bytes: number) => bytes >= LEAST_BYTES && availableParallelism() > 1;

/** A file that is being scanned. */
interface Ahead {
  readonly packed: PackedEntry | undefined;
  readonly scanned: Answer[number];
}

const NOT_SCANNED: Ahead = { packed: undefined, scanned: undefined };

/** Scans files in the order in which their reader asks for them. */
export class ScanAhead {
  readonly #archive: Archive;
  readonly #entries: Iterator<Entry> | undefined;
  readonly #ahead = new Map<string, Promise<Ahead>>();
  #aheadBytes = 0;
  #thread: Thread | undefined;
  #isOver = false;

  /**
   * @param entries gives the files that the reader will ask for, in its order. It may be called twice
   * @param isWorth whether a thread is worth its start for so many unpacked bytes; by default, by their number and the cores of the computer
   */
  constructor(archive: Archive, entries: () => IteratorObject<Entry>, isWorth: (bytes: number) => boolean = isEnough) {
    this.#archive = archive;
    if (archive.packed === undefined) return;
    const bytes = entries().reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
    if (isWorth(bytes)) this.#entries = entries();
  }

  /** As `scanFile`. A file that the thread can't scan is read here, so that its problems are told in one way. */
  async scan(entry: Entry): Promise<Scanned | Issue> {
    this.#fill();
    const found = this.#ahead.get(entry.path);
    if (found === undefined) return scanFile(this.#archive, entry);
    const { packed, scanned } = await found;
    this.#ahead.delete(entry.path);
    this.#aheadBytes -= entry.sizeBytes ?? 0;
    this.#fill();
    if (packed === undefined || scanned === undefined) return scanFile(this.#archive, entry);
    try {
      packed.accept(scanned.digest);
    } catch (error) {
      return issueOf(error);
    }
    return { file: scanned.file, sha256: toHex(scanned.digest) };
  }

  /** Ends the thread. Afterwards nothing reads the archive any more, so it can be closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#thread?.close();
    await Promise.allSettled(this.#ahead.values());
  }

  #fill(): void {
    while (this.#entries !== undefined && this.#aheadBytes < AHEAD_BYTES) {
      const entries: Entry[] = [];
      while (entries.length < TOGETHER && this.#aheadBytes < AHEAD_BYTES) {
        const { value, done } = this.#entries.next();
        if (done) break;
        entries.push(value);
        this.#aheadBytes += value.sizeBytes ?? 0;
      }
      if (entries.length === 0) return;
      const answers = this.#send(entries);
      for (const [index, { path }] of entries.entries()) {
        const scanned = answers.then((all) => all[index] ?? NOT_SCANNED);
        // A reader that leaves early doesn't ask for it.
        scanned.catch(() => undefined);
        this.#ahead.set(path, scanned);
      }
    }
  }

  async #send(entries: readonly Entry[]): Promise<readonly Ahead[]> {
    const packed: (PackedEntry | undefined)[] = [];
    for (const entry of entries) {
      if (this.#isOver) return [];
      // The reader meets the error when it reads the file itself.
      packed.push(await this.#archive.packed?.(entry).catch(() => undefined));
    }
    if (this.#isOver) return [];
    this.#thread ??= new Thread();
    const { entryBytes } = this.#archive.allowance.limits;
    const files = packed.map((one) => one && { packed: one.bytes, sizeBytes: one.sizeBytes, crc: one.crc });
    const answer = await this.#thread.ask({ files, maxBytes: entryBytes });
    return packed.map((one, index) => ({ packed: one, scanned: answer[index] }));
  }
}

/** The thread. It answers the messages in their order. */
class Thread {
  readonly #worker = new Worker(new URL(`scan-ahead-thread${extname(import.meta.url)}`, import.meta.url));
  readonly #waiting: ((answer: Answer) => void)[] = [];
  #isOver = false;

  constructor() {
    this.#worker.on("message", (answer: Answer) => this.#waiting.shift()?.(answer));
    // Without the thread, every file is scanned by its reader.
    const end = () => {
      this.#isOver = true;
      for (const give of this.#waiting.splice(0)) give([]);
    };
    this.#worker.on("error", end);
    this.#worker.on("exit", end);
  }

  ask(question: Question): Promise<Answer> {
    if (this.#isOver) return Promise.resolve([]);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.push(resolve);
    const owned = question.files.flatMap((file) => (file === undefined ? [] : [file.packed.buffer]));
    this.#worker.postMessage(question, owned);
    return promise;
  }

  /**
   * Lets the thread end by itself. Node ended by an assertion (`BaseObjectList::Cleanup`, 24.21) when a thread was terminated amid its work, and took
   * the process along.
   */
  async close(): Promise<void> {
    if (this.#isOver) return;
    // An error of the thread is none of the plan, and its exit comes after it.
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#worker.once("exit", () => resolve());
    this.#worker.postMessage("end" satisfies End);
    await ended;
  }
}
