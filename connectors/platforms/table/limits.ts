/**
 * Limits and words of a description that reading a table needs. The code that checks a description is large, so it is loaded only for a
 * mapping file.
 */
/** Longest pattern of a rule, in characters; also the number of characters of a cell that a pattern sees. */
export const PATTERN_CHARACTERS = 200;
