/** The common form of all open archives in this folder: a sorted list of entries that can read their own bytes. */
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { Allowance } from "./allowance.ts";
import type { Archive, Entry, PackedEntry } from "./archive.ts";
import { ArchiveError } from "./archive-error.ts";
import type { Bytes } from "./bytes.ts";
import { sizeInWords } from "./sizes.ts";

/** An entry that can read itself. Errors and caps are those of `Archive.read` and `Archive.stream`. */
export interface ReadableEntry extends Entry {
  read(maxBytes: number): Promise<Uint8Array>;
  stream(maxBytes: number): AsyncIterable<Uint8Array>;
  /** As `Archive.packed`. */
  packed?(): Promise<PackedEntry | undefined>;
  /** Its bytes in their place, with random access; undefined if it is packed. */
  inPlace(): Promise<Bytes | undefined>;
}

/** Keeps the content of packed entries, for random access. */
export interface EntryKeeper {
  keep(entry: ReadableEntry): Promise<Bytes>;
  close(): Promise<void>;
}

/** The error for an entry that exceeds the limit of its reader. */
export function tooLarge(path: string, maxBytes: number): ArchiveError {
  const message = `Cannot read ${printable(path)}: it holds more than ${sizeInWords(maxBytes)}; raise --max-entry if you trust it`;
  return new ArchiveError("archive/too-large", message);
}

/** Compares by code units, so that the language of the machine makes no difference. */
export function byPath(a: Entry, b: Entry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The parts of a listed archive. */
export interface ListedParts {
  readonly name: string;
  /** In any order, with distinct paths. */
  readonly entries: ReadableEntry[];
  readonly issues: readonly Issue[];
  readonly allowance: Allowance;
  /** Keeps packed entries that are read with random access. Needed only if an entry can be packed. It is closed with the archive. */
  readonly keeper?: EntryKeeper;
  /** Closes the files behind the entries. */
  readonly close?: () => Promise<void>;
}

/** Makes an archive from its parts. It sorts `entries` in place, because a copy of 100,000 entries would be costly. */
export function listedArchive(parts: ListedParts): Archive {
  const entries = parts.entries.sort(byPath);
  let closing: Promise<void> | undefined;
  const find = (path: string) => found(entries, path);
  const opened = new Map<string, Promise<Bytes>>();
  const withRandomAccess = async (entry: ReadableEntry): Promise<Bytes> => {
    const bytes = (await entry.inPlace()) ?? (await parts.keeper?.keep(entry));
    if (bytes === undefined) throw new Error(`${parts.name} has no place for ${entry.path}`);
    return bytes;
  };
  const own = (entry: Entry): ReadableEntry => {
    const known = find(entry.path);
    if (known === undefined) throw new Error(`no entry of ${parts.name}: ${entry.path}`);
    if (closing !== undefined) throw new Error(`${parts.name} is closed`);
    return known;
  };
  return {
    name: parts.name,
    allowance: parts.allowance,
    issues: parts.issues,
    entries: () => entries,
    entry: find,
    read: async (entry, maxBytes = parts.allowance.limits.entryBytes) => own(entry).read(maxBytes),
    packed: async (entry) => own(entry).packed?.(),
    stream: (entry, maxBytes = parts.allowance.limits.streamedBytes) => own(entry).stream(maxBytes),
    bytes: (entry) => {
      const known = own(entry);
      const bytes = opened.get(known.path) ?? withRandomAccess(known);
      opened.set(known.path, bytes);
      return bytes;
    },
    close: () => {
      closing ??= Promise.all([parts.close?.(), parts.keeper?.close()]).then(() => undefined);
      return closing;
    },
  };
}

/** Finds the entry with this path in a sorted list, by halving the list. So it needs no index. */
function found(entries: readonly ReadableEntry[], path: string): ReadableEntry | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as ReadableEntry).path < path) low = middle + 1;
    else high = middle;
  }
  const entry = entries[low];
  return entry?.path === path ? entry : undefined;
}
