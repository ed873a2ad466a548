/**
 * Turns any JavaScript string into text that every database takes, and back. PostgreSQL refuses NUL, and half a surrogate pair has no
 * UTF-8. Both are written as an escape that begins with U+0001, and U+0001 itself is escaped. Text without any of the three stays the
 * same, and nearly all text is like that.
 */
const ESCAPE = "\u0001";

/** @returns text in well-formed Unicode without NUL. Different strings give different texts */
export function encodeText(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE) && text.isWellFormed()) return text;
  return text.replace(/[\0\u0001\ud800-\udfff]/gu, (unit) => {
    if (unit === ESCAPE) return ESCAPE + ESCAPE;
    return unit === "\0" ? `${ESCAPE}0` : ESCAPE + unit.charCodeAt(0).toString(16);
  });
}

/** The string that `encodeText` was given. */
export function decodeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(/\u0001(\u0001|0|d[89a-f][0-9a-f]{2})/g, (_escape, unit: string) => {
    if (unit === ESCAPE) return ESCAPE;
    return unit === "0" ? "\0" : String.fromCharCode(Number.parseInt(unit, 16));
  });
}
