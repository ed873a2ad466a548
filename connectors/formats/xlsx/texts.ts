/** Texts of a workbook. */

/**
 * Gives back the characters that XML can't hold: `_x000D_` is a carriage return. Others of these are left out, because no text has a use for them.
 * Source: ECMA-376, part 1, 22.9.2.19 (ST_Xstring).
 */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code >= 32 || code === 9 || code === 10 || code === 13 ? String.fromCharCode(code) : "";
  });
}

/** The blanks at the ends of a text count only if it says so. */
export function asSpaced(text: string, isPreserved: boolean): string {
  return isPreserved ? text : text.trim();
}
