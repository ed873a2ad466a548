/**
 * The options for opening an archive, and the default caps. Tests set the caps low, so that each is tested at cap - 1, cap and cap + 1
 * without a gigabyte.
 */

/** The caps of one opened archive. Sizes in bytes. */
export type Limits = Readonly<Record<keyof typeof CAPS | keyof typeof NESTED_CAPS, number>>;

/** Caps on the cost of zips inside an archive. They are listed when the archive is opened, so packed ones are unpacked then. */
export const NESTED_CAPS = {
  /** Packed inner zips up to this size stay in memory. Larger ones go into a temporary file. */
  heldEachBytes: 2 ** 20,
  /** Limit on all inner zips in memory together. */
  heldBytes: 16 * 2 ** 20,
  /** Limit on all inner zips in the temporary file together. Garmin's parts reach 2 GB each. */
  spooledBytes: 20 * 2 ** 30,
} as const;

/** Options of every function that opens an archive. */
export interface OpenOptions {
  /** Caps that replace those of `CAPS` and `NESTED_CAPS`. */
  readonly limits?: Partial<Limits>;
  /** The folder for unpacked inner zips; by default the system's folder for temporary files. */
  readonly tempFolder?: string;
  /** Ends what is asked of a server, and every wait for it, at once: then a read throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Waits before a server is asked again, in milliseconds, until the signal is aborted; by default the clock's time. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds of any clock, for answers that take too long; by default the clock's time. */
  readonly now?: () => number;
  /** Is told before logferry waits and asks a server again: what failed, and when the next try is. */
  readonly onWait?: (text: string) => void;
}

/** The caps of an archive, with the defaults filled in. */
export function limitsOf(options: OpenOptions = {}): Limits {
  return { ...CAPS, ...NESTED_CAPS, ...options.limits };
}

/**
 * The caps of an archive. Each can be set at opening, and each has a test at cap - 1, cap and cap + 1. docs/limits.md explains the purpose
 * of each.
 */
export const CAPS = {
  /**
   * Size of a zip on the disk. Only its list and the requested entries are read, so this cap protects only against mistakes such as a disk
   * image.
   */
  archiveBytes: 64 * 2 ** 30,
  /** Number of files, including the files in all inner zips. */
  entries: 100_000,
  /** Unpacked size of all entries read while the archive is open. */
  unpackedBytes: 20 * 2 ** 30,
  /** Unpacked size of one entry that is read as a whole. */
  entryBytes: 64 * 2 ** 20,
  /** Unpacked size of one entry that is read in chunks (CSV, JSON, XML). */
  streamedBytes: 8 * 2 ** 30,
  /** Ratio of unpacked to packed size, checked after the first unpacked MiB of an entry. */
  ratio: 200,
  /** Levels of zips inside the archive. Two: the zip of a mail has an export, and the export has zips of its own. */
  nesting: 2,
  nameBytes: 1024,
  segmentBytes: 255,
  centralDirectoryBytes: 64 * 2 ** 20,
} as const;
