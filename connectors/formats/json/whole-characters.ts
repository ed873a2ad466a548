/** Halves of characters in JSON: `\ud83d` without its second half. Strict services refuse such a text, and databases can't store it. */
import type { Issue } from "../../../transforms/model/issue.ts";

/** An escape of JSON: a pair of halves, a half alone, or any other one. */
const ESCAPE = /\\(?:(ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|(ud[89a-f][0-9a-f]{2})|.)/gis;

/** Characters of the longest pair of escapes, but for the last one. */
const LONGEST = 11;

/**
 * Puts U+FFFD in the place of each half of a character that is escaped alone. Any other text passes unchanged.
 *
 * @param texts a JSON text, cut anywhere
 * @param report gets one issue (`text/half-characters`) with their number, at the end
 */
export async function* wholeCharacters(
  texts: AsyncIterable<string>,
  report: (issue: Issue) => void,
): AsyncGenerator<string> {
  let halves = 0;
  let waiting = "";
  const mended = (text: string) =>
    text.replace(ESCAPE, (written: string, _pair: string | undefined, half: string | undefined) => {
      if (half === undefined) return written;
      halves++;
      return "\\ufffd";
    });
  for await (const chunk of texts) {
    const text = waiting + chunk;
    const end = completeUntil(text);
    waiting = text.slice(end);
    yield mended(text.slice(0, end));
  }
  yield mended(waiting);
  if (halves === 0) return;
  const found = halves === 1 ? "1 half of a character" : `${halves} halves of characters`;
  const expected = "whole characters; the sign \ufffd was read in their place";
  report({ severity: "warning", rule: "text/half-characters", found, expected, count: halves });
}

/** Where the escapes at the end of a chunk begin, which the next chunk may continue. */
function completeUntil(text: string): number {
  let at = text.indexOf("\\", Math.max(0, text.length - LONGEST));
  if (at === -1) return text.length;
  // The escape before may be the first half of this one. A row of backslashes is cut nowhere, because each one may escape the next.
  if (/^\\ud[89ab]/i.test(text.slice(Math.max(0, at - 6), at))) at -= 6;
  while (at > 0 && text[at - 1] === "\\") at--;
  return at;
}
