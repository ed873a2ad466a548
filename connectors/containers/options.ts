/**
 * What may be chosen when an archive is opened, and the caps that hold when nothing is. Tests set them low, so that each is
 * tried at cap - 1, cap and cap + 1 without a gigabyte.
 */
import { CAPS } from "./archive.ts";

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
