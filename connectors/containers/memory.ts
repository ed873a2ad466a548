/** An archive in memory: for tests, and for entries that other code has unpacked. */
import { Allowance } from "./allowance.ts";
import type { Archive } from "./archive.ts";
import { toBytes } from "./bytes.ts";
import { listedArchive, type ReadableEntry, tooLarge } from "./listed.ts";
import type { OpenOptions } from "./options.ts";

/**
 * Makes an archive of the given entries. It keeps all of them and opens no inner archives.
 *
 * @param name as a person would give it: `export_123.zip`
 * @param contents path to content; a string means its UTF-8 bytes
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
    inPlace: async () => toBytes(bytes),
  };
}
