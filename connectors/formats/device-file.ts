/**
 * Decodes any device file. The first bytes show the format. The name can be wrong (a FIT file called .tcx, gzip called .fit).
 */

import type { Issue } from "../../transforms/model/issue.ts";
import { decodeFit } from "./fit/decode.ts";
import { FIT_CAPS } from "./fit/structure.ts";
import { decodeGpx, streamGpx } from "./gpx/decode.ts";
import { GzipError, ungzip } from "./gzip.ts";
import type { Depth, DeviceFile } from "./recording.ts";
import { looksLike, sniff } from "./sniff.ts";
import { decodeTcx, streamTcx } from "./tcx/decode.ts";

export { sniff } from "./sniff.ts";

/** Bytes of a file held in memory, unpacked. Streamed XML has no such bound. */
export const DEVICE_FILE_BYTES = 64 * 2 ** 20;

/**
 * Decodes a whole file. Up to two layers of gzip are taken off, because some platforms pack a packed file again. If the gzip is
 * cut, the readable part is used, and an issue reports it.
 *
 * @param bytes the file, packed or not
 * @param maxBytes most bytes of it, unpacked
 * @returns never throws. A file in another format has an error `device-file/unknown-format` that says what the file looks
 *   like. KML has its own decoder, `decodeKml`.
 */
export function decodeDeviceFile(bytes: Uint8Array, depth: Depth, maxBytes = DEVICE_FILE_BYTES): DeviceFile {
  const unpacked = unpack(bytes, maxBytes);
  if ("rule" in unpacked) return unusable(unpacked);
  const file = decode(unpacked.bytes, depth, maxBytes);
  return unpacked.issues.length === 0 ? file : { ...file, issues: [...unpacked.issues, ...file.issues] };
}

/**
 * Decodes a file from a stream. GPX and TCX are decoded chunk by chunk. Other files are collected first, up to
 * `DEVICE_FILE_BYTES`. Errors of the stream itself are thrown through.
 */
export async function streamDeviceFile(chunks: AsyncIterable<Uint8Array>, depth: Depth): Promise<DeviceFile> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await headOf(iterator);
  const rest = continued(head, iterator);
  const format = sniff(head);
  if (format === "gpx") return streamGpx(rest, depth);
  if (format === "tcx") return streamTcx(rest, depth);
  if (format !== "fit" && format !== "gzip") {
    await iterator.return?.();
    return unusable(unknownFormat(head));
  }
  const gathered: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of rest) {
    gathered.push(chunk);
    size += chunk.length;
    if (size > DEVICE_FILE_BYTES) return unusable(tooLarge(DEVICE_FILE_BYTES));
  }
  return decodeDeviceFile(Buffer.concat(gathered), depth);
}

function decode(bytes: Uint8Array, depth: Depth, maxBytes: number): DeviceFile {
  if (bytes.length > maxBytes) return unusable(tooLarge(maxBytes));
  switch (sniff(bytes)) {
    case "fit":
      return decodeFit(bytes, depth, { ...FIT_CAPS, bytes: maxBytes });
    case "gpx":
      return decodeGpx(bytes, depth);
    case "tcx":
      return decodeTcx(bytes, depth);
    default:
      return unusable(unknownFormat(bytes));
  }
}

function unpack(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly issues: readonly Issue[] } | Issue {
  if (sniff(bytes) !== "gzip") return { bytes, issues: [] };
  try {
    return ungzip(bytes, "the file", { maxBytes });
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    return { severity: "error", rule: error.rule, found: error.message };
  }
}

function unusable(issue: Issue): DeviceFile {
  return { format: undefined, device: {}, recordings: [], routes: [], issues: [issue] };
}

function unknownFormat(bytes: Uint8Array): Issue {
  return {
    severity: "error",
    rule: "device-file/unknown-format",
    found: looksLike(bytes),
    expected: "FIT, GPX or TCX",
  };
}

function tooLarge(maxBytes: number): Issue {
  const expected = `at most ${maxBytes} bytes`;
  return { severity: "error", rule: "device-file/too-large", found: `more than ${maxBytes} bytes`, expected };
}

/** Reads enough of the beginning to find the format. It looks each time the size doubles, so that chunks of one byte cost no more. */
async function headOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let nextLook = 16;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size < nextLook) continue;
    nextLook = size * 2;
    if (size >= HEAD_BYTES || sniff(Buffer.concat(chunks)) !== undefined) break;
  }
  return Buffer.concat(chunks);
}

const HEAD_BYTES = 2 ** 16;

async function* continued(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
