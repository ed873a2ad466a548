/**
 * Scanning in a thread of its own, so that one sender's 60 MiB don't stop everybody else. One thread, one file at a time:
 * that bounds the memory too. It is started by the first big file (its start costs as much as scanning 10 MiB) and kept.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { DeviceFile } from "../../connectors/formats/recording.ts";
import { Refusal } from "../refusals.ts";

/** What one file may cost. 64 MiB of GPX take a few seconds. */
const TIMEOUT_MS = 30_000;
const MEMORY_MB = 512;

let thread: Worker | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * The file at depth `scan`, once the files before it are done.
 *
 * @throws Refusal `bad-file` when it takes too long or too much memory; the next file gets a fresh thread
 */
export function scanAside(bytes: Uint8Array, timeoutMs: number = TIMEOUT_MS): Promise<DeviceFile> {
  const mine = turn.then(() => scanNow(bytes, timeoutMs));
  turn = mine.catch(() => undefined);
  return mine;
}

function scanNow(bytes: Uint8Array, timeoutMs: number): Promise<DeviceFile> {
  thread ??= startThread();
  const worker = thread;
  return new Promise<DeviceFile>((resolve, reject) => {
    const timer = setTimeout(() => {
      fail(new Refusal("bad-file", `body: can't be read within ${timeoutMs / 1000} seconds`));
    }, timeoutMs);
    const succeed = (file: DeviceFile) => {
      leave();
      resolve(file);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      leave();
      thread = undefined;
      // Its own errors after this are of no interest, and an error without a listener would end the process.
      worker.on("error", () => undefined);
      void worker.terminate();
      const isTooMuch = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isTooMuch ? new Refusal("bad-file", "body: takes too much memory to read") : error);
    };
    const leave = () => {
      clearTimeout(timer);
      worker.off("message", succeed);
      worker.off("error", fail);
      worker.off("exit", end);
    };
    const end = () => fail(new Error("Cannot scan a file: the thread ended without an answer"));
    worker.on("message", succeed);
    worker.on("error", fail);
    worker.on("exit", end);
    worker.postMessage(bytes);
  });
}

function startThread(): Worker {
  // The same extension as this file: `.ts` here, `.js` once built.
  const script = new URL(`scan-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  // An idle thread doesn't keep the process alive; a request in flight does, by its socket.
  worker.unref();
  worker.once("exit", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}
