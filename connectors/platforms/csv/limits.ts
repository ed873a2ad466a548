/** The cap of a mapping file. */

/** Largest mapping file that is read, in bytes. A long one written by hand has five thousand. */
export const MAPPING_BYTES = 64 * 1024;
