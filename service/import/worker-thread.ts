/**
 * Work in a thread of its own, so that one sender's 60 MiB don't stop everybody else. One thread, one piece of work at a time:
 * that bounds the memory too. It is started by the first piece (its start costs as much as scanning 10 MiB) and kept.
 */
import { Worker } from "node:worker_threads";

/** The work took more than it may. The next piece gets a fresh thread. */
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
   * @param script what the thread runs
   * @param memoryMb what the thread's heap may grow to
   */
  constructor(script: URL, memoryMb: number) {
    this.#script = script;
    this.#memoryMb = memoryMb;
  }

  /**
   * The thread's answer, once the pieces of work before it are done.
   *
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
        // Its own errors after this are of no interest, and an error without a listener would end the process.
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
    // An idle thread doesn't keep the process alive; a request in flight does, by its socket.
    worker.unref();
    worker.once("exit", () => {
      if (this.#thread === worker) this.#thread = undefined;
    });
    return worker;
  }
}
