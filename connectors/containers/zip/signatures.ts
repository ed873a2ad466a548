/** The first four bytes of zip records, as little-endian numbers (APPNOTE 4.3). */

/** Before the name and the bytes of an entry. */
export const LOCAL_SIGNATURE = 0x04034b50;
/** Before an entry's line in the directory at the end. */
export const HEADER_SIGNATURE = 0x02014b50;
