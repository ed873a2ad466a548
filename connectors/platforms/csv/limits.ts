/** The cap of a mapping file. */

/** Largest mapping file that is read, in bytes: a long hand-written one has five thousand. */
export const MAPPING_BYTES = 64 * 1024;
