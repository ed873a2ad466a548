/**
 * The only streaming reader of XML, over saxes. It knows elements by their local names: prefixes are often undeclared or
 * unusual, and an athlete must not lose a heart rate to that. It keeps hostile documents within caps, and reports every
 * problem as an issue with its line. Memory doesn't grow with the document.
 */
import { SaxesParser } from "saxes";
import type { Issue } from "../../../transforms/model/issue.ts";
import { textReader } from "../text.ts";
import { type XmlCleaner, xmlCleaner } from "./clean.ts";

/** The most that a document may hold. A larger document is refused. */
export interface XmlCaps {
  /** Elements within each other, the root being the first. */
  readonly depth: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Characters of a name. */
  readonly name: number;
  /** Characters of a text or of an attribute's value. */
  readonly text: number;
}

/** The usual caps. */
export const XML_CAPS: XmlCaps = { depth: 64, attributes: 64, name: 256, text: 2 ** 20 };

/** Attributes by their names in the document, with the prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

/**
 * A decoder of a document. The reader calls both methods in document order. `path` is the live list of ancestors, outermost
 * first. Don't keep it.
 */
export interface XmlHandler {
  /** An element begins. Returning false ends the reading, and no method is called after that. */
  open(name: string, attributes: XmlAttributes, path: readonly string[]): boolean;
  /** An element ends. `text` is the text directly in it after its last child, trimmed. Not called for elements that are cut off. */
  close(name: string, text: string, path: readonly string[]): void;
  /** Text in the innermost open element, piece by piece, with its blanks. For formats where a text has elements in it. */
  text?(more: string): void;
  /** Several NUL characters in a row: a damaged block, which may have taken elements with it. `isInTag` if it begins within a tag. */
  damaged?(issue: Issue, isInTag: boolean): void;
}

/** How a reading ended. */
export interface XmlOutcome {
  /**
   * - `complete`: to the end of the root element.
   * - `cut`: the document ends early or stops being XML. The part before that can be used.
   * - `refused`: don't use any of it (a document type, a cap, no XML at all).
   * - `stopped`: the handler ended the reading.
   */
  readonly end: "complete" | "cut" | "refused" | "stopped";
  /** The line where a cut document stops. */
  readonly line?: number;
  readonly issues: readonly Issue[];
}

/** Reads one document, chunk by chunk. */
export interface XmlReader {
  /** Returns false when the reader needs no more text. The caller can leave out the rest. */
  write(text: string): boolean;
  /** Whether a tag ended in the last text that was written, directly in the root element. A text of `>` alone then ends with it. */
  isAfterTag(): boolean;
  /** Goes past elements that weren't written because nobody wants them. They stand after such a tag. @param lines line ends in them */
  leaveOut(lines: number): void;
  end(): XmlOutcome;
}

/** Bytes are given to the parser in slices, so that a big file is never one big string. */
const SLICE_BYTES = 2 ** 18;
/** Text between two checks of the length of a token. */
const CHUNK = 2 ** 16;

/**
 * Reads a document from memory.
 *
 * @throws nothing for bad input. Errors of the handler are thrown through
 */
export function readXml(source: Uint8Array | string, handler: XmlHandler, caps: XmlCaps = XML_CAPS): XmlOutcome {
  const reader = xmlReader(handler, caps);
  if (typeof source === "string") {
    reader.write(source);
    return reader.end();
  }
  const text = textReader(() => declaredEncoding(source));
  for (let at = 0; at < source.length; at += SLICE_BYTES) {
    if (!reader.write(text.write(source.subarray(at, at + SLICE_BYTES)))) return reader.end();
  }
  reader.write(text.end());
  return withIssues(reader.end(), text.issues);
}

/** Reads a document from a stream. If the reading ends early, the stream is left early. Errors of the stream are thrown through. */
export async function streamXml(
  chunks: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  caps: XmlCaps = XML_CAPS,
): Promise<XmlOutcome> {
  const reader = xmlReader(handler, caps);
  let head: Uint8Array = new Uint8Array(0);
  const text = textReader(() => declaredEncoding(head));
  for await (const chunk of chunks) {
    if (head.length < DECLARATION_BYTES) head = Buffer.concat([head, chunk.subarray(0, DECLARATION_BYTES)]);
    if (!reader.write(text.write(chunk))) return reader.end();
  }
  reader.write(text.end());
  return withIssues(reader.end(), text.issues);
}

/** A reader for one document given as text. */
export function xmlReader(handler: XmlHandler, caps: XmlCaps = XML_CAPS): XmlReader {
  const cleaner = xmlCleaner();
  const issues: Issue[] = [];
  const path: string[] = [];
  let end: XmlOutcome["end"] | undefined;
  let line: number | undefined;
  let rootsClosed = 0;
  let text = "";
  let attributes = 0;
  let quiet = 0;
  let sawTag = false;
  let oddities = 0;
  let firstOddity = "";

  const parser = new QuietParser(onProblem);
  parser.on("opentagstart", (tag) => {
    quiet = 0;
    attributes = 0;
    if (tag.name.length > caps.name) refuse("xml/name", `a name of ${tag.name.length} characters`, caps.name);
    if (path.length >= caps.depth) refuse("xml/depth", `${path.length + 1} elements within each other`, caps.depth);
  });
  parser.on("attribute", (attribute) => {
    quiet = 0;
    attributes++;
    const { name, value } = attribute;
    if (attributes > caps.attributes) refuse("xml/attributes", `${attributes} attributes`, caps.attributes);
    if (name.length > caps.name) refuse("xml/name", `a name of ${name.length} characters`, caps.name);
    if (value.length > caps.text) refuse("xml/text", `a value of ${value.length} characters`, caps.text);
  });
  parser.on("opentag", (tag) => {
    const name = localName(tag.name);
    text = "";
    if (!handler.open(name, tag.attributes, path)) stop("stopped");
    path.push(name);
    sawTag = true;
  });
  parser.on("closetag", () => {
    quiet = 0;
    sawTag = true;
    const name = path.pop() ?? "";
    const own = text.trim();
    text = "";
    handler.close(name, own, path);
    if (path.length === 0) rootsClosed++;
  });
  const onText = (more: string): void => {
    quiet = 0;
    text = text === "" ? more : text + more;
    if (text.length > caps.text) refuse("xml/text", `a text of ${text.length} characters`, caps.text);
    handler.text?.(more);
  };
  const onNothing = (): void => {
    quiet = 0;
  };
  for (const event of ["text", "cdata"] as const) parser.on(event, onText);
  for (const event of ["comment", "processinginstruction"] as const) parser.on(event, onNothing);

  function stop(how: XmlOutcome["end"], issue?: Issue): never {
    end = how;
    if (issue !== undefined) issues.push(issue);
    throw new Stopped();
  }

  function refuse(rule: string, found: string, cap: number): never {
    stop("refused", { severity: "error", rule, found: `${found}, ${place()}`, expected: `at most ${cap}` });
  }

  function place(): string {
    const inside = path.at(-1);
    return `line ${lineNow()}${inside === undefined ? "" : ` inside ${inside}`}`;
  }

  function lineNow(): number {
    return parser.line + cleaner.skippedLines;
  }

  function onProblem(message: string): void {
    if (message === SECOND_ROOT) {
      stop("complete", {
        ...warning("xml/second-document", place()),
        expected: "one document in a file; the first one was read",
      });
    }
    if (!ODDITIES.some((oddity) => message.startsWith(oddity))) {
      line = lineNow();
      const found = `${message.replace(/\.$/, "")}, ${place()}`;
      stop("cut", { ...warning("xml/not-well-formed", found), expected: "XML; what stands before it was read" });
    }
    if (oddities === 0) firstOddity = `${message.replace(/\.$/, "")}, ${place()}`;
    oddities++;
  }

  function parse(cleaned: string): void {
    for (let at = 0; at < cleaned.length && end === undefined; at += CHUNK) {
      const chunk = cleaned.length <= CHUNK ? cleaned : cleaned.slice(at, at + CHUNK);
      quiet += chunk.length;
      untilStopped(() => parser.write(chunk));
      if (quiet > caps.text + CHUNK)
        untilStopped(() => refuse("xml/text", `a token of ${quiet} characters`, caps.text));
    }
    if (cleaner.doctype && end === undefined) {
      end = "refused";
      issues.push(doctypeAt(place()));
    }
  }

  const writeParts = partsWriter(handler, place, (text) => parse(cleaner.write(text)));
  return {
    write(chunk) {
      sawTag = false;
      if (end === undefined) writeParts(chunk);
      return end === undefined;
    },
    // The cleaner holds back nothing then: it gives a `>` on, or it still holds the mark before it.
    isAfterTag: () => sawTag && path.length === 1,
    leaveOut(lines) {
      parser.line += lines;
      quiet = 0;
      text = "";
    },
    end() {
      if (end === undefined) parse(cleaner.end());
      if (end === undefined && path.length > 0) {
        end = "cut";
        line = lineNow();
        issues.push({ ...warning("xml/truncated", `the text ends in ${place()}`), expected: `</${path[0]}>` });
      }
      if (end === undefined && rootsClosed === 0) {
        end = "refused";
        issues.push({ severity: "error", rule: "xml/no-element", found: "no element", expected: "an XML document" });
      }
      const found = [...repairs(cleaner, oddities, firstOddity), ...issues];
      return { end: end ?? "complete", ...(line !== undefined && { line }), issues: found };
    },
  };
}

/** The shortest damaged block. */
const NULS = "\0\0";

const NUL_BLOCK: Issue = {
  severity: "error",
  rule: "xml/nul-block",
  expected: "text: this piece of the file is damaged, and elements may be missing here",
};

/** Makes a writer of text. It tells a handler that wants to know of damaged blocks of each at its place. */
function partsWriter(handler: XmlHandler, place: () => string, write: (text: string) => void): (text: string) => void {
  if (handler.damaged === undefined) return write;
  let isInTag = false;
  return (text) => {
    for (const part of text.includes(NULS) ? text.split(/(\0{2,})/) : [text]) {
      if (part.startsWith(NULS))
        handler.damaged?.({ ...NUL_BLOCK, found: `${part.length} NUL characters in a row, ${place()}` }, isInTag);
      write(part);
      const opened = part.lastIndexOf("<");
      const closed = part.lastIndexOf(">");
      if (opened !== closed) isInTag = opened > closed;
    }
  };
}

function warning(rule: string, found: string): Issue {
  return { severity: "warning", rule, found };
}

function doctypeAt(place: string): Issue {
  const expected = "none: document types are not accepted";
  return { severity: "error", rule: "xml/doctype", found: `a document type, ${place}`, expected };
}

/** Ends the parser in the middle of a chunk. It is always caught in this file. */
class Stopped extends Error {}

function untilStopped(parse: () => void): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

/** saxes makes an Error with a stack for every remark. A document with a million remarks would take seconds. */
class QuietParser extends SaxesParser<{
  xmlns: false;
  position: false;
  forceXMLVersion: true;
  defaultXMLVersion: "1.0";
}> {
  private readonly onProblem: (message: string) => void;

  constructor(onProblem: (message: string) => void) {
    // With xmlns saxes looks every prefix up through all open elements, which is quadratic in depth.
    super({ xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: "1.0" });
    this.onProblem = onProblem;
  }

  override fail(message: string): this {
    this.onProblem(message);
    return this;
  }
}

const SECOND_ROOT = "documents may contain only one root.";

/** Remarks of saxes 6.0.0 that leave its later events reliable. */
const ODDITIES = [
  "duplicate attribute",
  'the string "]]>" is disallowed',
  "text data outside of root node",
  "malformed comment",
  "no whitespace between attributes",
  "an XML declaration must be at the start",
  "the XML declaration must appear at the start",
  "XML declaration",
  "version number must match",
  "encoding value must match",
  "standalone value must match",
  "did not expect any more name/value pairs",
  "expected one of",
  "expected the name",
  "whitespace required",
];

function repairs(cleaner: XmlCleaner, oddities: number, firstOddity: string): Issue[] {
  const rows: readonly (Issue & { readonly count: number })[] = [
    {
      severity: "warning",
      rule: "xml/control-characters",
      found: "characters XML has no place for",
      expected: "none; they were left out",
      count: cleaner.controlCharacters,
    },
    {
      severity: "warning",
      rule: "xml/bare-ampersand",
      found: "&",
      expected: "&amp;",
      count: cleaner.bareAmpersands,
    },
    { severity: "info", rule: "xml/oddity", found: firstOddity, count: oddities },
  ];
  return rows.filter((row) => row.count > 0);
}

function withIssues(outcome: XmlOutcome, more: readonly Issue[]): XmlOutcome {
  return more.length === 0 ? outcome : { ...outcome, issues: [...more, ...outcome.issues] };
}

const DECLARATION_BYTES = 256;

/** The label in `<?xml ... encoding="..."?>`; undefined if the head of the document has none. */
export function declaredEncoding(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, DECLARATION_BYTES)).toString("latin1");
  return /^[^<]*<\?xml[^<>]*?\bencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/.exec(text)?.[1];
}

/** `ns3:hr` and `hr` are `hr`. */
function localName(name: string): string {
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}
