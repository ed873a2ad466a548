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
      if (!noted.has(entry.path)) noted.set(entry.path, hash("sha256", content, "binary") + content.length);
      return content;
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
    const sha256 = Buffer.from(found.slice(0, DIGEST_BYTES), "latin1").toString("hex");
    return { bytes: Number(found.slice(DIGEST_BYTES)), sha256 };
  };
  return { archive: overArchive(noting, archive), hashes: { get } };
}
