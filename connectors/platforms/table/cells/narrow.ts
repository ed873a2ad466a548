/** Reads the wide digits of Japanese input: `１２．５` is 12.5, and `２０２４／０１／０３` is 2024/01/03. */

const WIDE_DIGIT = /[０-９]/;
const WIDE = /[！-～　]/g;

/** Between a wide character and its narrow one. */
const BETWEEN = 0xfee0;

/** A text with wide digits in narrow characters. Any other text stays as it is. */
export function narrow(text: string): string {
  if (!WIDE_DIGIT.test(text)) return text;
  return text.replaceAll(WIDE, (wide) => (wide === "　" ? " " : String.fromCharCode(wide.charCodeAt(0) - BETWEEN)));
}
