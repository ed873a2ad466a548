/** Notes the hash of every file of an archive that is read whole, so that nobody needs to read it a second time for its hash. */
import { createHash, hash } from "node:crypto";
import type { Archive } from "./archive.ts";
import { overArchive } from "./overlay.ts";

/** The length of a file in bytes, and its SHA-256 in hex. */
export interface FileHash {
  readonly bytes: number;
  readonly sha256: string;
}

/** The hashes of the files that were read whole so far. */
export interface ReadHashes {
  /** The hash of the file with this path; undefined if nobody read it to its end. */
  get(path: string): FileHash | undefined;
}

/** Bytes of a SHA-256. */
const DIGEST_BYTES = 32;

/** The digests of contents that are still in memory, as binary strings. */
const digests = new WeakMap<Uint8Array, string>();

/**
 * The SHA-256 of a content, in hex. The same bytes in memory are hashed once: a plan asks for the hash of a file to list it, and to know its copies.
 *
 * @param content that nobody changes any more
 */
export function sha256Of(content: Uint8Array): string {
  return toHex(digestOf(content));
}

function digestOf(content: Uint8Array): string {
  const digest = digests.get(content) ?? hash("sha256", content, "binary");
  digests.set(content, digest);
  return digest;
}

/** A SHA-256 in hex, from its binary string. */
export function toHex(digest: string): string {
  return Buffer.from(digest, "latin1").toString("hex");
}

/**
 * The same archive, which notes what is read of it. A file that is read twice keeps the hash of the first time: that is what was decided upon.
 * Random access (`Archive.bytes`) isn't noted.
 */
export function notingHashes(archive: Archive): { readonly archive: Archive; readonly hashes: ReadHashes } {
  // One short string a file, the digest and the length: 100,000 files take 9 MB. Hex in an object would take twice that.
  const noted = new Map<string, string>();
  const noting: Archive = {
    ...archive,
    async read(entry, maxBytes) {
      const content = await archive.read(entry, maxBytes);
      if (!noted.has(entry.path)) noted.set(entry.path, digestOf(content) + content.length);
      return content;
    },
    async packed(entry) {
      const packed = await archive.packed?.(entry);
      if (packed === undefined) return undefined;
      const accept = (digest: string) => {
        packed.accept(digest);
        if (!noted.has(entry.path)) noted.set(entry.path, digest + packed.sizeBytes);
      };
      return { ...packed, accept };
    },
    async *stream(entry, maxBytes) {
      const digest = noted.has(entry.path) ? undefined : createHash("sha256");
      let bytes = 0;
      for await (const chunk of archive.stream(entry, maxBytes)) {
        digest?.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      if (digest !== undefined) noted.set(entry.path, digest.digest("binary") + bytes);
    },
  };
  const get = (path: string): FileHash | undefined => {
    const found = noted.get(path);
    if (found === undefined) return undefined;
    return { bytes: Number(found.slice(DIGEST_BYTES)), sha256: toHex(found.slice(0, DIGEST_BYTES)) };
  };
  return { archive: overArchive(noting, archive), hashes: { get } };
}
