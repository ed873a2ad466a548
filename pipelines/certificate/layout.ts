/** The lines that divide the text of a certificate. Its parts are read line by line, so they stand as they are written. */

/** The line before the first record. */
export const RECORDS_BEGIN = '  "records": [';

/** The line after the last record. The signature covers everything up to its end. */
export const RECORDS_END = "  ],";

/** The beginning of the line with the signature. */
export const SIGNATURE_BEGINS = '  "signature": ';

/** The beginning of the file. */
export const MARK = '{\n  "format": "logferry certificate"';
