/** Texts with names of columns in braces: `{Day}.{Month}.{Year}`. */

const NAMED = /\{([^{}]{1,200})\}/g;

/** The names of the columns in a text. */
export function namesInBraces(text: string): readonly string[] {
  return [...text.matchAll(NAMED)].map(([, name = ""]) => name);
}

/** Puts a row's cells in the place of the names. */
export function withCellsFor(text: string, cellOf: (name: string) => string): string {
  return text.replace(NAMED, (_, name: string) => cellOf(name));
}
