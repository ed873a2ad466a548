/**
 * Tells elements of a known form from their text, and leaves those out that nobody wants. The parser doesn't see them. An export of Apple Health has
 * millions of measurements, and few of them matter.
 *
 * Only an element that the parser would read without any remark is left out. Any other form is left to the parser: other attributes, another order,
 * single quotes, CDATA, a comment, a carriage return, a control character, half of a pair. So is an element that a chunk cuts in two.
 */
import type { XmlAttributes, XmlReader } from "./reader.ts";

/** The form of elements that stand directly in the root element. */
export interface PlainForm {
  readonly name: string;
  /** Attributes in the order in which they are written. Each of them may be absent. */
  readonly attributes: readonly string[];
  /** The attributes that show whether an element is wanted. */
  readonly decidedBy: readonly string[];
  /** Elements in it, by name, with the attributes that each has. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
}

/** Writes text to a reader, without the elements that are left out. Returns false when the reader needs no more text. */
export type PlainWriter = (text: string) => boolean;

const BLANK = "[ \\t\\n]";
/** The characters of a value that need no repair and have no meaning: ", <, & and all that XML forbids are missing. */
const SOUND = '[^"<&\\u0000-\\u001f\\ud800-\\udfff\\ufffe\\uffff]*';
const VALUE = `${SOUND}(?:&(?:amp|lt|gt|quot|apos);${SOUND})*`;
/** UTF-16 units of an element, at the most. A cap of the parser is far above it. */
const LONGEST = 2 ** 16;

/**
 * Makes a writer for one document.
 *
 * @param isLeftOut whether nobody wants an element, by the attributes that decide. One with a reference in such an attribute is left to the parser
 */
export function plainWriter(
  reader: XmlReader,
  form: PlainForm,
  isLeftOut: (attributes: XmlAttributes) => boolean,
): PlainWriter {
  const pattern = patternOf(form);
  const opening = `<${form.name}`;

  /** The end of the elements that are left out from a place on. It is that place if the first one there isn't left out. */
  function endOfLeftOut(text: string, from: number): number {
    let at = from;
    for (;;) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found === null || found[0].length > LONGEST || !isLeftOut(attributesOf(form, found))) return at;
      at = pattern.lastIndex;
    }
  }

  /** The end of the tag before the next element that may be left out, after a place; the end of the text if there is none. */
  function endOfTag(text: string, from: number): number {
    for (let at = text.indexOf(opening, from + 1); at !== -1; at = text.indexOf(opening, at + 1)) {
      let end = at;
      while (end > from && " \t\n".includes(text.charAt(end - 1))) end--;
      if (end > from && text[end - 1] === ">") return end;
    }
    return text.length;
  }

  return (text) => {
    for (let at = 0; at < text.length; ) {
      if (reader.isAfterTag()) {
        const end = endOfLeftOut(text, at);
        if (end > at) reader.leaveOut(lineEndsIn(text, at, end));
        at = end;
      }
      const end = endOfTag(text, at);
      // The end of a tag is written by itself. Then the reader knows whether it is one, and no end of a comment or of a value.
      const isEnd = text[end - 1] === ">";
      if (!reader.write(text.slice(at, isEnd ? end - 1 : end))) return false;
      if (isEnd && !reader.write(">")) return false;
      at = end;
    }
    return true;
  };
}

/** The pattern of blanks and an element after them. Its groups are the attributes that decide. */
function patternOf({ name, attributes, decidedBy, parts = {} }: PlainForm): RegExp {
  const decides = attributes.map((each) => attribute(each, decidedBy.includes(each) ? `(${SOUND})` : VALUE));
  const inside = Object.entries(parts).map(
    ([part, each]) => `<${part}${each.map((own) => attribute(own, VALUE)).join("")}${BLANK}*/>`,
  );
  const start = `${BLANK}*<${name}${decides.map((each) => `(?:${each})?`).join("")}${BLANK}*`;
  const content = inside.length === 0 ? "" : `(?:${BLANK}*(?:${inside.join("|")}))*`;
  return new RegExp(`${start}(?:/>|>${content}${BLANK}*</${name}>)`, "y");
}

function attribute(name: string, value: string): string {
  return `${BLANK}+${name}="${value}"`;
}

/** The attributes that decide. One that is absent is undefined, as among those of the parser. */
function attributesOf({ attributes, decidedBy }: PlainForm, found: RegExpExecArray): XmlAttributes {
  const known: Record<string, string> = {};
  let group = 0;
  for (const name of attributes) {
    if (!decidedBy.includes(name)) continue;
    const value = found[++group];
    if (value !== undefined) known[name] = value;
  }
  return known;
}

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
