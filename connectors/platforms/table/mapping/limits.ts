/**
 * Limits and words of a description that reading a table needs. The code that checks a description is large, so it is loaded only for a
 * mapping file.
 */
/** Longest pattern of a rule, in characters. A pattern sees only this many characters of a cell. */
export const PATTERN_CHARACTERS = 200;

/** Most steps of a compiled pattern. The time for a cell is its length times these, and `{0,1000}` makes two thousand of five characters. */
export const PATTERN_STEPS = 500;
