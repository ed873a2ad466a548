/**
 * An archive as connectors see it: named entries and their bytes. A directory, a zip, a single file or memory; a connector
 * can't tell and never touches the disk.
 */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Allowance } from "./allowance.ts";

/** One file of an archive. */
export interface Entry {
  /**
   * Path with forward slashes, as the archive has it. An entry of a nested zip: `UploadedFiles.zip!/a.fit`. Always safe to
   * print after `printable`; never to be used as a path on the disk.
   */
  readonly path: string;
  /** Size when unpacked, as the archive claims; undefined when it doesn't. */
  readonly sizeBytes: number | undefined;
}

/**
 * An open archive. Entries come sorted by path (code units), directories and the junk files of operating systems
 * (`__MACOSX/`, `.DS_Store`, `Thumbs.db`) left out. If everything lies in one wrapper folder the folder stays part of the path:
 * connectors look for names with `findEntry`.
 */
export interface Archive {
  /** Its caps, and what may still be unpacked of it. */
  readonly allowance: Allowance;
  /** As the person named it, without its folder: `export_123.zip`. For messages, never for keys. */
  readonly name: string;
  /** Entries that were refused when the archive was opened, and why. */
  readonly issues: readonly Issue[];
  /** Every entry, sorted by path; again from the start at each call. Holds no file open between two steps. */
  entries(): Iterable<Entry>;
  /** The entry with exactly this path. */
  entry(path: string): Entry | undefined;
  /**
   * The bytes of an entry, unpacked and checked (size, CRC).
   *
   * @throws ArchiveError when the entry can't be unpacked, or holds more than `maxBytes` (default: its cap `entryBytes`)
   */
  read(entry: Entry, maxBytes?: number): Promise<Uint8Array>;
  /**
   * The same in chunks, for files that needn't fit in memory. The check comes with the last chunk.
   *
   * @throws ArchiveError while iterating, as `read`; default: its cap `streamedBytes`
   */
  stream(entry: Entry, maxBytes?: number): AsyncIterable<Uint8Array>;
  /** Frees what is open. Safe to call twice. */
  close(): Promise<void>;
}
