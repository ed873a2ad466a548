/**
 * Cuts texts of an XML document that are longer than any cell may be, before they reach the parser. So a cell of 30 MB costs its own row, and the
 * rows after it are read.
 */

/** Cuts the text of one document, chunk by chunk. */
export interface TextCutter {
  write(chunk: string): string;
}

/**
 * Makes a cutter for one document.
 *
 * @param most UTF-16 units between one `<` and the next. The rest is left out
 */
export function textCutter(most: number): TextCutter {
  let length = 0;
  return {
    write(chunk) {
      if (length + chunk.length <= most && !chunk.includes("<")) {
        length += chunk.length;
        return chunk;
      }
      const parts: string[] = [];
      for (let at = 0; at < chunk.length; ) {
        const next = chunk.indexOf("<", at + 1);
        const end = next === -1 ? chunk.length : next;
        if (chunk[at] === "<") length = 0;
        if (length < most) parts.push(chunk.slice(at, Math.min(end, at + most - length)));
        length += end - at;
        at = end;
      }
      return parts.length === 1 ? (parts[0] as string) : parts.join("");
    },
  };
}
