/**
 * Decodes any device file. The first bytes show the format. The name can be wrong (a FIT file called .tcx, gzip called .fit).
 */

import type { Issue } from "../../transforms/model/issue.ts";
import { decodeFit } from "./fit/decode.ts";
import { FIT_CAPS } from "./fit/structure.ts";
import { decodeGpx } from "./gpx/decode.ts";
import { GzipError, ungzip } from "./gzip.ts";
import type { Depth, DeviceFile } from "./recording.ts";
import { looksLike, sniff } from "./sniff.ts";
import { decodeTcx } from "./tcx/decode.ts";

export { sniff } from "./sniff.ts";

/** Bytes of a file, unpacked. It is held in memory. */
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
