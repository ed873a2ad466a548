/**
 * Reads the recordings from the bytes of an upload, or gives the reason why it can't. A usual file is scanned at once, a big one in a
 * thread of its own.
 */

import { extname } from "node:path";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import type { DeviceFile, DeviceFormat, Recording } from "../../connectors/formats/recording.ts";
import { quoted, Refusal } from "../http/refusals.ts";
import { TooCostly, WorkerThread } from "./worker-thread.ts";

/** A scan of a file up to this size takes less than 20 ms, so others don't wait long. */
const BYTES_AT_ONCE = 512 * 1024;

/**
 * The recordings of a file, without their points: a workout needs only a summary. From a damaged file the readable recordings are taken.
 * A sound file without any activity has none.
 * @throws Refusal `bad-file` when nothing in the file can be used, or it is not of this format
 */
export async function decodeUpload(bytes: Uint8Array, format: DeviceFormat): Promise<readonly Recording[]> {
  return (await scanned(bytes, format)).recordings;
}

/**
 * The file at the depth of planning: all counts, without points.
 * @throws Refusal `bad-file` when it is of another format, or nothing in it can be used
 */
export async function scanned(bytes: Uint8Array, format: DeviceFormat): Promise<DeviceFile> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw new Refusal("bad-file", "body: is compressed with gzip; say so with Content-Encoding: gzip");
  }
  const file = bytes.length <= BYTES_AT_ONCE ? decodeDeviceFile(bytes, "scan") : await scanInThread(bytes);
  const problem = file.issues.find((issue) => issue.severity === "error");
  if (file.recordings.length === 0 && file.routes.length === 0 && problem !== undefined) {
    const found = problem.found === undefined ? "" : `, found ${quoted(problem.found)}`;
    const expected = problem.expected === undefined ? "" : `, expected ${problem.expected}`;
    throw new Refusal("bad-file", `body: ${problem.rule}${found}${expected}`);
  }
  if (file.format !== format) throw new Refusal("bad-file", `body: this is a ${file.format} file, not ${format}`);
  return file;
}

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
