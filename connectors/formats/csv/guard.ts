/**
 * Text that a spreadsheet would run. A note that starts with `=` is a formula to Excel and LibreOffice, quotes or not, and notes
 * come from strangers: shared courses, coaches, other people's archives. An apostrophe in front makes it text.
 *
 * Source: OWASP, "CSV Injection": = + - @ TAB CR LF at the start of a cell; and the full-width forms, which Japanese and Chinese
 * input methods write and spreadsheets fold into the others.
 */

/** The apostrophes are those of text that looks guarded already: it gets one more, so that `unguarded` gives back what was there. */
const RUNS = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** The text as it can stand in a cell: with an apostrophe in front where a spreadsheet would run it. */
export function guarded(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** The text a cell was written from: `unguarded(guarded(text))` is `text`, for any text. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
