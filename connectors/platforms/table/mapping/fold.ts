/** Compares names of columns and words of values. */

/** Normalises a name, or a word of the values, for comparison. */
export function fold(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}
