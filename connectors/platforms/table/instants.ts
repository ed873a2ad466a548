/** Times as numbers, in the form that cells are read from. */

/** Milliseconds from 1970 that a date can have. */
const LAST = 8.64e15;

/** `1618093345856` as `2021-04-10T22:22:25.856Z`; any other text as it is. */
export function isoOfMillis(text: string): string {
  const millis = Number(text);
  return text.trim() === "" || !(Math.abs(millis) <= LAST) ? text : new Date(millis).toISOString();
}
