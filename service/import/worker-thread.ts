/**
 * Runs work in a separate thread, so that one sender's 60 MiB don't stop all other senders. There is one thread, and it does one job at a
 * time. That bounds the memory too. The first job starts the thread, and the service keeps it: a start costs as much as scanning 10 MiB.
 */
import { Worker } from "node:worker_threads";

/** The work took more than its limit of time or memory. The next job gets a fresh thread. */
export class TooCostly extends Error {
  override readonly name = "TooCostly";
  readonly what: "time" | "memory";

  constructor(what: "time" | "memory") {
    super(`Cannot finish a piece of work: it takes too much ${what}`);
    this.what = what;
  }
}

/** A thread that answers each message with one of its own. */
export class WorkerThread<In, Out> {
  readonly #script: URL;
  readonly #memoryMb: number;
  #thread: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param script the code that the thread runs
   * @param memoryMb the most that the thread's heap may grow to
   */
  constructor(script: URL, memoryMb: number) {
    this.#script = script;
    this.#memoryMb = memoryMb;
  }

  /**
   * The thread's answer, once the jobs before it are done.
   * @throws TooCostly when it takes more than `timeoutMs` or too much memory
   */
  ask(work: In, timeoutMs: number): Promise<Out> {
    const mine = this.#turn.then(() => this.#askNow(work, timeoutMs));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  #askNow(work: In, timeoutMs: number): Promise<Out> {
    this.#thread ??= this.#start();
    const worker = this.#thread;
    return new Promise<Out>((resolve, reject) => {
      const timer = setTimeout(() => fail(new TooCostly("time")), timeoutMs);
      const succeed = (answer: Out) => {
        leave();
        resolve(answer);
      };
      const fail = (error: NodeJS.ErrnoException) => {
        leave();
        this.#thread = undefined;
        // The thread's later errors don't matter. But an error without a listener would end the process.
        worker.on("error", () => undefined);
        void worker.terminate();
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TooCostly("memory") : error);
      };
      const leave = () => {
        clearTimeout(timer);
        worker.off("message", succeed);
        worker.off("error", fail);
        worker.off("exit", end);
      };
      const end = () => fail(new Error("Cannot finish a piece of work: the thread ended without an answer"));
      worker.on("message", succeed);
      worker.on("error", fail);
      worker.on("exit", end);
      worker.postMessage(work);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb } });
    // An idle thread doesn't keep the process alive. A request in flight does, by its socket.
    worker.unref();
    worker.once("exit", () => {
      if (this.#thread === worker) this.#thread = undefined;
    });
    return worker;
  }
}
