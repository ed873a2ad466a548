/**
 * What may be chosen when an archive is opened, and the caps that hold when nothing is. Tests set them low, so that each is
 * tried at cap - 1, cap and cap + 1 without a gigabyte.
 */

/** The caps of one opened archive. Sizes in bytes. */
export type Limits = Readonly<Record<keyof typeof CAPS | keyof typeof NESTED_CAPS, number>>;

/** Caps on what zips inside an archive may cost: they are listed when the archive is opened, so the packed ones are unpacked then. */
export const NESTED_CAPS = {
  /** Packed inner zips up to this size are kept in memory rather than in a temporary file. */
  heldEachBytes: 2 ** 20,
  /** All inner zips kept in memory together. */
  heldBytes: 16 * 2 ** 20,
  /** All inner zips unpacked into the temporary file together. Garmin's parts reach 2 GB each. */
  spooledBytes: 20 * 2 ** 30,
} as const;

/** Options of every function that opens an archive. */
export interface OpenOptions {
  /** Caps that differ from `CAPS`. */
  readonly limits?: Partial<Limits>;
  /** Where a packed inner zip is unpacked to; the system's folder for temporary files by default. */
  readonly tempFolder?: string;
}

/** The caps of an archive, each default in its place. */
export function limitsOf(options: OpenOptions = {}): Limits {
  return { ...CAPS, ...NESTED_CAPS, ...options.limits };
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
  /** Inflated, of one entry read in chunks (CSV, JSON, XML). */
  streamedBytes: 512 * 2 ** 20,
  /** Inflated to packed, looked at once an entry has given its first MiB. */
  ratio: 200,
  /** Zips within the zip. */
  nesting: 1,
  nameBytes: 1024,
  segmentBytes: 255,
  centralDirectoryBytes: 64 * 2 ** 20,
} as const;
