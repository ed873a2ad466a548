/**
 * An archive as connectors see it: named entries and their bytes. It may be a directory, a zip, a single file or memory. A connector can't
 * tell which, and never touches the disk.
 */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Allowance } from "./allowance.ts";
import type { Bytes } from "./bytes.ts";

/** One file of an archive. */
export interface Entry {
  /**
   * Path with forward slashes, as the archive has it. An entry of a nested zip: `UploadedFiles.zip!/a.fit`. It is always safe to print
   * after `printable`. Never use it as a path on the disk.
   */
  readonly path: string;
  /** Unpacked size, as the archive claims; undefined if it makes no claim. */
  readonly sizeBytes: number | undefined;
  /**
   * When the file was last changed, in milliseconds since 1970, if the archive says so. A zip has wall clock times without a zone, which count
   * as UTC here. It shows which of two exports is the newer one, and nothing else.
   */
  readonly modifiedAt?: number | undefined;
}

/** An entry as it lies in the archive, for a thread that unpacks it. */
export interface PackedEntry {
  /** Raw deflate. Nobody else has these bytes, so they can be given away to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length and CRC-32 that the content must have. */
  readonly sizeBytes: number;
  readonly crc: number;
  /**
   * Counts the content as read, once it is unpacked and has this length and CRC.
   *
   * @param digest its SHA-256, as a binary string
   * @throws ArchiveError as `Allowance.spend`
   */
  readonly accept: (digest: string) => void;
}

/**
 * An open archive. Its entries come sorted by path (code units), without directories and without the junk files of operating systems
 * (`__MACOSX/`, `.DS_Store`, `Thumbs.db`). If one wrapper folder holds everything, the folder stays part of the path. So connectors look
 * for names with `findEntry`.
 */
export interface Archive {
  /** The caps of the archive, and the count of unpacked bytes. */
  readonly allowance: Allowance;
  /** The name a person gave, without its folder: `export_123.zip`. For messages, never for keys. */
  readonly name: string;
  /** Entries that were refused when the archive was opened, and the reasons. */
  readonly issues: readonly Issue[];
  /** Gives every entry, sorted by path. Each call starts again. No file stays open between two steps. */
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
   * Reads the packed bytes of an entry, so that another thread can unpack them. An archive that can't give them leaves the method out.
   *
   * @returns undefined for an entry that only `read` can judge: it is large, not packed or damaged
   */
  packed?(entry: Entry): Promise<PackedEntry | undefined>;
  /**
   * Reads the bytes in chunks, for files too large for memory. The check comes with the last chunk.
   *
   * @throws ArchiveError during iteration, as `read`; default: its cap `streamedBytes`
   */
  stream(entry: Entry, maxBytes?: number): AsyncIterable<Uint8Array>;
  /**
   * Gives random access to the bytes of an entry, for an entry that is a zip itself. They can be read until the archive is closed. A packed entry
   * is unpacked once: a small one into memory, any other into a temporary file.
   *
   * @throws ArchiveError as `stream`
   * @throws FatalError `archive/no-space`
   */
  bytes(entry: Entry): Promise<Bytes>;
  /** Closes open files. Safe to call twice. */
  close(): Promise<void>;
}
