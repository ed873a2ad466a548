/**
 * Takes the document type out of an XML text. The reader refuses document types, and so it can read the rest. The declarations in the
 * document type have no effect. Apple Health writes a document type. From version 12 on it breaks XML's own rules.
 */

/** Gives the text on, chunk by chunk. */
export interface DoctypeSkipper {
  /** Gives on the text that is ready. The beginning waits until the root element begins. */
  write(text: string): string;
  /** The rest. */
  end(): string;
}

/** The most UTF-16 units before the root element. Apple Health has some 8,000. A longer text is given on as it is. */
const LONGEST = 2 ** 16;

/** The text that may stand before a document type or a root element. A comment or instruction that is cut takes the rest. */
const BEFORE = /^(?:[\s\ufeff]|<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$))*/;

/** The marks that show the end of a document type: its brackets and comments. A comment that is cut takes the rest. */
const IN_DOCTYPE = /<!--[\s\S]*?(?:-->|$)|\[|\]\s*(?:>|$)|>/g;

const DOCTYPE = "<!DOCTYPE";

/** Makes a skipper for one text. The line ends of the document type stay, so that issues name the right line. */
export function doctypeSkipper(): DoctypeSkipper {
  let waiting: string | undefined = "";
  return {
    write(text) {
      if (waiting === undefined) return text;
      waiting += text;
      const rest = withoutDoctype(waiting) ?? (waiting.length > LONGEST ? waiting : undefined);
      if (rest === undefined) return "";
      waiting = undefined;
      return rest;
    },
    end: () => waiting ?? "",
  };
}

/** A text without its document type; undefined if more of the text is needed. */
function withoutDoctype(text: string): string | undefined {
  const at = BEFORE.exec(text)?.[0].length ?? 0;
  const next = text.slice(at, at + DOCTYPE.length);
  if (!DOCTYPE.startsWith(next.toUpperCase())) return text;
  const end = next.length === DOCTYPE.length ? endOfDoctype(text, at) : undefined;
  if (end === undefined) return undefined;
  return text.slice(0, at) + text.slice(at, end).replace(/[^\n]/g, "") + text.slice(end);
}

/** The end of the document type that begins at a place; undefined if the text doesn't contain the end. */
function endOfDoctype(text: string, at: number): number | undefined {
  IN_DOCTYPE.lastIndex = at;
  let isOpen = false;
  for (let mark = IN_DOCTYPE.exec(text); mark !== null; mark = IN_DOCTYPE.exec(text)) {
    const [found] = mark;
    if (found === "[") isOpen = true;
    else if (found === ">" ? !isOpen : found.startsWith("]") && found.endsWith(">")) return IN_DOCTYPE.lastIndex;
  }
  return undefined;
}
