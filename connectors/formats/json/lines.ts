/** The lines of a text, one at a time, for formats that have a JSON text on each. */

/** A line without its end. The text is undefined if the line is longer than it may be. */
export interface Line {
  readonly text: string | undefined;
  /** From 1. */
  readonly line: number;
}

/**
 * Splits a text into lines. It holds one line at a time, and of a long line only the allowed length.
 *
 * @param mostOf gives the most UTF-16 units of the line that is read. It is called for each piece of text
 */
export async function* linesOf(texts: AsyncIterable<string>, mostOf: () => number): AsyncGenerator<Line> {
  let held = "";
  let isCut = false;
  let line = 0;
  const hold = (text: string) => {
    const most = mostOf();
    if (held.length + text.length > most) isCut = true;
    held += text.slice(0, Math.max(0, most - held.length));
  };
  const take = (): Line => {
    const text = isCut ? undefined : held.trim();
    [held, isCut] = ["", false];
    return { text, line: ++line };
  };
  for await (const text of texts) {
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      hold(text.slice(from, end));
      yield take();
      from = end + 1;
    }
    hold(text.slice(from));
  }
  yield take();
}
