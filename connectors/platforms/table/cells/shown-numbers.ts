/** Reads numbers that need no description: floats of a program, and numbers that a platform shows to people in any language. */

const FLOAT = /^[-+]?\d{1,20}(?:\.\d{0,20})?(?:e[-+]?\d{1,3})?$/i;

/** Reads a float with a point (`6400.83935546875`, `262`); undefined for other text. */
export function parseFloatText(text: string): number | undefined {
  return FLOAT.test(text) ? Number(text) : undefined;
}

/** Marks between groups of three digits: a point, a comma, a blank (French: narrow, or no-break), an apostrophe (Swiss). */
const GROUPED = /^\d{1,3}(?:[.,'’\u0020\u00a0\u202f]\d{3})*$/;
const KILOMETRES = /^(\d{1,3}(?:[.,'’\u0020\u00a0\u202f]\d{3})*|\d{1,9})(?:[.,](\d{1,2}))?$/;

/**
 * Reads a distance as a platform shows it. Kilometres have at most two decimals, after a point or a comma. Real files have `3.32`, `9,44`,
 * and `67.2` after a spreadsheet saved them again. Metres (swimming, rowing) have no decimals, so every mark in them groups thousands:
 * `1,450`.
 *
 * @returns the number in that unit; undefined if it can't be one
 */
export function parseShownNumber(text: string, unit: string | undefined): number | undefined {
  if (unit === "m") {
    if (/^\d{1,9}$/.test(text) || GROUPED.test(text)) return Number(text.replace(/\D/g, ""));
    // A program that saved the file again may have written a float.
    if (/^\d{1,9}\.0+$/.test(text)) return Number(text);
    // 1500 yards of a pool are 1371.6 metres. One or two digits behind a mark are no thousands. `1.50` may be kilometres, so it stays unread.
    return /^\d{3,9}[.,]\d{1,2}$/.test(text) ? Number(text.replace(",", ".")) : undefined;
  }
  const match = KILOMETRES.exec(text);
  if (match === null) return undefined;
  const [, whole = "", decimals = "0"] = match;
  return Number(`${whole.replace(/\D/g, "")}.${decimals}`);
}
