/** Adds a few entries to an archive. This is how a connector gets a mapping file that a person named beside the archive. */
import type { Archive, Entry } from "./archive.ts";
import { byPath } from "./listed.ts";
import { memoryArchive } from "./memory.ts";

/** The archives without their added entries, without their signal, or without their notes. */
const lowerArchives = new WeakMap<Archive, Archive>();

/**
 * Lays `contents` over `archive`. If both have a path, the new entry replaces the old one. Closing the result closes `archive`.
 *
 * @param contents path to content; a string means its UTF-8 bytes
 */
export function withEntries(archive: Archive, contents: Readonly<Record<string, Uint8Array | string>>): Archive {
  const added = memoryArchive(archive.name, contents);
  const home = (entry: Entry) => (added.entry(entry.path) === undefined ? archive : added);
  const overlay: Archive = {
    name: archive.name,
    allowance: archive.allowance,
    issues: archive.issues,
    entries: () => merged(archive, added),
    entry: (path) => added.entry(path) ?? archive.entry(path),
    read: (entry, maxBytes) => home(entry).read(entry, maxBytes),
    packed: async (entry) => home(entry).packed?.(entry),
    stream: (entry, maxBytes) => home(entry).stream(entry, maxBytes),
    bytes: (entry) => home(entry).bytes(entry),
    close: () => archive.close(),
  };
  return overArchive(overlay, archive);
}

/**
 * The same archive. Reading its bytes throws the reason of the signal once that is aborted. A connector looks at the signal at each record, and may
 * read a whole table before its first one: for its order of dates, its units or its gear.
 */
export function stoppable(archive: Archive, signal: AbortSignal): Archive {
  const same: Archive = {
    ...archive,
    async read(entry, maxBytes) {
      signal.throwIfAborted();
      return archive.read(entry, maxBytes);
    },
    async *stream(entry, maxBytes) {
      for await (const chunk of archive.stream(entry, maxBytes)) {
        signal.throwIfAborted();
        yield chunk;
      }
    },
  };
  return overArchive(same, archive);
}

/** Says that one archive lies over another one, for `lowestArchive`. @returns the upper one */
export function overArchive(upper: Archive, lower: Archive): Archive {
  lowerArchives.set(upper, lower);
  return upper;
}

/** The archive below all added entries. Only its folders show whether a wrapper folder holds everything. */
export function lowestArchive(archive: Archive): Archive {
  const lower = lowerArchives.get(archive);
  return lower === undefined ? archive : lowestArchive(lower);
}

/** Merges two sorted lists into one. If both have a path, the second list's entry counts. */
function* merged(archive: Archive, added: Archive): Generator<Entry> {
  const extra = added.entries()[Symbol.iterator]();
  let next = extra.next();
  for (const entry of archive.entries()) {
    for (; !next.done && byPath(next.value, entry) < 0; next = extra.next()) yield next.value;
    if (!next.done && next.value.path === entry.path) continue;
    yield entry;
  }
  for (; !next.done; next = extra.next()) yield next.value;
}
