/**
 * Makes text from outside safe to show. Names and notes of an archive can hold terminal commands (ESC, C1), carriage returns that overwrite
 * a line, and marks that reverse the reading direction. If a terminal got them raw, the reader would see a false text.
 */

/** Characters that are never shown raw: C0, DEL, C1, direction marks and overrides, line separators, BOM, half surrogates. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Characters that take two columns of a terminal: the wide blocks of East Asia and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Characters that take no column: accents written apart, joiners, variation selectors. */
const WIDTHLESS = /\p{Mn}|\p{Me}|\p{Cf}/u;

/**
 * Gives text that can be printed on a terminal or into a log. It spells out control, escape and direction characters as `\xNN` or
 * `\u{...}`. It cuts a text longer than `width` with an ellipsis.
 *
 * @param text anything
 * @param width most columns of the result, including the ellipsis
 * @returns one line; safe text within the width comes back unchanged
 */
export function printable(text: string, width = 200): string {
  // Only the beginning of a text far past the width is escaped. It fills the width, because only accents and their kin take no column.
  const head = text.length > width * 8 ? text.slice(0, width * 8) : text;
  const shown = head.replace(UNPRINTABLE, spellOut);
  return head.length === text.length && shown.length * 2 <= width
    ? shown
    : cut(shown, width, head.length < text.length);
}

/** Whether `printable` would have to spell out a part of the text. */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLE) !== -1;
}

function spellOut(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits}}`;
}

/** A spelling of `printable`. */
const SPELT = /\\x([0-9a-f]{2})|\\u\{([0-9a-f]{3,4})\}/g;

/**
 * The text behind one that `printable` showed, as a person copies it: each `\xNN` and `\u{...}` of a character that is never shown raw becomes this
 * character. Other text stays.
 */
export function fromPrintable(text: string): string {
  return text.replace(SPELT, (spelt, short: string | undefined, long: string | undefined) => {
    const character = String.fromCharCode(Number.parseInt(short ?? long ?? "", 16));
    return hasUnprintable(character) ? character : spelt;
  });
}

function cut(text: string, width: number, moreFollows: boolean): string {
  let columns = 0;
  let end = 0;
  let endWithEllipsis = 0;
  for (const character of text) {
    columns += WIDTHLESS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
    if (columns > width) return `${text.slice(0, endWithEllipsis)}…`;
    end += character.length;
    if (columns < width) endWithEllipsis = end;
  }
  return moreFollows ? `${text.slice(0, endWithEllipsis)}…` : text;
}
