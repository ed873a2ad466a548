/** Breaks a text into lines. */

/**
 * Breaks a text between its words. A word that is longer than a line stands alone in one.
 *
 * @param width the most characters of a line
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
