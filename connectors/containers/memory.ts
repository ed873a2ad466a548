/** An archive in memory: for tests, and for entries that something else was unpacked to. */
import { Allowance } from "./allowance.ts";
import type { Archive } from "./archive.ts";
import { listedArchive, type ReadableEntry, tooLarge } from "./listed.ts";
import type { OpenOptions } from "./options.ts";

/**
 * An archive of what is given, entry by entry. Nothing is left out and nothing is looked into.
 *
 * @param name as a person would have named it: `export_123.zip`
 * @param contents path to content; a string stands for its UTF-8 bytes
 */
export function memoryArchive(
  name: string,
  contents: Readonly<Record<string, Uint8Array | string>>,
  options?: OpenOptions,
): Archive {
  return listedArchive({ name, entries: memoryEntries(contents), issues: [], allowance: new Allowance(options) });
}

/** The entries of such an archive, in the order given. */
export function memoryEntries(contents: Readonly<Record<string, Uint8Array | string>>): ReadableEntry[] {
  return Object.entries(contents).map(([path, content]) =>
    memoryEntry(path, typeof content === "string" ? new TextEncoder().encode(content) : content),
  );
}

function memoryEntry(path: string, bytes: Uint8Array): ReadableEntry {
  const read = async (maxBytes: number) => {
    if (bytes.length > maxBytes) throw tooLarge(path, maxBytes);
    return bytes;
  };
  return {
    path,
    sizeBytes: bytes.length,
    read,
    async *stream(maxBytes) {
      yield await read(maxBytes);
    },
  };
}
