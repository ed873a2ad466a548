/**
 * Finds the format of a file by its first bytes and its root element. The name of the file doesn't count.
 */
import { decodeText } from "./text.ts";

/** The formats that `sniff` knows. */
export type Sniffed = "fit" | "gpx" | "tcx" | "kml" | "gzip" | "zip";

/** Bytes of the beginning that are looked at. Comments and blanks may stand before the root element. */
const HEAD_BYTES = 2 ** 16;

const ROOTS = new Map<string, Sniffed>([
  ["gpx", "gpx"],
  ["TrainingCenterDatabase", "tcx"],
  ["kml", "kml"],
]);

interface Magic {
  readonly at: number;
  readonly bytes: readonly number[];
  readonly words: string;
  readonly format?: Sniffed;
}

/** Sources: FIT protocol (".FIT" at byte 8), RFC 1952, PKWARE APPNOTE 4.3.7 and 4.3.16, and the formats' own first bytes. */
const MAGIC: readonly Magic[] = [
  { at: 8, bytes: [0x2e, 0x46, 0x49, 0x54], words: "a FIT file", format: "fit" },
  { at: 0, bytes: [0x1f, 0x8b, 0x08], words: "a gzip file", format: "gzip" },
  { at: 0, bytes: [0x50, 0x4b, 0x03, 0x04], words: "a zip archive", format: "zip" },
  { at: 0, bytes: [0x50, 0x4b, 0x05, 0x06], words: "an empty zip archive", format: "zip" },
  { at: 0, bytes: [0x25, 0x50, 0x44, 0x46], words: "a PDF document" },
  { at: 0, bytes: [0x89, 0x50, 0x4e, 0x47], words: "a picture" },
  { at: 0, bytes: [0xff, 0xd8, 0xff], words: "a picture" },
  { at: 0, bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], words: "an SQLite database" },
];

/** The format of a file; undefined for any other format. Looks at the first 64 KiB only. */
export function sniff(bytes: Uint8Array): Sniffed | undefined {
  const magic = magicOf(bytes);
  if (magic !== undefined) return magic.format;
  const root = rootElement(bytes);
  return root === undefined ? undefined : ROOTS.get(root);
}

/** A description of a file in words that fit into a message: `an HTML page`, `XML whose first element is <pwx>`. */
export function looksLike(bytes: Uint8Array): string {
  if (bytes.length === 0) return "an empty file";
  const magic = magicOf(bytes);
  if (magic !== undefined) return magic.words;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head.every((byte) => byte === 0)) return "nothing but zeros";
  if (bytes.length < 14) return `${bytes.length} bytes`;
  const text = decodeText(head).text.trimStart();
  const root = rootElement(bytes);
  if (root?.toLowerCase() === "html" || /^<!doctype\s+html/i.test(text)) return "an HTML page";
  if (root !== undefined) return `XML whose first element is <${root.slice(0, 40)}>`;
  if (text.startsWith("{") || text.startsWith("[")) return "JSON";
  return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? "data of another kind" : "text";
}

function magicOf(bytes: Uint8Array): Magic | undefined {
  return MAGIC.find((magic) => magic.bytes.every((byte, index) => bytes[magic.at + index] === byte));
}

/** The parts that may stand before the root element, by their opening and closing marks. */
const PROLOG = [
  { opens: "<?", closes: "?>" },
  { opens: "<!--", closes: "-->" },
] as const;

const ELEMENT = /<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])/y;
const BLANKS = /[\s\ufeff\0]*/y;

/** The local name of the first element; undefined if the file is no XML. Linear, because it only looks forward. */
function rootElement(bytes: Uint8Array): string | undefined {
  const { text } = decodeText(bytes.subarray(0, HEAD_BYTES));
  let at = 0;
  for (;;) {
    BLANKS.lastIndex = at;
    at += BLANKS.exec(text)?.[0].length ?? 0;
    if (text[at] !== "<") return undefined;
    const part = PROLOG.find((each) => text.startsWith(each.opens, at));
    const end = part === undefined ? doctypeEnd(text, at) : text.indexOf(part.closes, at);
    if (end === undefined) break;
    if (end === -1) return undefined;
    at = end + (part?.closes.length ?? 1);
  }
  ELEMENT.lastIndex = at;
  return ELEMENT.exec(text)?.[1];
}

/** The end of a document type: -1 if it has no end, undefined if there is no document type. Good enough to find a root element. */
function doctypeEnd(text: string, at: number): number | undefined {
  if (!text.startsWith("<!", at)) return undefined;
  const close = text.indexOf(">", at);
  const subset = text.indexOf("[", at);
  if (subset === -1 || subset > close) return close;
  const subsetEnd = text.indexOf("]", subset);
  return subsetEnd === -1 ? -1 : text.indexOf(">", subsetEnd);
}
