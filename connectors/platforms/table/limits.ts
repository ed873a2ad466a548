/**
 * Limits and words of a description that reading a table needs. The code that checks a description is large, so it is loaded only for a
 * mapping file.
 */
/** Longest pattern of a rule, in characters. A pattern sees only this many characters of a cell. */
export const PATTERN_CHARACTERS = 200;
