/**
 * From the bytes of an upload to its recordings, or the reason why not. A usual file is scanned at once, a big one
 * in a thread of its own.
 */
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import type { DeviceFile, DeviceFormat, Recording } from "../../connectors/formats/recording.ts";
import { quoted, Refusal } from "../http/refusals.ts";
import { scanInThread } from "./scan-in-thread.ts";

/** Up to here a scan takes less than 20 ms: nobody waits long for it. */
const BYTES_AT_ONCE = 512 * 1024;

/**
 * The recordings of a file, without their points: a summary is all a workout needs. What a damaged file still holds is
 * taken; a sound file without any activity has none.
 *
 * @throws Refusal `bad-file` when nothing in the file can be used, or it is not of this format
 */
export async function decodeUpload(bytes: Uint8Array, format: DeviceFormat): Promise<readonly Recording[]> {
  return (await scanned(bytes, format)).recordings;
}

/**
 * The file at the depth of planning: every count, no point.
 *
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
