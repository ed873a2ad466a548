/** Tells whether the file behind an address changed between two looks. */
import { createHash } from "node:crypto";
import { ArchiveError } from "./archive-error.ts";
import type { Bytes } from "./bytes.ts";
import { openHttpBytes } from "./http-bytes.ts";
import type { OpenOptions } from "./options.ts";
import { locateDirectory } from "./zip/end.ts";

/** Bytes of a directory that are read at a time. */
const CHUNK_BYTES = 1 << 20;

/**
 * The identity of the file behind an address: its size and its ETag. Without an ETag, the hash of the zip's directory stands for it, which has the size and the CRC of each file.
 *
 * @param address whole, with its query
 * @param name for messages
 * @param waiting as for `openHttpBytes`
 * @throws FatalError as `openHttpBytes`
 */
export async function identityOf(
  address: string,
  name: string,
  waiting: Pick<OpenOptions, "sleep" | "now" | "onWait" | "signal">,
): Promise<string> {
  const file = await openHttpBytes(address, name, waiting);
  try {
    return `${file.sizeBytes} ${file.etag ?? (await directoryHash(file))}`;
  } finally {
    await file.close();
  }
}

/** SHA-256 of a zip's directory, in hex. Empty for what is no whole zip: whoever reads it next says why. */
async function directoryHash(zip: Bytes): Promise<string> {
  try {
    const { offset, sizeBytes, shift } = await locateDirectory(zip);
    const hash = createHash("sha256");
    for (let done = 0; done < sizeBytes; done += CHUNK_BYTES)
      hash.update(await zip.read(offset + shift + done, Math.min(CHUNK_BYTES, sizeBytes - done)));
    return hash.digest("hex");
  } catch (error) {
    if (error instanceof ArchiveError) return "";
    throw error;
  }
}
