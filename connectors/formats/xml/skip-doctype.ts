/**
 * Takes the document type out of an XML text, so that the reader, which refuses any, reads the rest. Nothing that it declares has any effect.
 * Apple Health has one, which breaks XML's own rules from version 12 on.
 */

/** Gives the text on, chunk by chunk. */
export interface DoctypeSkipper {
  /** What can be given on; the beginning waits until the root element begins. */
  write(text: string): string;
  /** The rest. */
  end(): string;
}

/** UTF-16 units before the root element, at the most: Apple Health has some 8,000. After that the text is given on as it is. */
const LONGEST = 2 ** 16;

/** What may stand before a document type or a root element. One that is cut takes the rest. */
const BEFORE = /^(?:[\s\ufeff]|<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$))*/;

/** What tells where a document type ends: its brackets and comments. One that is cut takes the rest. */
const IN_DOCTYPE = /<!--[\s\S]*?(?:-->|$)|\[|\]\s*(?:>|$)|>/g;

const DOCTYPE = "<!DOCTYPE";

/** A skipper for one text. The line ends of what it takes out stay, for telling places. */
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

/** A text without its document type; undefined where more of it must be seen first. */
function withoutDoctype(text: string): string | undefined {
  const at = BEFORE.exec(text)?.[0].length ?? 0;
  const next = text.slice(at, at + DOCTYPE.length);
  if (!DOCTYPE.startsWith(next.toUpperCase())) return text;
  const end = next.length === DOCTYPE.length ? endOfDoctype(text, at) : undefined;
  if (end === undefined) return undefined;
  return text.slice(0, at) + text.slice(at, end).replace(/[^\n]/g, "") + text.slice(end);
}

/** Where a document type that begins at a place ends; undefined where the text has no end of it. */
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
