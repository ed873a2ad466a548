/** Sentences for a person. */

/** A text with a full stop at its end, unless it ends as a sentence already: `Is the address right?` stays as it is. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
