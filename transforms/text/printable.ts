/**
 * Text from strangers, made safe to show. Names and notes of an archive can hold terminal commands (ESC, C1), carriage
 * returns that overwrite a line, and marks that turn the reading direction around; shown raw, they lie to the reader.
 */

/** What is never shown as it is: C0, DEL, C1, direction marks and overrides, line separators, BOM, half surrogates. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Characters that take two columns of a terminal: the wide blocks of East Asia and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Characters that take none: accents written apart, joiners, variation selectors. */
const WIDTHLESS = /\p{Mn}|\p{Me}|\p{Cf}/u;

/**
 * Text that can be printed on a terminal or into a log: control, escape and direction characters are spelt out as `\xNN` or
 * `\u{...}`, and what is longer than `width` is cut with an ellipsis.
 *
 * @param text anything
 * @param width columns the result may take at most, the ellipsis included
 * @returns one line; safe text within the width comes back unchanged
 */
export function printable(text: string, width = 200): string {
  // A text far past the width needn't be escaped to its end: no character takes less than a code unit but for accents.
  const head = text.length > width * 8 ? text.slice(0, width * 8) : text;
  const shown = head.replace(UNPRINTABLE, spellOut);
  return head.length === text.length && shown.length * 2 <= width
    ? shown
    : cut(shown, width, head.length < text.length);
}

/** True when `printable` would have to spell out something of it. */
export function hasUnprintable(text: string): boolean {
  return text.search(UNPRINTABLE) !== -1;
}

function spellOut(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u{${digits}}`;
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
