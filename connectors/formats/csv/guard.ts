/**
 * Text that a spreadsheet would run, or take for something else. A note that starts with `=` is a formula to Excel and LibreOffice, quotes or not,
 * and notes come from strangers: shared courses, coaches, other people's archives. A serial number `007` is shown as 7, and a note `3/4` as
 * a day in March. An apostrophe in front makes it text.
 *
 * Sources: OWASP, "CSV Injection": = + - @ TAB CR LF at the start of a cell; and the full-width forms, which Japanese and Chinese
 * input methods write and spreadsheets fold into the others. What LibreOffice 7.4 takes for a value: test/exports-in-libreoffice.test.ts.
 */

const RUNS = /^[=+\-@\t\r\n＝＋－＠]/;

/** Digits with what stands between and around them in numbers, amounts, dates and times. */
const LIKE_A_VALUE = /^[(\p{Sc} ]{0,3}[.,]?\p{Nd}[\p{Nd}\s.,:/\-+eE%()\p{Sc}TZapmAPM]*$/u;
const NAMES_A_MONTH =
  /^(?:\d{1,2}[ .\-/]{0,2})?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[ ,\-/]{0,2}[\d ,]{0,8}$/i;
const TRUTH = /^(?:true|false)$/i;
const NAMES_AN_ERROR = /^#(?:REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)$/i;
/** Shown as they are, and no number that loses digits. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** Whether a spreadsheet would show a text otherwise than it is written. */
function isTakenForSomething(text: string): boolean {
  if (RUNS.test(text)) return true;
  const bare = text.trim();
  if (WHOLE_NUMBER.test(bare)) return bare !== text;
  return LIKE_A_VALUE.test(bare) || NAMES_A_MONTH.test(bare) || TRUTH.test(bare) || NAMES_AN_ERROR.test(bare);
}

/**
 * What drives a terminal that shows the file: ESC and the other controls, all but tabs and line ends (NUL is in no CSV). And a backslash
 * that looks as if it spelt one out.
 */
const CONTROLS = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\\(?=x[0-9a-f]{2})/g;
const SPELT_OUT = /\\x([0-9a-f]{2})/g;

/**
 * The text as it can stand in a cell: controls are spelt out (`\x1b`), and there is an apostrophe in front where a spreadsheet would take it
 * for something else. Text that looks guarded already gets one more, so that `unguarded` gives back what was there.
 */
export function guarded(text: string): string {
  const shown = text.replace(CONTROLS, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return isTakenForSomething(shown.replace(/^'+/, "")) ? `'${shown}` : shown;
}

/** The text a cell was written from: `unguarded(guarded(text))` is `text`, for any text without NUL. */
export function unguarded(cell: string): string {
  const shown = cell.startsWith("'") && isTakenForSomething(cell.replace(/^'+/, "")) ? cell.slice(1) : cell;
  return shown.replace(SPELT_OUT, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
