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
 * An open archive. Entries come sorted by path (code units), directories and the litter of operating systems
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
   * The same in pieces, for files that needn't fit in memory. The check comes with the last piece.
   *
   * @throws ArchiveError while iterating, as `read`; default: its cap `streamedBytes`
   */
  stream(entry: Entry, maxBytes?: number): AsyncIterable<Uint8Array>;
  /** Frees what is open. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * The caps of an archive; each is settable when it is opened, and each has a test at cap - 1, cap and cap + 1. docs/limits.md says
 * what each is good for.
 */
export const CAPS = {
  /** Of a zip as it lies on the disk. Only its list and what is asked for is read, so it guards against little: a disk image by mistake. */
  archiveBytes: 64 * 2 ** 30,
  /** Files in it, and in all zips in it. */
  entries: 100_000,
  /** Inflated, of all that is unpacked while it is open. */
  unpackedBytes: 20 * 2 ** 30,
  /** Inflated, of one entry read whole. */
  entryBytes: 64 * 2 ** 20,
  /** Inflated, of one entry read in pieces (CSV, JSON, XML). */
  streamedBytes: 512 * 2 ** 20,
  /** Inflated to packed, looked at once an entry has given its first MiB. */
  ratio: 200,
  /** Zips within the zip. */
  nesting: 1,
  nameBytes: 1024,
  segmentBytes: 255,
  centralDirectoryBytes: 64 * 2 ** 20,
} as const;

/**
 * An entry that can't be unpacked. `rule` names why, as in an Issue: `archive/crc`, `archive/too-large`, `archive/ratio`.
 * The reader of the entry turns it into an Issue; the other entries go on.
 */
export class ArchiveError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
    this.rule = rule;
  }
}
