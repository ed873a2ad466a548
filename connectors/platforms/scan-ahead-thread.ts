/** The thread that scans device files ahead of their reader. It gets some packed files at a time, and answers with their scans. */
import { hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { crc32, inflateRawSync } from "node:zlib";
import { decodeDeviceFile, sniff } from "../formats/device-file.ts";
import type { DeviceFile } from "../formats/recording.ts";

/** Ends the thread, once it has answered what came before. */
export type End = "end";

/** Files to scan. One that can't be given is undefined. */
export interface Question {
  readonly files: readonly (
    | { readonly packed: Uint8Array<ArrayBuffer>; readonly sizeBytes: number; readonly crc: number }
    | undefined
  )[];
  /** As `decodeDeviceFile` has it. */
  readonly maxBytes: number;
}

/**
 * The scan of each file, and the SHA-256 of its content as a binary string. Undefined for a file whose content is damaged or in another format: its
 * reader looks at it once more, and says what is wrong.
 */
export type Answer = readonly ({ readonly file: DeviceFile; readonly digest: string } | undefined)[];

parentPort?.on("message", (question: Question | End) => {
  if (question === "end") return parentPort?.close();
  const { files, maxBytes } = question;
  return parentPort?.postMessage(files.map((file) => file && scan(file, maxBytes)) satisfies Answer);
});

function scan({ packed, sizeBytes, crc }: NonNullable<Question["files"][number]>, maxBytes: number): Answer[number] {
  const bytes = inflated(packed, sizeBytes);
  free(packed);
  if (bytes?.length !== sizeBytes || crc32(bytes) !== crc) return undefined;
  const format = sniff(bytes);
  if (format !== "fit" && format !== "gpx" && format !== "tcx") return undefined;
  const answer = { file: decodeDeviceFile(bytes, "scan", maxBytes), digest: hash("sha256", bytes, "binary") };
  free(bytes);
  return answer;
}

function inflated(packed: Uint8Array, sizeBytes: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    // With a byte to spare, zlib asks for no second buffer.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes), chunkSize: Math.max(64, sizeBytes + 1) });
  } catch {
    return undefined;
  }
}

/** Gives memory back at once, unless others share the buffer. 100 MB would wait for the collector, because the heap beside them is small. */
function free({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength <= byteLength + 1) buffer.transfer(0);
}
