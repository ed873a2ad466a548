/** Says in plain words what is wrong with a file as YAML, and what to type instead. The library speaks of its own tokens. */

type Words = readonly [pattern: RegExp, words: string | ((...match: string[]) => string)];

/** The first that fits the code and the message of the library counts. */
const WORDS: readonly Words[] = [
  [/^TAB_AS_INDENT/, "the line begins with a tab: use blanks instead"],
  [/^BAD_INDENT: Flow map/, "a brace { is not closed: end it with }"],
  [/^BAD_INDENT: Flow sequence/, "a bracket [ is not closed: end it with ]"],
  [/^BAD_INDENT/, "the line begins at another column than its neighbours: give them the same number of blanks"],
  [/^MISSING_CHAR: Missing closing ["']/, "a quotation mark is not closed: end the text with another one"],
  [/^BLOCK_IN_FLOW/, "a comma is missing between two words in braces: write them as in { field: distance, unit: km }"],
  [/^MISSING_CHAR: .*,/, "a comma is missing between two words in brackets"],
  [
    /^BLOCK_AS_IMPLICIT_KEY/,
    'a second colon in the line, or a line that is indented too far: put a text with a colon in quotation marks, as in "6:30 run"',
  ],
  [/^MULTILINE_IMPLICIT_KEY/, "a line without a colon: write a name, a colon, a blank and the value, as in order: dmy"],
  [
    /^BAD_SCALAR_START: .* ([^ ])$/,
    (_, mark = "") => `a text can't begin with ${mark}: put it in quotation marks, as in "${mark}home"`,
  ],
  [/^BAD_DQ_ESCAPE/, "a backslash in double quotation marks: write it twice, or put the text in single ones"],
  [
    /^UNEXPECTED_TOKEN/,
    "a word or a mark that belongs to nothing before it: look for a quotation mark, a comma or a bracket that is missing or one too many",
  ],
];

/** What is wrong, in plain words; the library's sentence if there are none for it. */
export function inPlainWords(code: string, message: string): string {
  const whole = `${code}: ${message}`;
  for (const [pattern, words] of WORDS) {
    const match = pattern.exec(whole);
    if (match !== null) return typeof words === "string" ? words : words(...match);
  }
  return message;
}
