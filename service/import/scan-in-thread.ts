/** Scans files in a separate thread: see `worker-thread.ts`. */
import { extname } from "node:path";
import type { DeviceFile } from "../../connectors/formats/recording.ts";
import { Refusal } from "../http/refusals.ts";
import { TooCostly, WorkerThread } from "./worker-thread.ts";

/** Time limit for one file. 64 MiB of GPX take a few seconds. */
const TIMEOUT_MS = 30_000;
const MEMORY_MB = 512;

// The same extension as this file: `.ts` here, `.js` once built.
const thread = new WorkerThread<Uint8Array, DeviceFile>(
  new URL(`scan-worker${extname(import.meta.url)}`, import.meta.url),
  MEMORY_MB,
);

/**
 * Scans the file at depth `scan`, once the files before it are done.
 * @throws Refusal `bad-file` when it takes too long or too much memory. The next file gets a fresh thread
 */
export async function scanInThread(bytes: Uint8Array, timeoutMs: number = TIMEOUT_MS): Promise<DeviceFile> {
  try {
    return await thread.ask(bytes, timeoutMs);
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    const problem =
      error.what === "time" ? `can't be read within ${timeoutMs / 1000} seconds` : "takes too much memory to read";
    throw new Refusal("bad-file", `body: ${problem}`);
  }
}
