/**
 * Guards text that a spreadsheet would run, or take for something else. Excel and LibreOffice take a note that starts with `=` for a formula,
 * with or without quotes. Notes come from strangers: shared courses, coaches, other people's archives. A spreadsheet shows a serial number
 * `007` as 7, and a note `3/4` as a day in March. An apostrophe in front makes it text.
 *
 * Source: OWASP, "CSV Injection": = + - @ TAB CR LF at the start of a cell, and their full-width forms. Japanese and Chinese input methods
 * write the full-width forms, and spreadsheets fold them into the others. test/exports-in-libreoffice.test.ts shows the texts that
 * LibreOffice 7.4 takes for a value.
 */

const RUNS = /^[=+\-@\t\r\n＝＋－＠]/;

/** Digits, and the characters between and around them in numbers, amounts, dates and times. */
const LIKE_A_VALUE = /^[(\p{Sc} ]{0,3}[.,]?\p{Nd}[\p{Nd}\s.,:/\-+eE%()\p{Sc}TZapmAPM]*$/u;
const NAMES_A_MONTH =
  /^(?:\d{1,2}[ .\-/]{0,2})?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[ ,\-/]{0,2}[\d ,]{0,8}$/i;
const TRUTH = /^(?:true|false)$/i;
const NAMES_AN_ERROR = /^#(?:REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)$/i;
/** Whole numbers that a spreadsheet shows as they are, with all digits. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** A number of metres. Behind a number, a spreadsheet knows only `a`, `p`, `am` and `pm`. */
const METRES = /^\d{1,15}(?:\.\d{1,15})? m$/;

/** Whether a spreadsheet would run a text, or show something other than the text. */
function isTakenForSomething(text: string): boolean {
  if (RUNS.test(text)) return true;
  const bare = text.trim();
  if (WHOLE_NUMBER.test(bare) || METRES.test(bare)) return bare !== text;
  return LIKE_A_VALUE.test(bare) || NAMES_A_MONTH.test(bare) || TRUTH.test(bare) || NAMES_AN_ERROR.test(bare);
}

/**
 * Characters that control a terminal that shows the file: ESC and the other controls, except tabs and line ends (a CSV file has no NUL).
 * Also a backslash that looks like a control already spelt out.
 */
const CONTROLS = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\\(?=x[0-9a-f]{2})/g;
const SPELT_OUT = /\\x([0-9a-f]{2})/g;

/**
 * The text in a form that is safe in a cell. Controls are spelt out (`\x1b`). Text that a spreadsheet would take for something else gets an
 * apostrophe in front. Text that already looks guarded gets one more, so that `unguarded` gives the original text back.
 */
export function guarded(text: string): string {
  const shown = text.replace(CONTROLS, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return isTakenForSomething(shown.replace(/^'+/, "")) ? `'${shown}` : shown;
}

/** The original text of a cell: `unguarded(guarded(text))` is `text`, for any text without NUL. */
export function unguarded(cell: string): string {
  const shown = cell.startsWith("'") && isTakenForSomething(cell.replace(/^'+/, "")) ? cell.slice(1) : cell;
  return shown.replace(SPELT_OUT, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
